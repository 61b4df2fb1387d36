/** Scenes by name: what is shown, through which window, and what is picked. Tests keep their display lists as text; the gallery shows them. */
import { runKeys, subagentKey } from '../fold-keys.ts';
import type { LayoutOptions } from '../layout.ts';
import type { Picked } from '../pen.ts';
import { FULL } from '../sizes.ts';
import type { TimelineModel } from '../types.ts';
import { buildModel, type RunStory, type SpanStory } from './build.ts';
import { LENGTH, manyRuns } from './many.ts';
import { NOW, TRAVEL } from './travel.ts';

export interface Scene {
  readonly model: () => TimelineModel;
  /** Window in seconds of the story's clock. */
  readonly view: readonly [number, number];
  readonly width?: number;
  readonly height?: number;
  readonly options?: Partial<LayoutOptions>;
  readonly selection?: Exclude<Picked, { readonly kind: 'tick' | 'thread' }>;
  readonly moment?: number;
  /** Idle stretches are folded. */
  readonly idle?: boolean;
}

const step = (name: string, a: number, b: number | null): SpanStory => ({ kind: 'step', name, a, b });

const run = (more: Partial<RunStory> & Pick<RunStory, 'status'>): RunStory => ({ id: 'run_1', thread: 't_1', request: 0.5, a: 1, b: 9, ...more });

const alone = (more: Partial<RunStory> & Pick<RunStory, 'status'>, now = 12): Scene => ({
  model: () =>
    buildModel(
      [
        run({
          spans: [step('plan', 1.2, 5), { kind: 'text', name: 'Hello there', a: 4, b: more.b === null || more.status === 'failed-by-report' ? null : 8 }],
          ...more,
        }),
      ],
      now,
    ),
  view: [0, 12],
});

const rejected = (more: Partial<RunStory> = {}): Scene =>
  alone({
    status: 'rejected-by-violation',
    spans: [step('search', 1.6, 8), step('late', 6, 8.5)],
    findings: [
      {
        severity: 'violation',
        rule: 'step-already-open',
        at: 5,
        span: 'search',
        related: ['search'],
        message: 'Step “search” was started while it was already open.',
      },
    ],
    ...more,
  });

const subagents: readonly RunStory[] = [
  run({
    status: 'succeeded',
    spans: [
      step('delegate', 1.2, 8.8),
      { kind: 'subagent', name: 'researcher', a: 1.5, b: 6 },
      { kind: 'tool', name: 'web', a: 1.8, b: 2.4, quiet: [2.4, 4], result: 4, owner: 'researcher' },
      { kind: 'subagent', name: 'reader', a: 2.6, b: 5.5, parent: 'researcher' },
      { kind: 'text', name: 'page one', a: 3, b: 5, owner: 'reader' },
      { kind: 'subagent', name: 'critic', a: 3, b: 8 },
      { kind: 'text', name: 'too long', a: 4, b: 7.5, owner: 'critic' },
      { kind: 'subagent', name: 'closer', a: 6.5, b: 8.5 },
    ],
  }),
];

const marks = Array.from(
  { length: 14 },
  (_, i) => ({ severity: i === 9 ? 'violation' : i % 3 ? 'deviation' : 'advice', rule: `rule-${i}`, at: 3 + i * 0.05, span: 'plan' }) as const,
);

const overlapping: readonly RunStory[] = [
  run({ status: 'succeeded', b: 7, spans: ['a', 'b', 'c', 'd', 'e'].map((name, i) => step(name, 1.2 + i * 0.6, 3 + i * 0.8)) }),
  run({ id: 'run_2', status: 'succeeded', request: 3.5, a: 4, b: 11, spans: [step('beside', 4.5, 10)] }),
];

/** A run that waits for an approval, which comes with the next request; the call waits for it as well. */
const answered: readonly RunStory[] = [
  run({
    status: 'interrupted',
    b: 4,
    spans: [step('refund', 1.2, 3.9), { kind: 'tool', name: 'issue_refund', a: 2, b: 3, quiet: [3, 3] }],
    more: { interrupts: [{ id: 'i_1', reason: 'tool_call', message: 'Refund 80 € for order 1042?', toolCallId: 'tool_1' }] },
  }),
  run({
    id: 'run_2',
    status: 'succeeded',
    request: 8,
    a: 8.5,
    b: 11,
    spans: [step('refund', 8.6, 10.8)],
    resume: [{ interruptId: 'i_1', status: 'resolved' }],
  }),
  run({ id: 'run_3', status: 'interrupted', request: 12, a: 12.4, b: 14, spans: [step('again', 12.5, 13.9)] }),
];

