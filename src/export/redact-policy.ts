/**
 * What becomes of each field, from the schema table: what the protocol gives a form (types, roles, counts, times, ids) stays, free
 * content goes with its group, and what the table does not know goes always.
 */
import { respell, snakeOf } from '../checker/shape/dialect.ts';
import { RETIRED_TYPES, replacementOf } from '../checker/shape/retired.ts';
import { EVENT_NODES, type FieldNode, type ObjectNode, type UnionNode } from '../checker/shape/table.ts';
import { isEventType } from '../protocol/events.ts';
import { readRunInput } from '../protocol/run-input.ts';
import { ACTIVITY, ANY, CUSTOM, IDS, REASONING, REQUEST, STATE, TEXT, TOOL, URLS } from './redact-groups.ts';
import { type Policy, rewriteJson } from './redact-json.ts';
import { keyStandIn, type Mode, numberStandIn, pointerStandIn, type StandIns, standIn } from './redact-stand-ins.ts';
import { urlStandIn } from './redact-url.ts';

/** The policy of a value, which may depend on the value itself (a union's tag). */
type Pick = (value: unknown) => Policy;

export interface Policies {
  /** The payload of one frame. */
  readonly payload: Pick;
  /** A request's body. */
  readonly body: Pick;
  /** An id or name outside of JSON. */
  readonly id: (text: string) => string;
}

interface Making {
  readonly standIns: StandIns;
  readonly on: number;
  readonly free: Policy;
}

/** What the fields of an object hold: the groups of its texts, and of everything in it where it stands in a request. */
interface Context {
  readonly content: number;
  readonly request: number;
}

const same = (text: string): string => text;
const KEEP: Policy = { keep: true, string: same, number: same, literal: same, key: same, member: () => KEEP, element: () => KEEP };

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function freePolicy(standIns: StandIns, mode: Mode): Policy {
  const free: Policy = {
    keep: false,
    string: (text) => standIn(standIns, text, mode),
    number: (raw) => numberStandIn(standIns, raw),
    literal: (raw) => {
      if (raw === 'null') return raw;
      standIns.counts.literals++;
      // one for both: which of the two it was is content, and the shorter fits where either stood
      return 'true';
    },
    key: (key) => keyStandIn(standIns, key),
    member: () => free,
    element: () => free,
  };
  return free;
}

/** Words of the schema: a key that is one of them says nothing wherever it stands, and no stand-in may be one. */
function wordsOf(): ReadonlySet<string> {
  const words = new Set(['ag-ui', 'filename', 'url', 'data', 'title', 'binary', '_timestamp', '_offset_ms', '_index', 'mime_type']);
  const seen = new Set<ObjectNode>();
  const takeObject = (node: ObjectNode): void => {
    if (seen.has(node)) return;
    seen.add(node);
    for (const field of node.fields.values()) takeField(field);
  };
  const takeField = (field: FieldNode): void => {
    words.add(field.key).add(snakeOf(field.key));
    if (field.of) takeField(field.of);
    if (field.object) takeObject(field.object);
    for (const member of field.union?.members.values() ?? []) takeObject(member);
  };
  for (const node of EVENT_NODES.values()) takeObject(node.object);
  return words;
}

export const KEY_WORDS: ReadonlySet<string> = wordsOf();

/** Values and lines that mean something: no stand-in may be one. */
export const RESERVED: ReadonlySet<string> = new Set([
  ...KEY_WORDS,
  ...['true', 'false', 'null', 'data', 'event', 'id', 'retry', 'text', 'image', 'audio', 'video', 'document', 'file', 'binary', 'developer', 'system'],
  ...['assistant', 'user', 'tool', 'activity', 'reasoning', 'function', 'success', 'interrupt', 'cancelled', 'suspended', 'resolved', 'message', 'subagent'],
  ...['add', 'remove', 'replace', 'move', 'copy', 'test', 'RAW', 'CUSTOM', 'raw', 'custom', 'Raw', 'Custom'],
]);

export function createPolicies(standIns: StandIns, on: number): Policies {
  const making: Making = { standIns, on, free: freePolicy(standIns, 'text') };
  // the retired THINKING_START is read as this one and had a title
  const title: readonly [string, Pick] = ['title', () => content(making, REASONING)];
  const events = new Map(
    [...EVENT_NODES].map(([type, node]) => [type, objectPolicy(making, node.object, contextOf(type), type === 'REASONING_START' ? [title] : [])]),
  );
  const unknown = objectPolicy(making, { name: '', fields: new Map(), required: [] }, { content: ANY, request: 0 }, [['type', () => typeLeaf(making)]]);
  const event: Pick = (value) => {
    if (!isObject(value)) return making.free;
    const { type } = value;
    const known = typeof type === 'string' ? knownType(type) : null;
    return (known === null ? null : events.get(known)) ?? unknown;
  };
  // an event encoded twice is a string that holds its JSON
  const twice: Policy = { ...making.free, string: (text) => rewriteJson(text, event) ?? standIn(standIns, text, 'text'), element: event };
  return {
    payload: (value) => (isObject(value) ? event(value) : twice),
    body: bodyPolicy(making),
    id: (text) => (on & IDS ? standIn(standIns, text, 'id') : text),
  };
}

