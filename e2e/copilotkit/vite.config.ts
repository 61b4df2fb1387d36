import { join, resolve } from 'node:path';
import { defineConfig } from 'vite';

const root = join(import.meta.dirname, 'page');

/** The chat page, built where the server of these specs looks for it. */
export default defineConfig({
  root,
  logLevel: 'warn',
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    outDir: resolve(root, '../../../.cache/copilotkit'),
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 20_000,
  },
});
