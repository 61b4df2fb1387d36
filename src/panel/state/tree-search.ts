/** Where a text stands in a JSON value: in names of members and in scalar values. */
import { pointer } from '../words/pointer.ts';

export interface TreeHits {
  /** JSON pointers of the places, in the order of the tree. */
  readonly paths: readonly string[];
  /** What must be open for all of them to be seen. */
  readonly open: ReadonlySet<string>;
  /** True when there are more. */
  readonly more: boolean;
}

const MOST = 2000;
/** Deeper than this nobody looks, and a hostile value would end the stack. */
const DEEPEST = 200;

/** Places that hold a text, whatever its case. */
export function searchTree(value: unknown, text: string): TreeHits {
  const needle = text.toLowerCase();
  const paths: string[] = [];
  const open = new Set<string>();
  const has = (word: string) => word.toLowerCase().includes(needle);
  const walk = (at: unknown, path: string, name: string | null, above: readonly string[]): void => {
    if (paths.length >= MOST) return;
    const nest = typeof at === 'object' && at !== null;
    if ((name !== null && has(name)) || (!nest && has(typeof at === 'string' ? at : String(at)))) {
      paths.push(path);
      for (const one of above) open.add(one);
    }
    if (!nest || above.length >= DEEPEST) return;
    const list = Array.isArray(at);
    const inner = [...above, path];
    for (const [key, child] of Object.entries(at)) walk(child, pointer(path, key), list ? null : key, inner);
  };
  if (needle !== '') walk(value, '', null, []);
  return { paths, open, more: paths.length >= MOST };
}
