/** Whether a stream is AG-UI, told by what it carries and by the request it answers; never by a `type` AG-UI does not have. */
import { isEventType } from './events.ts';
import { foreignByContent, foreignByExchange } from './foreign.ts';

export interface RecognitionHints {
  /** The request's parsed JSON body; undefined when unknown or not JSON. */
  readonly requestBody?: unknown;
  readonly requestUrl: string;
  readonly accept?: string;
  readonly contentType: string;
  /** Decoded values so far, from the first. */
  readonly values: readonly unknown[];
  /** Payload texts of frames that gave no value, if there were any. */
  readonly texts?: readonly string[];
  readonly ended: boolean;
}

export type Recognition = { readonly as: 'ag-ui' } | { readonly as: 'foreign'; readonly name: string } | { readonly as: 'unknown' };

/** A stream that has told nothing by then is another protocol's. */
const ENOUGH = 8;
const AG_UI: Recognition = { as: 'ag-ui' };
const UNKNOWN: Recognition = { as: 'unknown' };

/**
 * AG-UI if a value is an AG-UI event (dialect spellings and retired types included) or, unless the content is clearly something
 * else, if the request is a RunAgentInput. A protocol known by name is named; anything else is `unknown` until the stream ended or
 * gave eight values.
 */
export function recognise(hints: RecognitionHints): Recognition {
  const values = hints.values.slice(0, ENOUGH).filter(isRecord);
  const name = foreignByContent(values, hints.requestBody, hints.requestUrl);
  if (name) return { as: 'foreign', name };
  if (values.some(isAgentEvent)) return AG_UI;
  if (/vnd\.ag-ui\./i.test(`${hints.contentType} ${hints.accept ?? ''}`) || isRunInput(hints.requestBody)) return AG_UI;
  if (hints.texts?.some(holdsAgentEvent)) return AG_UI;
  const exchange = foreignByExchange(hints.requestBody, hints.requestUrl, hints.contentType);
  if (exchange) return { as: 'foreign', name: exchange };
  return hints.ended || hints.values.length >= ENOUGH ? { as: 'foreign', name: 'other event stream' } : UNKNOWN;
}

/** Whether a request body is a RunAgentInput: thread or run id and messages, also in snake_case, also one level down in `body` (CopilotKit's single endpoint). */
export function isRunInput(body: unknown): boolean {
  if (!isRecord(body)) return false;
  return isRunInputItself(body) || (isRecord(body['body']) && isRunInputItself(body['body']));
}

function isRunInputItself(body: Record<string, unknown>): boolean {
  const identified = ['threadId', 'runId', 'thread_id', 'run_id'].some((key) => typeof body[key] === 'string');
  return identified && Array.isArray(body['messages']);
}

/** Whether a value is an AG-UI event by its type: exact, retired, or a boundary-like type in another spelling (`run_started`, `RunStarted`). */
function isAgentEvent(value: Record<string, unknown>): boolean {
  const type = value['type'];
  if (typeof type !== 'string') return false;
  if (isEventType(type) || RETIRED.test(type)) return true;
  const upper = type
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toUpperCase();
  // one-word types are anybody's
  return upper.includes('_') && isEventType(upper);
}

const RETIRED = /^THINKING_(START|END|TEXT_MESSAGE_(START|CONTENT|END))$/;

/** AG-UI inside a payload that is no event itself: SSE text in a JSON string, say. */
function holdsAgentEvent(text: string): boolean {
  const type = /\\*"type\\*"\s*:\s*\\*"([A-Z]+_[A-Z_]+)\\*"/.exec(text)?.[1];
  return type !== undefined && isEventType(type);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
