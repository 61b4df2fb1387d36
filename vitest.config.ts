import { defineConfig } from 'vitest/config';
import './scripts/rule-index.mjs';

export default defineConfig({
  test: { include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'], testTimeout: 60_000, maxWorkers: 2 },
});
