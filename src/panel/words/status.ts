/** The words of a run's two axes (rules.md §7): how it ended, and the verdict. */
import type { Ending, RunStatus } from '../../checker/types.ts';
import type { RunView } from '../../runs/types.ts';
import { SEVERITY_WORD, SPAN_WORD, STATUS_WORD } from '../../timeline/words.ts';

export { SEVERITY_WORD, SPAN_WORD, STATUS_WORD };

/** Name of the status in tokens and class names (`--st-failed`, `.st-failed`). */
export const STATUS_KEY: Readonly<Record<RunStatus, string>> = {
  active: 'active',
  succeeded: 'succeeded',
  interrupted: 'interrupted',
  cancelled: 'cancelled',
  'failed-by-report': 'failed',
  'failed-late': 'failed-late',
  'rejected-by-violation': 'rejected',
  truncated: 'truncated',
};

/** Rows are numbered from 0 inside; readers count from 1. */
export const numberOf = (row: number): number => row + 1;
const hash = (row: number | null): string => (row === null ? '' : `#${numberOf(row)}`);

const FINISHED: Partial<Record<Ending, string>> = {
  'finished/success': 'success',
  'finished/interrupt': 'interrupts',
  'finished/cancelled': 'a stop',
};

const LOST = { eof: 'the stream ended without a closing event', dropped: 'connection dropped', 'consumer-abort': 'the page stopped reading' } as const;

type Runs = readonly (RunView | undefined)[];

/** Both axes of a rejected run in one line: where it was rejected, and what its stream said in the end, as the second of two separate facts. */
function rejection(run: RunView, runs: Runs): string {
  const at = run.rejectedRow === null ? '' : ` at ${hash(run.rejectedRow)}`;
  if (run.ending === 'open') return `still receiving; a conforming client stopped${at}`;
  const then = afterRejection(run, runs);
  return at ? `${at.trim()}; ${then}` : then;
}

function afterRejection(run: RunView, runs: Runs): string {
  const ended = run.endedRow === null ? '' : ` at ${hash(run.endedRow)}`;
  switch (run.ending) {
    case 'open':
      return 'still receiving';
    case 'finished/success':
      return 'the producer then reported success';
    case 'finished/interrupt':
      return 'interrupts delivered, not safe to answer';
    case 'finished/cancelled':
      return 'the producer reported a stop';
    case 'error':
      return `the producer also reported failure${ended}: two separate facts`;
    case 'late-error':
      return `finished, then reported failure${ended}`;
    case 'lost':
      return 'then cut';
    case 'cut-off': {
      const next = run.replacedBy === null ? undefined : runs[run.replacedBy];
      return `replaced by run ${next?.runId ?? 'without an id'}${next ? ` at ${hash(next.firstRow)}` : ended}`;
    }
  }
}

function accepted(run: RunView): string {
  switch (run.status) {
    case 'active':
      return 'receiving';
    case 'interrupted': {
      const n = run.interrupts.length;
      return n === 0 ? 'waits for an answer' : `waits for ${n === 1 ? '1 answer' : `${n} answers`}`;
    }
    case 'cancelled':
      return 'stopped on request';
    case 'failed-by-report':
      return `RUN_ERROR${run.error?.code ? ` ${run.error.code}` : ''}`;
    case 'failed-late':
      return `reported ${(run.endingBefore && FINISHED[run.endingBefore]) ?? 'an ending'}, then RUN_ERROR`;
    case 'truncated':
      return run.lostWhy ? LOST[run.lostWhy] : 'the stream stopped short';
    default:
      return run.outcomeStripped ? 'unknown outcome, read as success' : '';
  }
}

/** One short line beside the status: why it ended so. `runs` are the session's, where another of them may have to be named. May be ''. */
export function noteOf(run: RunView, runs: Runs): string {
  const own = run.status === 'rejected-by-violation' ? rejection(run, runs) : accepted(run);
  if (!run.afterRejection) return own;
  return own ? `${own}; a conforming client never got here` : 'a conforming client never got here';
}

/** How the stream ended the run, as one sentence with the row that said so. */
export function endingSentence(run: RunView): { readonly status: RunStatus; readonly text: string; readonly row: number | null } {
  const then = run.status === 'rejected-by-violation' ? ' then' : '';
  const row = run.endedRow;
  switch (run.ending) {
    case 'open':
      return { status: 'active', text: then ? 'Still receiving; a conforming client stopped before.' : 'Open: events are still arriving.', row: null };
    case 'finished/success':
      return { status: 'succeeded', text: `The producer${then} reported success`, row };
    case 'finished/interrupt':
      return { status: 'interrupted', text: then ? 'Interrupts were delivered; they are not safe to answer' : 'The run stopped and waits for an answer', row };
    case 'finished/cancelled':
      return { status: 'cancelled', text: `The producer${then} reported a stop on request`, row };
    case 'error':
      return { status: 'failed-by-report', text: then ? 'The producer also reported failure: two separate facts' : 'The producer reported failure', row };
    case 'late-error': {
      const before = (run.endingBefore && FINISHED[run.endingBefore]) ?? 'an ending';
      return { status: 'failed-late', text: `The producer first reported ${before}, then failure`, row };
    }
    case 'lost': {
      const why = run.lostWhy ? LOST[run.lostWhy] : 'the stream stopped short';
      return { status: 'truncated', text: `The run never closed: ${why}.`, row: null };
    }
    case 'cut-off':
      return { status: 'truncated', text: 'Another run started before this one closed; it has no ending of its own.', row };
  }
}
