/** Which exchanges are worth noting: by the response's media type, or because the request looks like AG-UI. */
import { isArray, isObject, ownField, ownKeys, parse, test } from './natives.ts';

const STREAM_TYPE = /^\s*(?:text\/event-stream|application\/(?:vnd\.ag-ui\.event\+proto|x-ndjson|jsonl|json-seq))\s*(?:;|$)/i;
const STREAM_ACCEPT = /text\/event-stream|application\/vnd\.ag-ui\.event\+proto/i;
const JSON_TYPE = /^[^;]*[/+]json\b/i;
/** A cheap look before the parse: without one of these keys no body can qualify. */
const KEYS = /"(?:thread_?id|run_?id|messages)"\s*:/i;

/** Above this many characters the keys alone decide: a parse would cost the page milliseconds. */
const PARSE_LIMIT = 1 << 21;

/** Whether a response of this content type carries a stream of events. */
export const isStreamType = (contentType: string): boolean => test(STREAM_TYPE, contentType);

/** Whether an Accept header asks for one. */
export const acceptsStream = (accept: string): boolean => test(STREAM_ACCEPT, accept);

export const isJsonType = (contentType: string): boolean => test(JSON_TYPE, contentType);

function hasKeys(value: object): boolean {
  const isText = (key: string) => typeof ownField(value, key) === 'string';
  return isText('threadId') || isText('thread_id') || isText('runId') || isText('run_id') || isArray(ownField(value, 'messages'));
}

/** Whether a request body is AG-UI-shaped: threadId, runId or messages (also snake_case) at the top or one level down. */
export function isAgentBody(text: string): boolean {
  if (!test(KEYS, text)) return false;
  if (text.length > PARSE_LIMIT) return true;
  try {
    const value: unknown = parse(text);
    if (!isObject(value) || isArray(value)) return false;
    if (hasKeys(value)) return true;
    const keys = ownKeys(value);
    for (let i = 0; i < keys.length; i += 1) {
      const inner = ownField(value, keys[i] as string);
      if (isObject(inner) && !isArray(inner) && hasKeys(inner)) return true;
    }
    return false;
  } catch {
    return false;
  }
}
