/**
 * What becomes of each field, from the schema table: what the protocol gives a form (types, roles, counts, times, ids) stays, free
 * content goes with its group, and what the table does not know goes always.
 */
import { snakeOf } from '../checker/shape/dialect.ts';
import { EVENT_NODES, type FieldNode, type ObjectNode, type UnionNode } from '../checker/shape/table.ts';
import { readRunInput } from '../protocol/run-input.ts';
import { ACTIVITY, ANY, CUSTOM, IDS, REASONING, REQUEST, STATE, TEXT, TOOL, URLS } from './redact-groups.ts';
import { type Policy, rewriteJson } from './redact-json.ts';
import {
  content,
  dateOf,
  freePolicy,
  idLeaf,
  isObject,
  KEEP,
  knownType,
  leaf,
  type Making,
  objectOf,
  type Pick,
  patchPolicy,
  rawPolicy,
  typeLeaf,
} from './redact-leaves.ts';
import { type StandIns, standIn } from './redact-stand-ins.ts';
import { urlStandIn } from './redact-url.ts';

export interface Policies {
  /** The payload of one frame. */
  readonly payload: Pick;
  /** A request's body. */
  readonly body: Pick;
  /** An id or name outside of JSON. */
  readonly id: (text: string) => string;
}

/** What the fields of an object hold: the groups of its texts, and of everything in it where it stands in a request. */
interface Context {
  readonly content: number;
  readonly request: number;
}

export function createPolicies(standIns: StandIns, on: number): Policies {
  const making: Making = { standIns, on, free: freePolicy(standIns, 'text') };
  // the retired THINKING_START is read as this one and had a title
  const title: readonly [string, Pick] = ['title', () => content(making, REASONING)];
  const events = new Map<string, Policy>();
  // made when the first event of a type comes: most captures have few
  const policyOf = (type: string): Policy => {
    const made = events.get(type) ?? objectPolicy(making, EVENT_NODES.get(type)!.object, contextOf(type), type === 'REASONING_START' ? [title] : []);
    events.set(type, made);
    return made;
  };
  const unknown = objectPolicy(making, { name: '', fields: new Map(), required: [] }, { content: ANY, request: 0 }, [['type', () => typeLeaf(making)]]);
  const event: Pick = (value) => {
    if (!isObject(value)) return making.free;
    const { type } = value;
    const known = typeof type === 'string' ? knownType(type) : null;
    return known === null ? unknown : policyOf(known);
  };
  // an event encoded twice is a string that holds its JSON
  const twice: Policy = { ...making.free, string: (text) => rewriteJson(text, event) ?? standIn(standIns, text, 'text'), element: event };
  return {
    payload: (value) => (isObject(value) ? event(value) : twice),
    body: bodyPolicy(making),
    id: (text) => (on & IDS ? standIn(standIns, text, 'id') : text),
  };
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
