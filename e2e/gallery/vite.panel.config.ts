/** Builds the gallery of the whole panel, apart from the extension: `npx vite build -c e2e/gallery/vite.panel.config.ts --outDir DIR`. */
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [preact({ devToolsEnabled: false })],
  build: { target: 'es2023', emptyOutDir: true, rollupOptions: { input: ['e2e/gallery/panel.html', 'e2e/gallery/plan.html'] } },
});
