/** A thing of the timeline in words: for the tooltip and for readers who hear it. */
import type { FindingView } from '../runs/types.ts';
import { labelOf } from './draw-span.ts';
import { isForApp } from './draw-tool.ts';
import { findRun, findSpan, findTick } from './layout.ts';
import type { Link } from './links.ts';
import type { Layout, PlacedRun, PlacedSpan, Thread } from './placed.ts';
import { clock, duration } from './scale.ts';
import type { IconName, Target } from './types.ts';
import { afterStop, noteOf, plural, SEVERITY_WORD, SPAN_WORD, STATUS_WORD, statusToken, TICK_WORD } from './words.ts';

export interface Description {
  readonly icon: IconName;
  /** Token of the word's colour. */
  readonly tone: string;
  readonly word: string;
  /** Name and ids. */
  readonly title: string;
  /** Why, in one line; may be ''. */
  readonly why: string;
  /** Length and numbers. */
  readonly facts: string;
}

const lengthOf = (start: number, end: number, now: number): string =>
  end === Number.POSITIVE_INFINITY ? `open for ${duration(Math.max(0, now - start))}` : duration(end - start);

function findingsOf(layout: Layout, match: (view: FindingView) => boolean): FindingView[] {
  const rank = { violation: 0, deviation: 1, advice: 2 };
  const found: FindingView[] = [];
  for (const { mark } of layout.markOf.values()) if (match(mark.view)) found.push(mark.view);
  return found.sort((a, b) => rank[a.severity] - rank[b.severity] || a.time - b.time);
}

/** Who answered an interrupt, and after how long. */
function answerOf(link: Link | undefined): string[] {
  if (!link) return [];
  if (!link.to) return ['not answered'];
  const after = duration(Math.min(link.to.request ?? link.to.start, link.to.start) - link.from.end);
  return [`${link.cancelled ? 'given up' : 'answered'} by ${link.to.view.runId ?? 'a run without id'} after ${after}`];
}

function describeRun(layout: Layout, run: PlacedRun, thread: Thread): Description {
  const { view } = run;
  const rejected = view.status === 'rejected-by-violation';
  const first = rejected ? findingsOf(layout, (one) => one.run === view.id && one.severity === 'violation')[0] : undefined;
  const link = layout.links.find((one) => one.kind === 'wait' && one.from === run);
  const why = rejected ? `${first?.rule ?? 'rejected'} at ${clock(run.stop, 3)}, ${afterStop(view).words[0]}` : noteOf(view, run.several)[0]!;
  const counts = [
    plural(view.findings.violation, 'violation'),
    plural(view.findings.deviation, 'deviation'),
    plural(view.findings.advice, 'advice', 'advice'),
  ].filter((text) => !text.startsWith('0 '));
  const parent = view.parentRunId === null ? [] : [`parent ${view.parentRunId}`];
  const role = view.answersRequest === false ? ['replayed'] : run.several && view.answersRequest ? ['answers the request'] : [];
  const played = run.played ? ['answered by Runlens'] : [];
  return {
    icon: `status-${view.status}`,
    tone: statusToken(view.status),
    word: STATUS_WORD[view.status],
    title: [view.runId ?? 'no run id', thread.label].join(', '),
    why,
    facts: [lengthOf(run.start, run.close, layout.now), plural(view.events, 'event'), ...role, ...played, ...answerOf(link), ...parent, ...counts].join(', '),
  };
}

function waitOf(span: PlacedSpan): string {
  const { view } = span;
  if (view.kind !== 'tool') return '';
  if (view.argsEnd === null) return view.end === null ? 'arguments arriving' : '';
  if (view.resultTime === null)
    return span.end === Number.POSITIVE_INFINITY ? 'waiting for its result' : isForApp(span) ? 'waits for the app' : 'no result came';
  return `arguments ${duration(view.argsEnd - view.start)}, result after ${duration(view.resultTime - view.argsEnd)}`;
}

