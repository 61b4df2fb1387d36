import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { generateSchema } from './make-schema.mjs';

test('schema.generated.ts is what the generator makes of the installed @ag-ui/core', () => {
  const file = readFileSync(new URL('../src/checker/shape/schema.generated.ts', import.meta.url), 'utf8');
  expect(file).toBe(generateSchema());
});