/** Three runs on one connection: two of before, sent again, and the one that was asked for. */
const replayed: readonly RunStory[] = [
  run({ id: 'run_0', status: 'succeeded', conn: 5, b: 3, spans: [step('answer', 1.2, 2.8)], more: { answersRequest: false } }),
  run({ id: 'run_1', status: 'succeeded', conn: 5, a: 3.2, b: 5, spans: [step('answer', 3.4, 4.8)], more: { answersRequest: false, requestTime: null } }),
  run({ id: 'run_2', status: 'succeeded', conn: 5, a: 5.4, b: 11, spans: [step('answer', 5.6, 10.8)], more: { requestTime: null } }),
];

/** A run that names the one before it as its parent, and one of another thread that names the first. */
const parents: readonly RunStory[] = [
  run({ status: 'succeeded', b: 4, spans: [step('plan', 1.2, 3.8)] }),
  run({ id: 'run_2', status: 'succeeded', request: 6, a: 6.5, b: 9, spans: [step('retry', 6.6, 8.8)], more: { parentRunId: 'run_1' } }),
  run({ id: 'run_3', thread: 't_2', status: 'succeeded', request: 5, a: 5.5, b: 8, spans: [step('branch', 5.6, 7.8)], more: { parentRunId: 'run_1' } }),
];

/** What a run or a subagent of the first thread of those stories is folded under. */
const shut = (stories: readonly RunStory[], run: string, subagent?: string): ReadonlySet<string> => {
  const { runs, spans } = buildModel(stories, 12);
  const id = runs.find((one) => one.runId === run)!.id;
  const key = runKeys(runs[id]!.threadId!, runs).get(id)!;
  return new Set([subagent === undefined ? key : subagentKey(key, spans.find((one) => one.itemId === subagent)!)]);
};

const travel = (): TimelineModel => buildModel(TRAVEL, NOW);

export const SCENES: Readonly<Record<string, Scene>> = {
  travel: { model: travel, view: [49.4, 101.8], selection: { kind: 'finding', id: 1 }, moment: 72.604 },
  succeeded: alone({ status: 'succeeded' }),
  interrupted: alone({ status: 'interrupted' }),
  cancelled: alone({ status: 'cancelled' }),
  failed: alone({ status: 'failed-by-report' }),
  'failed-late': alone({ status: 'failed-late', b: 8, late: 10.5 }),
  truncated: alone({ status: 'truncated', spans: [step('plan', 1.2, null)], findings: [{ severity: 'deviation', rule: 'run-truncated', at: 9 }] }),
  open: alone({ status: 'active', b: null }),
  rejected: rejected(),
  'rejected-failed': rejected({ ending: 'error', referenceStop: 7 }),
  'violation-selected': { ...rejected(), selection: { kind: 'finding', id: 0 }, moment: 5 },
  'never-reached': alone({ status: 'succeeded', more: { afterRejection: true } }),
  overlapping: { model: () => buildModel(overlapping, 12), view: [0, 12] },
  subagents: { model: () => buildModel(subagents, 12), view: [0, 12] },
  'many-marks': alone({ status: 'rejected-by-violation', findings: marks }),
  folded: { model: travel, view: [49.4, 101.8], options: { folded: new Set(['t_lisbon', 't_refund', 't_faq']) } },
  'run-folded': { model: () => buildModel(overlapping, 12), view: [0, 12], options: { folded: shut(overlapping, 'run_1') } },
  'subagent-folded': { model: () => buildModel(subagents, 12), view: [0, 12], options: { folded: shut(subagents, 'run_1', 'researcher') } },
  'idle-folded': { model: travel, view: [-2, 102], idle: true },
  answered: { model: () => buildModel(answered, 16), view: [0, 16] },
  replayed: { model: () => buildModel(replayed, 12), view: [0, 12] },
  parents: { model: () => buildModel(parents, 12), view: [0, 12], selection: { kind: 'run', id: 2 } },
  /** One thread in sight; the timeline is too low for all of its rows. */
  away: { model: travel, view: [66.6, 78], height: 190, options: { away: new Set(['t_refund', 't_faq']) } },
  narrow: { model: travel, view: [66.6, 81.2], width: 400, options: { narrow: true }, selection: { kind: 'finding', id: 1 }, moment: 72.604 },
  many: { model: () => buildModel(manyRuns(), LENGTH), view: [1262, 1938], options: { folded: new Set(manyRuns().map((one) => one.thread!)) } },
  /** 5,000 spans over 300 runs: to measure, not to look at. */
  heavy: { model: () => buildModel(manyRuns(12), LENGTH), view: [0, LENGTH] },
  empty: { model: () => buildModel([], 1), view: [0, 1] },
};

export const optionsOf = (scene: Scene): LayoutOptions => ({ folded: new Set(), density: FULL, narrow: false, ...scene.options });
