/** Tokens as runs report them. What is absent is not zero: a sum over some entries says that it is the least there was. */
import type { UsageEntry } from '../../runs/types.ts';
import type { Formats } from './format.ts';

export type TokenPart = 'inputTokens' | 'outputTokens' | 'totalTokens';

export interface TokenSum {
  /** Null where no entry tells. */
  readonly tokens: number | null;
  /** Entries that do not tell this part. */
  readonly silent: number;
}

export function sumOf(usage: readonly UsageEntry[], part: TokenPart): TokenSum {
  let [tokens, silent] = [null as number | null, 0];
  for (const entry of usage) {
    if (entry[part] === undefined) silent++;
    else tokens = (tokens ?? 0) + entry[part];
  }
  return { tokens, silent };
}

/** `812`, `≥ 812` where an entry does not tell, `–` where none does. */
export function sumText(usage: readonly UsageEntry[], part: TokenPart, formats: Formats): string {
  const { tokens, silent } = sumOf(usage, part);
  if (tokens === null) return '–';
  return `${silent > 0 ? '≥ ' : ''}${formats.count(tokens)}`;
}

/** Entries of one model and provider put together, in the order of their first. */
export function byModel(usage: readonly UsageEntry[]): { readonly name: string; readonly entries: readonly UsageEntry[] }[] {
  const models = new Map<string, UsageEntry[]>();
  for (const entry of usage) {
    const name = [entry.model, entry.provider].filter(Boolean).join(', ') || 'model not named';
    models.set(name, [...(models.get(name) ?? []), entry]);
  }
  return [...models].map(([name, entries]) => ({ name, entries }));
}

const PARTS: readonly (readonly [TokenPart, string])[] = [
  ['inputTokens', 'in'],
  ['outputTokens', 'out'],
  ['totalTokens', 'in all'],
];

/** One line a model: `gpt-5.2: 2,800 in, 600 out`. */
export function usageLines(usage: readonly UsageEntry[], formats: Formats): string[] {
  return byModel(usage).map(({ name, entries }) => {
    const said = PARTS.flatMap(([part, word]) => (sumOf(entries, part).tokens === null ? [] : [`${sumText(entries, part, formats)} ${word}`]));
    return `${name}: ${said.join(', ') || 'no counts'}`;
  });
}
