import { defineConfig } from 'vitest/config';
import './scripts/rule-index.mjs';

const PURE = ['protocol', 'stream', 'capture', 'checker', 'runs', 'session', 'timeline', 'export', 'wire', 'replay'];

/**
 * `npm run coverage`: the branches of pure code that unit tests go through, its own and those of the shells that use it in Node. Fails
 * under 95 % a folder.
 */
export default defineConfig({
  test: {
    testTimeout: 60_000,
    maxWorkers: 2,
    include: [...PURE, 'background', 'browser', 'cli', 'devtools'].map((folder) => `src/${folder}/**/*.test.ts`),
    coverage: {
      enabled: true,
      reportOnFailure: true,
      provider: 'v8',
      reportsDirectory: '.cache/coverage',
      reporter: ['text', 'json', 'json-summary'],
      include: PURE.map((folder) => `src/${folder}/**/*.ts`),
      exclude: ['**/*.test.ts', '**/*.generated.ts', '**/types.ts', '**/fixtures/**', '**/scenes/**'],
      thresholds: Object.fromEntries(PURE.map((folder) => [`src/${folder}/**`, { branches: 95 }])),
    },
  },
});
