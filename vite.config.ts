import { crx, type ManifestV3Export } from '@crxjs/vite-plugin';
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';
import manifest from './manifest.json' with { type: 'json' };
import { hookSourceMap } from './scripts/vite-hook-map.ts';

export default defineConfig({
  plugins: [preact({ devToolsEnabled: false }), crx({ browser: 'chrome', manifest: manifest as ManifestV3Export }), hookSourceMap()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    modulePreload: false,
    // chrome.devtools.panels.create() names this page at run time, so it is in no manifest field
    rollupOptions: { input: { panel: 'src/panel/panel.html' } },
  },
});
