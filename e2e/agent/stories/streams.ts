/** Streams that break off, streams that are something else, and very long ones. */
import type { Move, RunInput, Scenario, Story } from '../story.ts';
import { script, story } from '../story.ts';

/** A run that is in the middle of a message; the caller says how the stream stops. */
function unfinished(input: RunInput): { moves: Move[]; last: number } {
  const s = script(input).started().send('STEP_STARTED', { stepName: 'answer' }).send('TEXT_MESSAGE_START', { messageId: 'msg-1', role: 'assistant' });
  for (const delta of ['The answer ', 'to your ', 'question is ']) s.send('TEXT_MESSAGE_CONTENT', { messageId: 'msg-1', delta });
  return { moves: s.moves, last: s.moves.length - 1 };
}

function cut(input: RunInput): Story {
  const { moves, last } = unfinished(input);
  moves.push({ wait: 100, text: 'data: {"type":"TEXT_MESSAGE_CONTENT","messa' }, { wait: 500, cut: true });
  return { moves, expected: { runs: [{ runId: input.runId, status: 'truncated' }], findings: [{ rule: 'run-truncated', at: last }] } };
}

function truncated(input: RunInput): Story {
  const { moves, last } = unfinished(input);
  return { moves, expected: { runs: [{ runId: input.runId, status: 'truncated' }], findings: [{ rule: 'run-truncated', at: last }] } };
}

function foreign(): Story {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'demo', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const texts = [chunk({ role: 'assistant', content: '' }), ...['Hel', 'lo', '!'].map((content) => chunk({ content })), chunk({}, 'stop'), 'data: [DONE]\n\n'];
  return { moves: texts.map((text) => ({ wait: 60, text })), expected: { runs: [], findings: [] } };
}

function serverError(): Story {
  return { moves: [{ wait: 0, text: '{"error":"The agent crashed before it could answer."}' }], expected: { runs: [], findings: [] } };
}

/** `n` events in all: one message of n − 4 deltas. Made while they are sent, so that a million would do too. */
function* long(input: RunInput, wait: number): Generator<Move> {
  const { threadId, runId, n = 20_000 } = input;
  yield { wait, event: { type: 'RUN_STARTED', threadId, runId } };
  yield { wait, event: { type: 'TEXT_MESSAGE_START', messageId: 'msg-1', role: 'assistant' } };
  for (let no = 2; no < n - 2; no++) yield { wait, event: { type: 'TEXT_MESSAGE_CONTENT', messageId: 'msg-1', delta: `word ${no} ` } };
  yield { wait, event: { type: 'TEXT_MESSAGE_END', messageId: 'msg-1' } };
  yield { wait, event: { type: 'RUN_FINISHED', threadId, runId } };
}

/** As long, but every 500th event finishes a step that nobody opened. */
function restless(input: RunInput): Story {
  const n = input.n ?? 2000;
  const findings: { rule: string; at: number }[] = [];
  const moves = [...long({ ...input, n }, 5)];
  for (let at = 500; at < n - 2; at += 500) {
    moves[at] = { wait: 5, event: { type: 'STEP_FINISHED', stepName: `step ${at}` } };
    findings.push({ rule: 'step-not-open', at });
  }
  return { moves, expected: { runs: [{ runId: input.runId, status: 'rejected-by-violation' }], findings } };
}

const succeeded = (input: RunInput, moves: Iterable<Move>): Story => ({ ...story(script(input), input, 'succeeded'), moves });

export const STREAMS: readonly Scenario[] = [
  {
    id: 'cut',
    group: 'Broken streams',
    title: 'Connection cut',
    about: 'The connection drops in the middle of a message. The run is truncated, not failed.',
    build: cut,
  },
  {
    id: 'truncated',
    group: 'Broken streams',
    title: 'Stream ends too early',
    about: 'The response ends cleanly, but the run was never finished.',
    build: truncated,
  },
  { id: 'foreign', group: 'Broken streams', title: 'Not AG-UI', about: 'An OpenAI-like stream. It is named, and not judged.', build: foreign },
  {
    id: 'http-500',
    group: 'Broken streams',
    title: 'HTTP 500',
    about: 'The server fails before there is a stream.',
    status: 500,
    contentType: 'application/json',
    build: serverError,
  },
];

export const LOAD: readonly Scenario[] = [
  {
    id: 'burst',
    group: 'Load',
    title: '20,000 events at once',
    about: 'As fast as the socket takes them.',
    build: (input) => succeeded(input, long(input, 0)),
  },
  {
    id: 'steady',
    group: 'Load',
    title: '2,000 events, paced',
    about: 'One every five milliseconds.',
    build: (input) => succeeded(input, long({ ...input, n: input.n ?? 2000 }, 5)),
  },
];

/** For the specs of loss only: the reference client gives up at its first violation. */
export const RESTLESS: Scenario = {
  id: 'restless',
  group: 'Load',
  title: '2,000 events, some of them wrong',
  about: 'Every 500th event breaks a rule.',
  build: restless,
};
