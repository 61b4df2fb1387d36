/** Reads the request that started a run: a RunAgentInput as a client sends it, or one that a producer echoes. */

export interface InputMessage {
  readonly id: string | null;
  readonly role: string;
  /** The text of a string, or of the text parts of a list. */
  readonly text: string;
  readonly toolCallId: string | null;
  readonly toolCalls: readonly { readonly id: string; readonly name: string }[];
}

export interface RunInput {
  readonly threadId: string | null;
  readonly runId: string | null;
  readonly parentRunId: string | null;
  readonly messages: readonly InputMessage[];
  /** Null when the input lists no tools at all. */
  readonly toolNames: readonly string[] | null;
  /** False when there is no state, or null, which means the same. */
  readonly hasState: boolean;
  readonly state: unknown;
  readonly resume: readonly { readonly interruptId: string; readonly status: string | null }[] | null;
  readonly protocolVersion: string | null;
  readonly dialect: 'camel' | 'snake';
  /** The input stood one level down in `body`. */
  readonly envelope: boolean;
  /** The input object itself. */
  readonly raw: Record<string, unknown>;
}

type Fields = Record<string, unknown>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A field by its name, or by its snake_case twin. */
function field(from: Fields, name: string): unknown {
  return from[name] ?? from[snakeOf(name)];
}

function snakeOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function objects(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isInput(body: Fields): boolean {
  if (Array.isArray(body['messages'])) return true;
  return typeof field(body, 'threadId') === 'string' && typeof field(body, 'runId') === 'string';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objects(content)
    .map((part) => (part['type'] === 'text' ? (text(part['text']) ?? '') : ''))
    .join('');
}

function callOf(call: Fields): { id: string; name: string }[] {
  const { id, function: target } = call;
  if (typeof id !== 'string') return [];
  return [{ id, name: isObject(target) ? (text(target['name']) ?? '') : '' }];
}

function messageOf(message: Fields): InputMessage {
  return {
    id: text(message['id']),
    role: text(message['role']) ?? '',
    text: textOf(message['content']),
    toolCallId: text(field(message, 'toolCallId')),
    toolCalls: objects(field(message, 'toolCalls')).flatMap(callOf),
  };
}

function toolNamesOf(tools: unknown): string[] | null {
  if (!Array.isArray(tools)) return null;
  return objects(tools).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
}

function resumeOf(resume: unknown): { interruptId: string; status: string | null }[] | null {
  if (!Array.isArray(resume)) return null;
  return objects(resume).flatMap((entry) => {
    const interruptId = field(entry, 'interruptId');
    return typeof interruptId === 'string' ? [{ interruptId, status: text(entry['status']) }] : [];
  });
}

const TWINS = ['threadId', 'runId', 'parentRunId', 'protocolVersion', 'forwardedProps'] as const;

function dialectOf(input: Fields): 'camel' | 'snake' {
  return TWINS.some((name) => input[name] === undefined && input[snakeOf(name)] !== undefined) ? 'snake' : 'camel';
}

/**
 * The input in `body`, or in `body.body` (CopilotKit's single-endpoint envelope); null when neither has a messages array or both ids,
 * in camelCase or snake_case. Entries of lists that are no objects, and calls or resume entries without an id, are left out: this reads
 * a request and does not judge it. Never throws.
 */
export function readRunInput(body: unknown): RunInput | null {
  if (!isObject(body)) return null;
  const envelope = !isInput(body) && isObject(body['body']) && isInput(body['body']);
  if (!envelope && !isInput(body)) return null;
  const input = envelope ? (body['body'] as Fields) : body;
  const state = input['state'] ?? undefined;
  return {
    threadId: text(field(input, 'threadId')),
    runId: text(field(input, 'runId')),
    parentRunId: text(field(input, 'parentRunId')),
    messages: objects(input['messages']).map(messageOf),
    toolNames: toolNamesOf(input['tools']),
    hasState: state !== undefined,
    state,
    resume: resumeOf(input['resume']),
    protocolVersion: text(field(input, 'protocolVersion')),
    dialect: dialectOf(input),
    envelope,
    raw: input,
  };
}
