/** What a scenario is made of: the moves the agent makes on the wire, and what the panel should show of them. */
import type { RunStatus } from '../../src/checker/types.ts';
import type { EventType } from '../../src/protocol/events.ts';

/** The ids of the request; the agent answers with them, as a real one does. */
export interface RunInput {
  readonly threadId: string;
  readonly runId: string;
  /** How many events a load scenario sends. */
  readonly n?: number;
}

/** One thing the agent does. `wait` is ms after the move before; `?pace=` replaces it for all moves but `cut`. */
export type Move =
  | { readonly wait: number; readonly event: Readonly<Record<string, unknown>> }
  /** Bytes as they are, no frame around them. */
  | { readonly wait: number; readonly text: string }
  /** Destroys the socket in the middle of the body. */
  | { readonly wait: number; readonly cut: true }
  /** Says nothing more and keeps the response open until the client leaves. */
  | { readonly wait: number; readonly hold: true };

/** What the panel should show, in order. `at` counts the events of the connection from 0. */
export interface Expected {
  readonly runs: readonly { readonly runId: string | null; readonly status: RunStatus }[];
  readonly findings: readonly { readonly rule: string; readonly at: number }[];
  /** Lanes under the run on the timeline, by what lies in them: overlapping spans need one each. Only where the story is about that. */
  readonly lanes?: Readonly<Record<string, number>>;
}

export interface Story {
  readonly moves: Iterable<Move>;
  readonly expected: Expected;
}

export interface Scenario {
  readonly id: string;
  readonly group: 'Runs' | 'Violations' | 'Broken streams' | 'Load';
  readonly title: string;
  /** One or two sentences for the demo page. */
  readonly about: string;
  /** Default 200. */
  readonly status?: number;
  /** Default text/event-stream. */
  readonly contentType?: string;
  /** True where the stream never ends by itself: the demo page's Stop button ends it. */
  readonly open?: true;
  readonly build: (input: RunInput) => Story;
}

/**
 * Writes a story event by event. Each method sends one event `wait` ms after the one before (the default is `step`); `breaks`
 * marks the event just sent as the one that violates a rule.
 */
export interface Script {
  readonly moves: Move[];
  readonly findings: { rule: string; at: number }[];
  send(type: EventType, fields?: Readonly<Record<string, unknown>>, wait?: number): Script;
  breaks(rule: string): Script;
  started(wait?: number): Script;
  finished(fields?: Readonly<Record<string, unknown>>, wait?: number): Script;
  /** A whole text message: start, one content event a word, end. */
  says(messageId: string, text: string, fields?: Readonly<Record<string, unknown>>): Script;
  /** A whole tool call with its arguments in two parts; the result, if given, comes after a while. */
  calls(toolCallId: string, toolCallName: string, args: string, result?: string, fields?: Readonly<Record<string, unknown>>): Script;
  /** What `inside` tells, between a step's start and its finish. */
  step(stepName: string, inside: (s: Script) => void): Script;
}

/** An empty script for the request's run. `step` is the default wait in ms. */
export function script(input: RunInput, step = 60): Script {
  const ids = { threadId: input.threadId, runId: input.runId };
  let events = 0;
  const self: Script = {
    moves: [],
    findings: [],
    send(type, fields = {}, wait = step) {
      self.moves.push({ wait, event: { type, ...fields } });
      events++;
      return self;
    },
    breaks(rule) {
      self.findings.push({ rule, at: events - 1 });
      return self;
    },
    started: (wait = 120) => self.send('RUN_STARTED', { ...ids, protocolVersion: '1.0' }, wait),
    finished: (fields = {}, wait = step) => self.send('RUN_FINISHED', { ...ids, ...fields }, wait),
    says(messageId, text, fields = {}) {
      self.send('TEXT_MESSAGE_START', { messageId, role: 'assistant', ...fields });
      for (const word of text.split(/(?<= )/)) self.send('TEXT_MESSAGE_CONTENT', { messageId, delta: word, ...fields });
      return self.send('TEXT_MESSAGE_END', { messageId, ...fields });
    },
    calls(toolCallId, toolCallName, args, result, fields = {}) {
      const half = Math.ceil(args.length / 2);
      self.send('TOOL_CALL_START', { toolCallId, toolCallName, ...fields });
      for (const delta of [args.slice(0, half), args.slice(half)]) self.send('TOOL_CALL_ARGS', { toolCallId, delta, ...fields });
      self.send('TOOL_CALL_END', { toolCallId, ...fields });
      if (result !== undefined) self.send('TOOL_CALL_RESULT', { messageId: `${toolCallId}-result`, toolCallId, content: result, ...fields }, step * 4);
      return self;
    },
    step(stepName, inside) {
      self.send('STEP_STARTED', { stepName });
      inside(self);
      return self.send('STEP_FINISHED', { stepName });
    },
  };
  return self;
}

/** The story of a script whose only run is the request's. */
export function story(written: Script, input: RunInput, status: RunStatus, lanes?: Expected['lanes']): Story {
  return { moves: written.moves, expected: { runs: [{ runId: input.runId, status }], findings: written.findings, lanes } };
}
