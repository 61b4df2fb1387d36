import { defineConfig } from 'vitest/config';

/** `npm run faults`: what goes wrong around the worker, at random but replayable. Not part of `npm test`, since its length is a choice. */
export default defineConfig({ test: { include: ['src/**/*.faults.ts'], testTimeout: 600_000, maxWorkers: 1 } });
