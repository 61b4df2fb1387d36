import { defineConfig } from 'vitest/config';
import './scripts/rule-index.mjs';

/** Tests of shells put a browser, a DOM or a database in place of the globals, so each file has modules of its own. */
const SHELLS = ['src/{background,browser,panel}/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'shells', include: SHELLS } },
      // what is pure shares its modules: loading the schema anew for every file takes half of the time
      { extends: true, test: { name: 'pure', include: ['src/**/*.test.{ts,tsx}'], exclude: SHELLS, isolate: false } },
    ],
  },
});
