/** The generated schema table as linked nodes: a field is one map lookup away, and nothing is built while events run. */
import { EVENT_TYPES, type EventType, type Kind, kindOf } from '../../protocol/events.ts';
import { EVENTS, OBJECTS, UNIONS } from './schema.generated.ts';
import type { FieldSpec, ShapeSpec } from './spec.ts';

/** A field, or the element of a list. All nodes have the same keys, so that reading them stays fast. */
export interface FieldNode {
  readonly key: string;
  readonly required: boolean;
  readonly is: ShapeSpec['is'];
  readonly min: number;
  readonly value: string;
  readonly values: readonly string[];
  readonly of: FieldNode | null;
  readonly object: ObjectNode | null;
  readonly union: UnionNode | null;
}

export interface ObjectNode {
  readonly name: string;
  readonly fields: ReadonlyMap<string, FieldNode>;
  readonly required: readonly FieldNode[];
}

export interface UnionNode {
  readonly name: string;
  readonly tag: string;
  readonly members: ReadonlyMap<string, ObjectNode>;
}

export interface EventNode {
  readonly type: EventType;
  readonly kind: Kind;
  readonly object: ObjectNode;
  /** The field that says which item the event is about, null where there is none. */
  readonly id: string | null;
  /** A chunk may leave its id out. */
  readonly chunk: boolean;
  /** The fields without which the event cannot be understood: the required ones, and the opening fields of a chunk. */
  readonly anchors: readonly string[];
}

interface Building {
  readonly objects: Map<string, ObjectNode>;
  readonly unions: Map<string, UnionNode>;
}

function fieldNode(building: Building, key: string, spec: FieldSpec): FieldNode {
  return {
    key,
    required: spec.required === true,
    is: spec.is,
    min: spec.is === 'integer' ? spec.min : 0,
    value: spec.is === 'const' ? spec.value : '',
    values: spec.is === 'enum' ? spec.values : [],
    of: 'of' in spec ? fieldNode(building, key, spec.of) : null,
    object: spec.is === 'object' ? objectNode(building, spec.name) : null,
    union: spec.is === 'union' ? unionNode(building, spec.name) : null,
  };
}

function objectNode(building: Building, name: string): ObjectNode {
  const known = building.objects.get(name);
  if (known) return known;
  const fields = new Map<string, FieldNode>();
  const required: FieldNode[] = [];
  const node: ObjectNode = { name, fields, required };
  building.objects.set(name, node);
  for (const [key, spec] of Object.entries(OBJECTS[name] ?? {})) {
    const field = fieldNode(building, key, spec);
    fields.set(key, field);
    if (field.required) required.push(field);
  }
  return node;
}

function unionNode(building: Building, name: string): UnionNode {
  const known = building.unions.get(name);
  if (known) return known;
  const { tag, members } = UNIONS[name]!;
  const node: UnionNode = { name, tag, members: new Map(Object.entries(members).map(([value, member]) => [value, objectNode(building, member)])) };
  building.unions.set(name, node);
  return node;
}

const IDS: readonly (readonly [prefix: string, id: string])[] = [
  ['TEXT_MESSAGE_', 'messageId'],
  ['TOOL_CALL_', 'toolCallId'],
  ['REASONING_ENCRYPTED_VALUE', 'entityId'],
  ['REASONING_', 'messageId'],
  ['ACTIVITY_', 'messageId'],
  ['STEP_', 'stepName'],
  ['SUBAGENT_', 'subagentRunId'],
  ['RUN_STARTED', 'runId'],
  ['RUN_FINISHED', 'runId'],
];

function eventNode(building: Building, type: EventType): EventNode {
  const object = objectNode(building, EVENTS[type]);
  const id = IDS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? null;
  const anchors = new Set(object.required.map(({ key }) => key).filter((key) => key !== 'type'));
  if (id !== null) anchors.add(id);
  if (type === 'TOOL_CALL_CHUNK') anchors.add('toolCallName');
  return { type, kind: kindOf(type), object, id, chunk: type.endsWith('_CHUNK'), anchors: [...anchors] };
}

function eventNodes(): ReadonlyMap<string, EventNode> {
  const building: Building = { objects: new Map(), unions: new Map() };
  return new Map(EVENT_TYPES.map((type) => [type, eventNode(building, type)]));
}

/** Every event type's node, by type. */
export const EVENT_NODES: ReadonlyMap<string, EventNode> = eventNodes();
