/** The filter line: `run:`, `thread:`, `owner:`, `type:` and `has:finding` narrow by what an event belongs to, the rest is text. It is remembered as it stands. */

export const WORDS = ['run', 'thread', 'owner', 'type', 'has'] as const;
export type Word = (typeof WORDS)[number];

export interface FilterWords {
  /** What is left to look for as text. */
  readonly text: string;
  /** runId, or `#3` for the third run of the capture. */
  readonly run: string | null;
  readonly thread: string | null;
  /** subagentRunId or name of a subagent; `none` for what belongs to no subagent. */
  readonly owner: string | null;
  readonly type: string | null;
  readonly finding: boolean;
}

const TOKEN = /(?<=^|\s)(run|thread|owner|type|has):(?:"([^"]*)"?|(\S*))/gi;

/** Reads a filter line. A word without a value says nothing; of a repeated one the last counts. */
export function parseFilter(line: string): FilterWords {
  const values: Partial<Record<string, string>> = {};
  const text = line.replace(TOKEN, (_, word: string, quoted: string | undefined, bare: string | undefined) => {
    const value = quoted ?? bare ?? '';
    if (value !== '') values[word.toLowerCase()] = value;
    return '';
  });
  const { run = null, thread = null, owner = null, type = null, has } = values;
  return { text: text.replace(/\s+/g, ' ').trim(), run, thread, owner, type, finding: has?.startsWith('finding') === true };
}

/** The line with one word set to a value, or without it (null). */
export function withWord(line: string, word: Word, value: string | null): string {
  const rest = line
    .replace(TOKEN, (token, found: string) => (found.toLowerCase() === word ? '' : token))
    .replace(/\s+/g, ' ')
    .trim();
  if (value === null || value === '') return rest;
  const token = `${word}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value}`;
  return rest === '' ? token : `${token} ${rest}`;
}
