import { appendFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/** The page hook in the build. Manifests know it under the same name. */
export const HOOK = 'src/page/hook.iife.js';

/**
 * A source map of one mapping whose only source is on the ignore list. Every fetch of a page passes through the hook, so without
 * it DevTools' Network panel would name the hook as initiator of all of them. An external map does not have this effect.
 */
const MAP = { version: 3, sources: ['runlens'], names: [], mappings: 'AAAA', ignoreList: [0] };

/** The comment that must be the script's last line. */
export const HOOK_MAP_LINE = `\n//# sourceMappingURL=data:application/json,${encodeURIComponent(JSON.stringify(MAP))}\n`;

/** Puts the hook on DevTools' ignore list. After the bundle, because minifiers drop comments and CRXJS builds the hook apart, without plugins. */
export function hookSourceMap(): Plugin {
  let file = '';
  return {
    name: 'runlens-hook-source-map',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      file = resolve(config.root, config.build.outDir, HOOK);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        if (existsSync(file)) appendFileSync(file, HOOK_MAP_LINE);
      },
    },
  };
}
