import { defineConfig } from 'vite';
import './scripts/rule-index.mjs';

/** The command line program as one file for Node; `bin/runlens.mjs` runs it. */
export default defineConfig({
  publicDir: false,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: {
    ssr: 'src/cli/main.ts',
    outDir: 'dist-cli',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    rollupOptions: { output: { entryFileNames: 'runlens.mjs' } },
  },
});