/** The type of the schema that a type is or is a spelling of, or null. */
function knownType(type: string): string | null {
  if (isEventType(type)) return type;
  if (RETIRED_TYPES.has(type)) return replacementOf(type);
  const meant = /^[A-Za-z_ .-]{1,60}$/.test(type) ? respell(type) : null;
  return meant === null ? null : replacementOf(meant);
}

const CONTENT: readonly (readonly [prefix: string, content: number])[] = [
  ['TEXT_', TEXT],
  ['TOOL_', TOOL],
  ['REASONING_', REASONING],
  ['STATE_', STATE],
  ['ACTIVITY_', ACTIVITY],
  ['CUSTOM', CUSTOM],
];

function contextOf(type: string): Context {
  return { content: CONTENT.find(([prefix]) => type.startsWith(prefix))?.[1] ?? ANY, request: 0 };
}

const MESSAGES: Readonly<Record<string, number>> = { ToolMessage: TOOL, ReasoningMessage: REASONING, ActivityMessage: ACTIVITY };

/** A text that stays where `stays` says so; else, and for any other kind of value, free. */
function leaf({ free }: Making, write: (text: string) => string | null, numbers = false, booleans = false): Policy {
  return {
    ...free,
    string: (text) => write(text) ?? free.string(text),
    ...(numbers ? { number: same } : {}),
    ...(booleans ? { literal: same } : {}),
  };
}

function typeLeaf(making: Making): Policy {
  return leaf(making, (text) => (knownType(text) === null ? null : text));
}

/** Content of these groups. */
function content(making: Making, groups: number, mode: Mode = 'text'): Policy {
  if ((making.on & groups) === 0) return KEEP;
  return mode === 'text' ? making.free : leaf(making, (text) => standIn(making.standIns, text, mode));
}

function idLeaf(making: Making): Policy {
  return leaf(making, (text) => (making.on & IDS ? standIn(making.standIns, text, 'id') : text));
}

function objectPolicy(making: Making, node: ObjectNode, context: Context, extra: readonly (readonly [string, Pick])[] = []): Policy {
  const members = new Map<string, Pick>();
  for (const field of node.fields.values()) {
    const pick = fieldPick(making, node, field, context);
    members.set(field.key, pick);
    if (!members.has(snakeOf(field.key))) members.set(snakeOf(field.key), pick);
  }
  for (const [key, pick] of extra) members.set(key, pick);
  return objectOf(making, members);
}

function objectOf({ free }: Making, members: ReadonlyMap<string, Pick>): Policy {
  return {
    ...free,
    key: (key) => (members.has(key) || KEY_WORDS.has(key) ? key : free.key(key)),
    member: (key, value) => members.get(key)?.(value) ?? free,
  };
}

function fieldPick(making: Making, owner: ObjectNode, field: FieldNode, context: Context): Pick {
  const always = (policy: Policy): Pick => {
    return () => policy;
  };
  switch (field.is) {
    case 'const':
      return always(field.key === 'type' && knownType(field.value) !== null ? typeLeaf(making) : leaf(making, (text) => (text === field.value ? text : null)));
    case 'enum':
      return always(leaf(making, (text) => (field.values.includes(text) ? text : null)));
    case 'integer':
      return always(leaf(making, () => null, true));
    case 'boolean':
      return always(leaf(making, () => null, false, true));
    case 'string':
      return always(stringPolicy(making, owner, field.key, context));
    case 'object':
      return always(objectPolicy(making, field.object!, innerContext(field.object!, context)));
    case 'union':
      return unionPick(making, field.union!, context);
    case 'array':
    case 'text-or-array': {
      const element = fieldPick(making, owner, field.of!, context);
      const text = field.is === 'array' ? making.free : content(making, context.content | context.request);
      return always({ ...making.free, string: text.string, element });
    }
    default:
      return always(freeField(making, owner, field.key, context));
  }
}

function innerContext(node: ObjectNode, context: Context): Context {
  return node.name === 'RunAgentInput' ? { content: REQUEST, request: REQUEST } : context;
}

function unionPick(making: Making, union: UnionNode, context: Context): Pick {
  const members = new Map<unknown, Policy>();
  const unknown = new Map<string, Pick>();
  for (const [tag, node] of union.members) {
    const own = union.name === 'Message' ? { ...context, content: (MESSAGES[node.name] ?? TEXT) | context.request } : context;
    members.set(tag, objectPolicy(making, node, own));
    // a member of no known tag: what has a form in any of them may stay, all content goes
    for (const field of node.fields.values()) {
      const pick = fieldPick(making, node, field, { content: ANY, request: ANY });
      unknown.set(field.key, pick).set(snakeOf(field.key), pick);
    }
  }
  unknown.set(union.tag, () => leaf(making, (text) => (text === 'binary' ? text : null)));
  const other = objectOf(making, unknown);
  return (value) => (isObject(value) ? (members.get(value[union.tag]) ?? other) : making.free);
}

