/** A travel agent and a refund agent: every run status once, a rejected run with its related event, a subagent, parallel tool calls. */
import type { RunStory, SpanStory } from './build.ts';

const step = (name: string, a: number, b: number | null): SpanStory => ({ kind: 'step', name, a, b });
const text = (name: string, a: number, b: number | null, more: Partial<SpanStory> = {}): SpanStory => ({ kind: 'text', name, a, b, ...more });
const reasoning = (name: string, a: number, b: number): readonly SpanStory[] => [
  { kind: 'reasoning-span', name: '', a, b },
  { kind: 'reasoning', name, a: a + 0.02, b: b - 0.02 },
];
const tool = (name: string, a: number, args: number, b: number | null, more: Partial<SpanStory> = {}): SpanStory => ({
  kind: 'tool',
  name,
  a,
  b: args,
  quiet: [args, b ?? args],
  ...(b === null ? {} : { result: b }),
  ...more,
});
const deltas = (...times: number[]) => times.map((time) => [time, 'state-delta'] as const);

export const NOW = 99.6;

const LISBON: readonly RunStory[] = [
  {
    id: 'run_01',
    thread: 't_lisbon',
    request: 50.55,
    a: 51.2,
    b: 65.1,
    status: 'succeeded',
    spans: [
      step('plan', 51.3, 55.4),
      step('research', 54.2, 61.3),
      step('write', 60.0, 64.9),
      text('I’ll look at flights and hotels', 54.0, 55.6),
      text('Three weekends fit your budget, here they are', 61.5, 64.8, { quiet: [62.9, 63.6] }),
      ...reasoning('weigh dates against price', 51.5, 53.9),
      tool('search_flights', 55.7, 56.6, 59.9),
      tool('search_hotels', 55.95, 57.1, 60.85),
      { kind: 'subagent', name: 'weather-scout', a: 56.0, b: 60.5 },
      tool('get_forecast', 56.5, 56.95, 58.9, { owner: 'weather-scout' }),
      text('Dry, 19 to 24 °C', 59.0, 60.3, { owner: 'weather-scout' }),
    ],
    ticks: [[51.25, 'state-snapshot'], ...deltas(54.1, 55.5, 57.2, 59.95, 60.9, 61.35, 62.4, 64.85)],
    findings: [{ severity: 'deviation', rule: 'state-patch-failed', at: 60.9, message: 'The delta replaces /hotels/3, which does not exist.' }],
  },
  {
    id: 'run_02',
    thread: 't_lisbon',
    request: 67.95,
    a: 68.4,
    b: 79.0,
    status: 'rejected-by-violation',
    spans: [
      step('plan', 68.5, 70.505),
      step('search', 69.904, 75.1),
      step('write', 76.2, 78.8),
      text('Here are cheaper options for two', 76.4, 78.7),
      ...reasoning('two people, lower budget', 68.6, 69.8),
      tool('search_flights', 70.9, 71.9, 74.9),
      tool('search_hotels', 72.75, 73.7, 76.1),
    ],
    ticks: deltas(69.85, 74.95, 76.15, 78.75),
    findings: [
      {
        severity: 'violation',
        rule: 'step-already-open',
        at: 72.604,
        span: 'search',
        related: ['search'],
        message: 'Step “search” was started while it was already open.',
      },
    ],
  },
  {
    id: 'run_03',
    thread: 't_lisbon',
    request: 81.0,
    a: 81.6,
    b: 86.0,
    status: 'failed-by-report',
    spans: [
      step('plan', 81.7, 83.4),
      step('search', 83.2, null),
      ...reasoning('retry the search', 81.8, 83.1),
      text('One moment, I try again', 83.4, null, { quiet: [84.5, 86] }),
      tool('search_flights', 83.7, 84.5, null),
    ],
    ticks: deltas(83.3),
  },
  {
    id: 'run_04',
    thread: 't_lisbon',
    request: 88.0,
    a: 88.5,
    b: 92.6,
    status: 'truncated',
    spans: [step('plan', 88.6, 90.3), step('write', 90.1, null), ...reasoning('use cached fares', 88.7, 89.9), text('The flights from Berlin are', 90.2, null)],
    ticks: deltas(90.2),
    findings: [{ severity: 'deviation', rule: 'run-truncated', at: 92.6, message: 'The stream ended with the run still active.' }],
  },
  {
    id: 'run_05',
    thread: 't_lisbon',
    request: 93.75,
    a: 94.3,
    b: null,
    status: 'active',
    spans: [
      step('plan', 94.4, 96.2),
      step('search', 96.0, null),
      ...reasoning('compare again', 94.5, 95.8),
      text('Searching', 97.9, null),
      tool('search_flights', 96.4, 97.3, null),
      tool('search_hotels', 96.7, 98.6, null),
    ],
    ticks: [[94.35, 'state-snapshot'], ...deltas(96.1, 98.0)],
  },
];

const REFUND: readonly RunStory[] = [
  {
    id: 'run_a1',
    thread: 't_refund',
    url: '/api/refund',
    request: 56.6,
    a: 57.0,
    b: 62.6,
    status: 'interrupted',
    spans: [
      step('lookup', 57.1, 59.0),
      step('approve', 59.1, 62.5),
      text('Order 4417 can be refunded', 59.1, 60.8),
      tool('get_order', 57.5, 58.0, 58.8),
      tool('issue_refund', 60.9, 61.7, null),
    ],
  },
  {
    id: 'run_a2',
    thread: 't_refund',
    url: '/api/refund',
    request: 79.2,
    resume: [{ interruptId: 'i_1', status: 'cancelled' }],
    a: 79.6,
    b: 84.4,
    status: 'cancelled',
    spans: [step('lookup', 79.7, 84.3), text('Checking the order', 81.3, 84.3), tool('get_order', 79.9, 80.4, 81.1)],
  },
  {
    id: 'run_a3',
    thread: 't_refund',
    url: '/api/refund',
    request: 88.6,
    a: 89.0,
    b: 93.8,
    late: 96.3,
    status: 'failed-late',
    spans: [step('lookup', 89.1, 91.5), step('reply', 91.6, 93.7), text('Refund sent', 91.7, 93.6), tool('issue_refund', 89.4, 90.0, 91.4)],
  },
];

const FAQ: readonly RunStory[] = (
  [
    [4.2, 9.1],
    [15.4, 22.3],
    [30.6, 41.2],
  ] as const
).map(([a, b], i) => ({
  id: `run_f${i + 1}`,
  thread: 't_faq',
  url: '/api/faq',
  request: i === 0 ? 0 : a - 0.4,
  a,
  b,
  status: 'succeeded',
  spans: [step('answer', a + 0.1, b - 0.1), text('The office opens at nine', a + 1, b - 0.2)],
  ...(i === 2
    ? { findings: [{ severity: 'advice', rule: 'stream-custom-unprefixed', at: 31.4, message: 'The custom event “ping” has no prefix of its own.' } as const] }
    : {}),
}));

/** In order of appearance of the threads that the picture wants on top. */
export const TRAVEL: readonly RunStory[] = [...LISBON, ...REFUND, ...FAQ];
