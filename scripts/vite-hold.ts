import { build, type Plugin } from 'vite';

/** The scripts of a replay. No manifest names them: the panel puts them into a page when a replay is armed there. */
const SCRIPTS = ['src/page/hold.iife.ts', 'src/relay/hold-relay.iife.ts'];

/** Builds each into one classic script of the same name, without exports. */
export function holdScripts(): Plugin {
  let root = '';
  return {
    name: 'runlens-hold-scripts',
    apply: 'build',
    configResolved(config) {
      root = config.root;
    },
    async generateBundle() {
      for (const entry of SCRIPTS) {
        const built = await build({
          root,
          configFile: false,
          logLevel: 'warn',
          build: { write: false, target: 'es2023', modulePreload: false, rollupOptions: { input: entry, output: { format: 'iife' } } },
        });
        for (const { output } of [built].flat() as { output: { type: string; code?: string }[] }[]) {
          for (const { code } of output) if (code) this.emitFile({ type: 'asset', fileName: entry.replace(/ts$/, 'js'), source: code });
        }
      }
    },
  };
}