const NAMES: ReadonlySet<string> = new Set([
  'id',
  'stepName',
  'toolCallName',
  'activityType',
  'source',
  'provider',
  'model',
  'code',
  'reason',
  'encryptedValueType',
]);
const NAMED: ReadonlySet<string> = new Set(['FunctionCall', 'Tool', 'CustomEvent', 'SubagentStartedEvent']);

function isName(owner: ObjectNode, key: string): boolean {
  return NAMES.has(key) || /Ids?$/.test(key) || (key === 'name' && NAMED.has(owner.name));
}

function stringPolicy(making: Making, owner: ObjectNode, key: string, { content: groups, request }: Context): Policy {
  if (isName(owner, key)) return idLeaf(making);
  if (key === 'protocolVersion') return leaf(making, (text) => (/^\d{1,3}\.\d{1,3}$/.test(text) ? text : null));
  if (key === 'expiresAt') return leaf(making, dateOf);
  if (key === 'arguments') return content(making, TOOL | request, 'args');
  if (key === 'delta' && owner.name.startsWith('ToolCall')) return content(making, TOOL, 'args');
  if (owner.name === 'UrlSource' && key === 'value') return urlSource(making, groups | request);
  if (owner.name === 'RunErrorEvent' || owner.name === 'Interrupt' || owner.name.startsWith('Subagent')) return making.free;
  return content(making, groups | request);
}

function urlSource(making: Making, groups: number): Policy {
  if (making.on & groups) return making.free;
  return making.on & URLS ? leaf(making, (text) => urlStandIn(making.standIns, text)) : KEEP;
}

/** A date stays a date, in a form that can hold nothing else. */
function dateOf(text: string): string | null {
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return text;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** A field of any JSON. */
function freeField(making: Making, owner: ObjectNode, key: string, { content: groups, request }: Context): Policy {
  if (key === 'metadata') return { ...making.free, key: (name) => (name === 'ag-ui' ? name : making.free.key(name)) };
  if (owner.name === 'StateDeltaEvent' && key === 'delta') return patchPolicy(making, STATE);
  if (owner.name === 'ActivityDeltaEvent' && key === 'patch') return patchPolicy(making, ACTIVITY);
  if (owner.name === 'RawEvent' && key === 'event') return rawPolicy(making);
  if (owner.name === 'RunAgentInput' && key === 'state') return content(making, STATE | REQUEST);
  if (key === 'rawEvent' || key === 'result' || key === 'responseSchema') return making.free;
  return content(making, groups | request);
}

/** RAW is told from an event that should have been sent itself by the type inside. */
function rawPolicy(making: Making): Policy {
  const { free } = making;
  const isType = (value: unknown): boolean => typeof value === 'string' && isEventType(value);
  return {
    ...free,
    key: (key) => (key === 'type' ? key : free.key(key)),
    member: (key, value) => (key === 'type' && isType(value) ? typeLeaf(making) : free),
  };
}

const OPS: ReadonlySet<string> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);
const OP_KEYS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** A patch still applies: the keys in its pointers become what the keys of the document become. */
function patchPolicy(making: Making, group: number): Policy {
  if ((making.on & group) === 0) return KEEP;
  const { free, standIns } = making;
  const op = leaf(making, (text) => (OPS.has(text) ? text : null));
  const pointer = leaf(making, (text) => pointerStandIn(standIns, text));
  const operation: Policy = {
    ...free,
    key: (key) => (OP_KEYS.has(key) ? key : free.key(key)),
    member: (key) => (key === 'op' ? op : key === 'path' || key === 'from' ? pointer : free),
  };
  return { ...free, element: (value) => (isObject(value) ? operation : free) };
}

/** A RunAgentInput, also one level down in `body` beside the method of a single endpoint; anything else is free. */
function bodyPolicy(making: Making): Pick {
  const node = EVENT_NODES.get('RUN_STARTED')!.object.fields.get('input')!.object!;
  const input = objectPolicy(making, node, { content: REQUEST, request: REQUEST });
  const method = leaf(making, (text) => (/^(agent|agents|thread|threads)?\/?(run|connect|subscribe|stop|info)$/.test(text) ? text : null));
  const agent = objectOf(making, new Map<string, Pick>([['agentId', () => idLeaf(making)]]));
  const own: ReadonlySet<string> = new Set(['method', 'params', 'body', 'agentId']);
  const envelope: Policy = {
    ...making.free,
    key: (key) => (own.has(key) ? key : making.free.key(key)),
    member: (key, value) => {
      if (key === 'method') return method;
      if (key === 'params' && isObject(value)) return { ...agent, key: (name) => (name === 'agentId' ? name : making.free.key(name)) };
      return key === 'body' ? input : making.free;
    },
  };
  return (value) => {
    const read = readRunInput(value);
    if (read === null) return making.free;
    return read.envelope ? envelope : input;
  };
}
