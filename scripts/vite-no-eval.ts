import type { Plugin } from 'vite';

/** Places in zod that make a function of a string. It tries whether it may and does without where it may not, as in every extension page. */
const PLACES: Readonly<Record<string, readonly [from: string, to: string]>> = {
  '/zod/v4/core/util.js': ['const F = Function;', 'return false; const F = null;'],
  '/zod/v4/core/doc.js': ['const F = Function;', "const F = class { constructor() { throw new Error('no code from strings'); } };"],
};

/**
 * Takes the making of functions out of zod, so that nothing in the build could: `npm run package` refuses a build that has it. The build
 * fails when zod no longer has the text that is replaced.
 */
export function noEval(): Plugin {
  return {
    name: 'runlens-no-eval',
    apply: 'build',
    transform(code, id) {
      const place = Object.entries(PLACES).find(([path]) => id.split('?', 1)[0]!.replaceAll('\\', '/').endsWith(path));
      if (!place) return null;
      const [path, [from, to]] = place;
      if (code.split(from).length !== 2) this.error(`vite-no-eval: ${path} of this version of zod does not have “${from}” once; look at what it does now.`);
      return { code: code.replace(from, to), map: null };
    },
  };
}
