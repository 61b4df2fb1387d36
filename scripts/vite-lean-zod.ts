import type { Plugin } from 'vite';

/** What zod's schemas bring along to be turned into JSON Schema. No context of ours does that; it is 4 kB of the worker, gzipped. */
const CUTS: readonly (readonly [from: string, to: string])[] = [
  [
    'import * as processors from "../core/json-schema-processors.js";',
    'import { aggregateChecks } from "../core/json-schema-processors.js"; const processors = { aggregateChecks };',
  ],
  [
    'import { createStandardJSONSchemaMethod, createToJSONSchemaMethod } from "../core/to-json-schema.js";',
    'const createToJSONSchemaMethod = () => () => { throw new Error("JSON Schema is left out of this build"); }; const createStandardJSONSchemaMethod = createToJSONSchemaMethod;',
  ],
];

/** Leaves JSON Schema out of zod. The build fails when zod no longer has the text that is replaced. */
export function leanZod(): Plugin {
  return {
    name: 'runlens-lean-zod',
    apply: 'build',
    transform(code, id) {
      if (!id.split('?', 1)[0]!.replaceAll('\\', '/').endsWith('/zod/v4/classic/schemas.js')) return null;
      let lean = code;
      for (const [from, to] of CUTS) {
        if (lean.split(from).length !== 2) this.error(`vite-lean-zod: this version of zod does not have “${from}” once; look at what it does now.`);
        lean = lean.replace(from, to);
      }
      return { code: lean, map: null };
    },
  };
}
