/** 300 runs in ten threads, seeded. */
import type { RunStatus } from '../../checker/types.ts';
import type { RunStory, SpanStory } from './build.ts';

const PLAN: readonly (readonly [RunStatus, number])[] = [
  ['rejected-by-violation', 24],
  ['failed-by-report', 14],
  ['failed-late', 3],
  ['truncated', 18],
  ['cancelled', 11],
  ['interrupted', 8],
];
const NAMES = ['t_5f0c', 't_a91e', 't_0b72', 't_e4d8', 't_77c1', 't_19fa', 't_c3b6', 't_8e20', 't_d45a', 't_2a97'];

type Random = (low: number, high: number) => number;

function createRandom(seed: number): Random {
  let state = seed;
  return (low, high) => {
    state = (state * 16807) % 2147483647;
    return low + (state / 2147483647) * (high - low);
  };
}

function spansOf(a: number, d: number, between: Random, open: boolean): SpanStory[] {
  const at = (p: number) => a + d * p;
  const m = between(0.22, 0.4);
  const spans: SpanStory[] = [
    { kind: 'step', name: 'plan', a: at(0.01), b: at(m + 0.06) },
    { kind: 'step', name: 'research', a: at(m), b: at(0.8) },
    { kind: 'reasoning', name: 'think it over', a: at(0.02), b: at(m - 0.04) },
    { kind: 'text', name: 'Here is what I found', a: at(between(0.74, 0.8)), b: open ? null : at(0.97) },
  ];
  if (between(0, 1) > 0.4) spans.push({ kind: 'step', name: 'write', a: at(0.72), b: open ? null : at(0.98) });
  if (between(0, 1) > 0.25) {
    const w = between(0.55, 0.72);
    spans.push({ kind: 'tool', name: 'search', a: at(m + 0.03), b: at(m + 0.1), quiet: [at(m + 0.1), at(w)], result: at(w) });
    if (between(0, 1) > 0.5)
      spans.push({ kind: 'tool', name: 'fetch', a: at(m + 0.06), b: at(m + 0.15), quiet: [at(m + 0.15), at(w + 0.05)], result: at(w + 0.05) });
  }
  return spans;
}

function runStory(n: number, thread: string, a: number, b: number, status: RunStatus, between: Random): RunStory {
  const spans = spansOf(a, b - a, between, status === 'failed-by-report' || status === 'truncated');
  const stop = a + (b - a) * between(0.42, 0.7);
  const rule = ['step-already-open', 'text-not-open', 'run-event-after-close'][n % 3]!;
  return {
    id: `run_${n}`,
    thread,
    url: n % 3 ? '/api/agent' : '/api/research',
    request: a - 0.4,
    a,
    b,
    ...(status === 'failed-late' ? { late: b + between(2, 5) } : {}),
    status,
    spans,
    findings: [
      ...(status === 'rejected-by-violation' ? [{ severity: 'violation', rule, at: stop, span: 'research', related: ['research'] } as const] : []),
      ...(status === 'succeeded' && n % 8 === 0 ? [{ severity: 'deviation', rule: 'state-patch-failed', at: (a + b) / 2 } as const] : []),
      ...(status === 'truncated' ? [{ severity: 'deviation', rule: 'run-truncated', at: b } as const] : []),
    ],
  };
}

function extraSpans({ a, b }: RunStory, extra: number): SpanStory[] {
  const d = ((b ?? a) - a) / (extra + 2);
  return Array.from({ length: extra }, (_, i) => ({
    kind: (['step', 'tool', 'text'] as const)[i % 3]!,
    name: `more ${i}`,
    a: a + d * i,
    b: a + d * (i + 1.7),
  }));
}

/** Seconds that the capture lasts. */
export const LENGTH = 46 * 60;

/** 30 runs a thread in ten threads, with `extra` more spans a run. */
export function manyRuns(extra = 0): RunStory[] {
  const between = createRandom(20261201);
  const statuses: RunStatus[] = PLAN.flatMap(([status, count]) => new Array<RunStatus>(count).fill(status));
  while (statuses.length < 300) statuses.push('succeeded');
  for (let i = statuses.length - 1; i > 0; i--) {
    const j = Math.floor(between(0, i + 1));
    [statuses[i], statuses[j]] = [statuses[j]!, statuses[i]!];
  }
  return NAMES.flatMap((thread, i) => {
    let t = between(2, 50);
    return Array.from({ length: 30 }, (_, k) => {
      const b = t + between(9, 52);
      const plain = runStory(i * 30 + k, thread, t, b, statuses[i * 30 + k]!, between);
      const story = { ...plain, spans: [...(plain.spans ?? []), ...extraSpans(plain, extra)] };
      t = b + between(14, 60) * (k % 7 === 6 ? 1.6 : 0.9);
      return story;
    });
  });
}
