/** What belongs to a run, and which subagent an id names: kept as it comes, so that nobody walks through all spans or ticks for it. */
import type { SpanView, TickView } from '../../runs/types.ts';

export interface OfRun {
  /** Ids of spans and ticks by run, in the order they came. */
  readonly spans: Map<number, number[]>;
  readonly ticks: Map<number, TickView[]>;
  /** Span ids of subagents: by subagentRunId the first of the session, and by run and subagentRunId the run's own. */
  readonly subagents: Map<string, number>;
}

interface Held {
  readonly spans: readonly SpanView[];
  readonly ofRun: OfRun;
}

const NONE: readonly never[] = [];
const keyOf = (run: number, id: string): string => `${run}\n${id}`;

export const createOfRun = (): OfRun => ({ spans: new Map(), ticks: new Map(), subagents: new Map() });

function push<T>(lists: Map<number, T[]>, run: number, item: T): void {
  const there = lists.get(run);
  if (there) there.push(item);
  else lists.set(run, [item]);
}

/** Notes a span that was not there before. */
export function noteSpan({ spans, subagents }: OfRun, { id, run, kind, itemId }: SpanView): void {
  push(spans, run, id);
  if (kind !== 'subagent') return;
  for (const key of [itemId, keyOf(run, itemId)]) if (!subagents.has(key)) subagents.set(key, id);
}

export function noteTick({ ticks }: OfRun, tick: TickView): void {
  push(ticks, tick.run, tick);
}

/** Spans of a run, in the order they began to be told. */
export function spansOfRun({ spans, ofRun }: Held, run: number): SpanView[] {
  return (ofRun.spans.get(run) ?? NONE).map((id) => spans[id]!);
}

export function ticksOfRun({ ofRun }: Held, run: number): readonly TickView[] {
  return ofRun.ticks.get(run) ?? NONE;
}

/** The subagent that an id names: the run's own where a run is told, else the first of the session. */
export function subagentOf({ spans, ofRun }: Held, id: string, run?: number): SpanView | undefined {
  const span = ofRun.subagents.get(run === undefined ? id : keyOf(run, id));
  return span === undefined ? undefined : spans[span];
}
