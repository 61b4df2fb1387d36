import { join, resolve } from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

/** The demo pages, built where the demo agent serves them from. */
export default defineConfig({
  root,
  build: {
    outDir: resolve(root, '../../.cache/demo'),
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 2000,
    rollupOptions: { input: ['index.html', 'eventsource.html', 'bare.html', 'replay.html'].map((page) => join(root, page)) },
  },
});
