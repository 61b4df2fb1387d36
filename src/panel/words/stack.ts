/** The page's stack at a call, in short. */

const PLACE = /(?:\(|@|^|\s)((?:https?|file|webpack|blob|[\w-]+-extension):[^\s()]+?):(\d+)(?::\d+)?\)?\s*$/;
const NAME = /^\s*(?:at\s+(?:async\s+)?(?:new\s+)?([^\s(]+)\s*\(|([^@\s]+)@)/;

export interface CallSite {
  /** File and line: `agent.ts:41`. */
  readonly place: string;
  /** Function, '' where it has no name. */
  readonly name: string;
}

/** Who made a call: the innermost frame that names a place, those of `node_modules` and vendor folders only if there is no other. */
export function callSite(stack: string | undefined): CallSite | null {
  let first: CallSite | null = null;
  for (const line of stack?.split('\n') ?? []) {
    const place = PLACE.exec(line);
    if (!place) continue;
    const [, url = '', row = ''] = place;
    const name = NAME.exec(line);
    const site = { place: `${fileOf(url)}:${row}`, name: name?.[1] ?? name?.[2] ?? '' };
    if (!/node_modules|\/vendor\/|\.vite\/deps/.test(url)) return site;
    first ??= site;
  }
  return first;
}

function fileOf(url: string): string {
  const path = url.replace(/[?#].*$/, '');
  return path.slice(path.lastIndexOf('/') + 1) || path.replace(/^\w+:\/\//, '').replace(/\/$/, '');
}