const HOW: Partial<Record<string, string>> = {
  'run-finished': 'left open by its run',
  'run-error': 'ended by RUN_ERROR',
  'cut-off': 'ended by another run',
  lost: 'cut by the lost stream',
  'owner-ended': 'ended with its subagent',
};

function describeSpan(layout: Layout, span: PlacedSpan): Description {
  const { view } = span;
  const finding = findingsOf(layout, (one) => one.span === view.id)[0];
  const here = finding && (finding.severity === 'violation' ? `rejected here: ${finding.message}` : `${finding.severity}: ${finding.message}`);
  const after = span.run.stop <= span.start ? 'delivered after the stop' : '';
  const label = labelOf(span);
  return {
    icon: `kind-${view.kind}`,
    tone: `k-${span.lane.kind}`,
    word: SPAN_WORD[view.kind],
    title: label && label !== view.itemId && view.kind !== 'step' ? `${label}, ${view.itemId}` : label || view.itemId,
    why: here ?? (after || (view.how && HOW[view.how]) || ''),
    facts: [
      lengthOf(span.start, span.end, layout.now),
      waitOf(span),
      view.deltas > 0 ? plural(view.deltas, 'delta') : '',
      view.chars > 0 ? plural(view.chars, 'character') : '',
    ]
      .filter(Boolean)
      .join(', '),
  };
}

function describeTick(layout: Layout, row: number): Description | null {
  const tick = findTick(layout, row)?.tick;
  if (!tick) return null;
  const { kind } = tick.view;
  const tone = kind.startsWith('state') ? 'k-state' : kind === 'messages' ? 'k-text' : 'k-other';
  return { icon: 'kind-state', tone, word: TICK_WORD[kind], title: `event ${row + 1}`, why: '', facts: clock(tick.time, 3) };
}

/** A target in words, or null when the layout does not have it. */
export function describeTarget(layout: Layout, target: Target): Description | null {
  if (target.kind === 'run') {
    const found = findRun(layout, target.id);
    return found && describeRun(layout, found.run, found.group.thread);
  }
  if (target.kind === 'span') {
    const found = findSpan(layout, target.id);
    return found && describeSpan(layout, found.span);
  }
  if (target.kind === 'tick') return describeTick(layout, target.row);
  if (target.kind === 'finding') {
    const view = layout.markOf.get(target.id)?.mark.view;
    if (!view) return null;
    const repeats = view.repeats > 0 ? `, ${view.repeats} more of it` : '';
    const at = view.row === null ? clock(view.time - layout.origin, 3) : `event ${view.row + 1}, ${clock(view.time - layout.origin, 3)}`;
    return {
      icon: `finding-${view.severity}`,
      tone: `f-${view.severity}`,
      word: SEVERITY_WORD[view.severity],
      title: view.rule,
      why: view.message,
      facts: `${at}${repeats}`,
    };
  }
  const group = layout.groups.find((one) => one.thread.key === target.key);
  if (!group) return null;
  const { thread, away } = group;
  const { runs, rejected, failed } = thread.counts;
  return {
    icon: thread.folded ? 'chevron-folded' : 'chevron-open',
    tone: 'text',
    word: 'Thread',
    title: thread.label,
    why: thread.where,
    facts: [
      plural(runs, 'run'),
      ...(away ? ['none in sight'] : []),
      ...(rejected ? [`${rejected} rejected`] : []),
      ...(failed ? [`${failed} failed`] : []),
    ].join(', '),
  };
}

/** The same as one line: `Step search, 2.70 s, rejected here: …`. */
export function nameOf(layout: Layout, target: Target): string {
  const about = describeTarget(layout, target);
  if (!about) return '';
  const head = target.kind === 'run' ? `Run ${about.title}, ${about.word.toLowerCase()}` : `${about.word} ${about.title}`;
  return [head, about.facts, about.why].filter(Boolean).join(', ');
}
