/** Addresses of requests by pattern: `*` is any run of characters, everything else is itself. */

/** The source of a regular expression for the whole address. */
export function patternSource(glob: string): string {
  return `^${glob.replace(/[\\^$.|?+()[\]{}/-]/g, '\\$&').replace(/\*+/g, '.*')}$`;
}

/** A pattern that a request to the same path fits, wherever the server is and whatever the query. */
export function patternFor(path: string): string {
  return `*${path.replace(/[?#].*$/s, '').replaceAll('*', '%2A')}*`;
}
