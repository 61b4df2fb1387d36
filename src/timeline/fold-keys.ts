/** Keys under which folded things are remembered: a thread's is its id, those of runs and subagents say the thread they are in. */
import type { RunView, SpanView } from '../runs/types.ts';

/** Key of a run's thread: the thread id, else its connection. */
export const threadKey = (run: RunView): string => run.threadId ?? `connection ${run.conn}`;

const SEPARATOR = '\u0000';

/** Keys of a thread's runs, by session run id. A run id that comes again is another run. */
export function runKeys(thread: string, runs: readonly RunView[]): ReadonlyMap<number, string> {
  const seen = new Map<string, number>();
  return new Map(
    runs.map((run) => {
      const id = run.runId ?? '';
      const times = seen.get(id) ?? 0;
      seen.set(id, times + 1);
      return [run.id, [thread, 'run', id, times].join(SEPARATOR)];
    }),
  );
}

/** Key of a subagent of a run. One that began again in the same run folds with its former self. */
export const subagentKey = (run: string, span: SpanView): string => [run, 'subagent', span.itemId].join(SEPARATOR);
