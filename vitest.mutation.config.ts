import { defineConfig } from 'vitest/config';

/** Globs in `MUTATION_TESTS`, separated by spaces, put a narrower set of tests in place: each mutant then costs a fraction. */
const narrowed = process.env['MUTATION_TESTS']?.split(' ');

/**
 * The tests that mutants of `npm run mutation` meet: those of the streams and of the checker, but for the long random ones (a mutant must
 * be found by a test that says what is wrong) and the one that runs the whole checker while it is loaded.
 */
export default defineConfig({
  test: {
    include: narrowed ?? ['src/stream/*.test.ts', 'src/checker/*.test.ts'],
    exclude: ['src/stream/*.property.test.ts', 'src/checker/{catalogue,differential,hostile,patch,properties,rule-pages,usage}.test.ts'],
    // each mutant loads the checker once, not once a file
    isolate: false,
    testTimeout: 60_000,
  },
});
