/** A long capture for the gallery: 300 runs on ten threads, about 100,000 events, with violations, deviations and failures sown in by a fixed rule. */
import type { CaptureRecord } from '../../src/capture/types.ts';
import { delta, exchange, finished, inputOf, merge, sorted, started, step, type Timed, text, tool, usage } from './panel-scenes.ts';

/** The same numbers in each call: a linear congruence. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const SENTENCE = 'the weekend in May is dry and the flights are direct, with two hotels near the river and one on the hill above the old town ';

/** Events of one run between two instants, some 330 of them. */
function oneRun(runId: string, threadId: string, from: number, to: number, words: number, flaw: string): Timed[] {
  const length = to - from;
  const at = (share: number) => from + share * length;
  const long = SENTENCE.repeat(Math.ceil(words / 26))
    .split(' ')
    .slice(0, words)
    .join(' ');
  const events = sorted(
    started(from, runId, threadId),
    [[at(0.01), { type: 'STATE_SNAPSHOT', snapshot: { progress: 0, notes: [] } }]] as Timed[],
    step('plan', at(0.02), at(0.3)),
    step('search', at(0.25), at(0.7)),
    step('write', at(0.65), at(0.97)),
    tool(`${runId}_t1`, 'search_flights', at(0.3), at(0.4), at(0.55), { from: 'BER', to: 'LIS', adults: 2 }, { flights: 14 }),
    tool(`${runId}_t2`, 'search_hotels', at(0.33), at(0.45), at(0.6), { city: 'Lisbon', nights: 2 }, { hotels: 9 }),
    delta(at(0.5), { op: 'replace', path: '/progress', value: 0.5 }),
    text(`${runId}_m`, at(0.66), at(0.96), long),
    finished(to, runId, threadId, usage(900 + words, words)),
  );
  if (flaw === 'step') return sorted(events, [[at(0.5), { type: 'STEP_STARTED', stepName: 'search' }]] as Timed[]);
  if (flaw === 'patch') return sorted(events, delta(at(0.55), { op: 'replace', path: '/nowhere/0', value: 1 }));
  if (flaw === 'text') return sorted(events, [[at(0.1), { type: 'TEXT_MESSAGE_CONTENT', messageId: 'lost', delta: 'hm' }]] as Timed[]);
  if (flaw === 'custom') return sorted(events, [[at(0.2), { type: 'CUSTOM', name: 'typing', value: true }]] as Timed[]);
  if (flaw === 'error')
    return [...events.filter(([time]) => time < at(0.8)), [at(0.8), { type: 'RUN_ERROR', message: 'The model is overloaded.', code: 'overloaded' }]];
  if (flaw === 'cut') return events.filter(([time]) => time < at(0.8));
  return events;
}

const FLAWS = ['', '', '', '', '', '', '', '', '', '', 'step', 'patch', 'patch', 'text', 'custom', 'error', 'cut', 'cut'];

/** `runs` runs with about `events` events in all. */
export function many(runs = 300, events = 100_000): CaptureRecord[] {
  const random = numbers(7);
  const words = Math.max(10, Math.round(events / runs) - 45);
  const threads = Array.from({ length: 10 }, (_, i) => ({ id: `t_${(0x5f0c + i * 4243).toString(16)}`, free: i * 4, asks: 0 }));
  const list: CaptureRecord[][] = [];
  for (let conn = 0; conn < runs; conn++) {
    const thread = threads[conn % threads.length]!;
    const runId = `run_${String(conn + 1).padStart(3, '0')}`;
    const asked = thread.free + 4 + random() * 40;
    const from = asked + 0.3 + random();
    const to = from + 15 + random() * 40;
    const flaw = FLAWS[Math.floor(random() * FLAWS.length)]!;
    const events = oneRun(runId, thread.id, from, to, words, flaw);
    const last = events[events.length - 1]![0];
    thread.free = to;
    list.push(
      exchange({
        conn,
        url: 'http://localhost:5173/api/agent',
        asked,
        input: inputOf(runId, thread.id, [`Question ${++thread.asks}`]),
        events,
        end: [last + 0.05, flaw === 'cut' ? 'network-error' : 'complete'],
      }),
    );
  }
  return merge(...list);
}
