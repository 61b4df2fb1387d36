/** Token accounting of RUN_FINISHED.usage and RUN_ERROR.usage (rules.md §4.14). */
import type { Complaint } from './shape/types.ts';

const COUNTS = ['inputTokens', 'outputTokens', 'totalTokens', 'reasoningTokens', 'cachedInputTokens', 'cacheWriteInputTokens'] as const;

type Counts = Partial<Record<(typeof COUNTS)[number], number>>;

function countsOf(entry: Readonly<Record<string, unknown>>): Counts {
  const counts: Counts = {};
  for (const key of COUNTS) {
    const value = entry[key];
    if (Number.isSafeInteger(value) && (value as number) >= 0) counts[key] = value as number;
  }
  return counts;
}

function excessPart(where: string, counts: Counts): string | null {
  const { inputTokens, outputTokens, reasoningTokens } = counts;
  const cached = (counts.cachedInputTokens ?? 0) + (counts.cacheWriteInputTokens ?? 0);
  if (inputTokens !== undefined && cached > inputTokens) {
    return `${where}: ${cached} cached and cache-write tokens exceed inputTokens ${inputTokens}, of which they are parts: count them inside inputTokens.`;
  }
  if (outputTokens !== undefined && reasoningTokens !== undefined && reasoningTokens > outputTokens) {
    return `${where}: reasoningTokens ${reasoningTokens} exceed outputTokens ${outputTokens}, of which they are a part: count them inside outputTokens.`;
  }
  return null;
}

function wrongTotal(where: string, { inputTokens, outputTokens, totalTokens }: Counts): string | null {
  if (inputTokens === undefined || outputTokens === undefined || totalTokens === undefined) return null;
  const sum = inputTokens + outputTokens;
  return sum === totalTokens
    ? null
    : `${where}: totalTokens is ${totalTokens}, but inputTokens ${inputTokens} and outputTokens ${outputTokens} make ${sum}: send their sum.`;
}

/** Provider and model in one, or null when an entry names neither: two nameless entries need not be the same. */
function nameOf({ provider, model }: Readonly<Record<string, unknown>>): string | null {
  if (typeof provider !== 'string' && typeof model !== 'string') return null;
  return JSON.stringify([typeof provider === 'string' ? provider : null, typeof model === 'string' ? model : null]);
}

function judgeEntry(entry: Readonly<Record<string, unknown>>, index: number, first: number | undefined): Complaint | null {
  const where = `usage[${index}]`;
  const counts = countsOf(entry);
  const excess = excessPart(where, counts);
  if (excess !== null) return { rule: 'usage-part-exceeds-total', subject: where, message: excess };
  const wrong = wrongTotal(where, counts);
  if (wrong !== null) return { rule: 'usage-total-mismatch', subject: where, message: wrong };
  if (first !== undefined) {
    const message = `${where} has the provider and model of usage[${first}]: send one entry for each provider and model (they are summed).`;
    return { rule: 'usage-repeated-entry', subject: where, message };
  }
  const values = Object.values(counts);
  if (values.length === 0 || values.some((count) => count !== 0)) return null;
  return { rule: 'usage-all-zero', subject: where, message: `${where} has only zeros: leave out what the provider did not count.` };
}

/**
 * At most one complaint an entry, parts before totals, then repeated names, then zeros; in the order of the entries. Reads well-formed
 * counts only, so what the schema has rejected is not judged twice. Subject: `usage[INDEX]`.
 */
export function judgeUsage(usage: unknown): readonly Complaint[] {
  if (!Array.isArray(usage)) return [];
  const complaints: Complaint[] = [];
  const named = new Map<string, number>();
  for (const [index, entry] of usage.entries()) {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) continue;
    const name = nameOf(entry);
    const first = name === null ? undefined : named.get(name);
    if (name !== null && first === undefined) named.set(name, index);
    const complaint = judgeEntry(entry, index, first);
    if (complaint) complaints.push(complaint);
  }
  return complaints;
}
