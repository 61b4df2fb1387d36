import { crx, type ManifestV3Export } from '@crxjs/vite-plugin';
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';
import manifest from './manifest.json' with { type: 'json' };
import './scripts/rule-index.mjs';
import { encoderApart } from './scripts/vite-encoder.ts';
import { holdScripts } from './scripts/vite-hold.ts';
import { hookSourceMap } from './scripts/vite-hook-map.ts';
import { leanZod } from './scripts/vite-lean-zod.ts';
import { noEval } from './scripts/vite-no-eval.ts';

// Firefox has background scripts instead of a service worker, clones messages by itself, and knows no incognito "split"
const { minimum_chrome_version: _chrome, message_serialization: _clone, incognito: _split, ...common } = manifest;
const firefox = {
  ...common,
  background: { scripts: [manifest.background.service_worker], type: 'module' },
  browser_specific_settings: {
    gecko: { id: 'runlens@runlens.example', strict_min_version: '142.0', data_collection_permissions: { required: ['none'] } },
  },
};

/** `vite build` → dist/ (Chromium); `vite build --mode firefox` → dist-firefox/. */
export default defineConfig(({ mode }) => {
  const target =
    mode === 'firefox'
      ? ({ browser: 'firefox', manifest: firefox as unknown as ManifestV3Export } as const)
      : ({ browser: 'chrome', manifest: manifest as ManifestV3Export } as const);
  return {
    plugins: [noEval(), leanZod(), encoderApart(), preact({ devToolsEnabled: false }), crx(target), holdScripts(), hookSourceMap()],
    // the manifest names the icons; a public folder would bring them twice
    publicDir: false,
    build: {
      outDir: mode === 'firefox' ? 'dist-firefox' : 'dist',
      target: 'es2023',
      modulePreload: false,
      // chrome.devtools.panels.create() names this page at run time, so it is in no manifest field
      rollupOptions: { input: { panel: 'src/panel/panel.html' } },
    },
  };
});
