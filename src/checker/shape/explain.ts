/**
 * The full walk over an event that `fits.ts` refused: names everything wrong with its form and copies what is left of it. The two
 * walks read one table; a property test holds them, and both against the published validators, to the same verdict.
 */
import type { AgentEvent } from '../../protocol/events.ts';
import { missingTwin, snakeOf, twinOf } from './dialect.ts';
import { isGrandfatheredNull, translateBinary } from './retired.ts';
import type { EventNode, FieldNode, ObjectNode, UnionNode } from './table.ts';
import type { Complaint, DialectRule } from './types.ts';
import { familySubject, keepOnlyReason, place, type Remark, remark, typeSubject, type Walk } from './walk.ts';
import { inWords, quote, squash } from './words.ts';

export interface Explained {
  /** Null when the event itself is unknown material. */
  readonly event: AgentEvent | null;
  readonly remarks: readonly Remark[];
  /** A dialect met inside the event: the caller notes it and walks again, now reading the dialect's spellings. */
  readonly dialect: Complaint | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Stands for material the protocol does not know: it goes, and takes with it what cannot be without it. */
const DROP = Symbol('drop');

/** Unknown properties of one object listed by name; the rest are one complaint with their number. */
const LISTED = 50;

const OUTCOMES_WITHOUT_INTERRUPTS: ReadonlySet<string> = new Set(['RunFinishedSuccessOutcome', 'RunFinishedCancelledOutcome']);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wantedOf(field: FieldNode): string {
  switch (field.is) {
    case 'string':
      return 'a string';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return field.min === 0 ? 'a whole number from 0' : 'a whole number';
    case 'const':
      return `the fixed value ${quote(field.value)}`;
    case 'enum':
      return `one of ${field.values.join(', ')}`;
    case 'array':
      return 'an array';
    case 'text-or-array':
      return 'a string or an array of parts';
    case 'json':
    case 'json-not-null':
      return 'any JSON value';
    default:
      return 'an object';
  }
}

function malformed(walk: Walk, field: FieldNode, value: unknown): undefined {
  const wanted = wantedOf(field);
  remark(
    walk,
    'schema-malformed-value',
    familySubject(walk),
    () => `${place(walk)} is ${inWords(value)} and not ${wanted}: send ${wanted}${field.required ? '' : ', or leave it out'}.`,
  );
  return undefined;
}

function nullValue(walk: Walk, owner: ObjectNode, field: FieldNode): undefined {
  if (field.required) return malformed(walk, field, null);
  if (isGrandfatheredNull(walk.node.type, owner.name, field.key)) {
    remark(
      walk,
      'version-retired-shape',
      typeSubject(walk),
      () => `${place(walk)} is null, which before 1.0 could stand for absent and is read so: leave the field out.`,
      true,
    );
  } else {
    remark(walk, 'schema-null-field', familySubject(walk), () => `${place(walk)} is null, but an optional field has a value or is absent: leave it out.`);
  }
  return undefined;
}

function metadataValue(walk: Walk, field: FieldNode, value: unknown): unknown {
  if (!isObject(value)) return malformed(walk, field, value);
  if (Object.hasOwn(value, 'ag-ui')) {
    const message = () => `${place(walk)} holds the key "ag-ui", which is reserved for the protocol: put your own data under another key.`;
    remark(walk, 'schema-reserved-metadata-key', 'ag-ui', message, true);
  }
  return value;
}

function enumValue(walk: Walk, owner: ObjectNode, field: FieldNode, value: unknown): unknown {
  if (typeof value !== 'string') return malformed(walk, field, value);
  if (field.values.includes(value)) return value;
  const message = (fate: string) => () =>
    `${place(walk)} is ${quote(value)}, not ${wantedOf(field)}, and ${fate}: send a listed value (the 1.0.0 JS client rejects this).`;
  if (owner.name === 'ReasoningEncryptedValueEvent') remark(walk, 'reasoning-encrypted-unknown-subtype', familySubject(walk), message('the event is dropped'));
  else remark(walk, 'schema-unknown-enum-value', familySubject(walk), message(field.required ? 'what it belongs to is dropped' : 'is stripped'));
  return DROP;
}

function unknownMember(walk: Walk, union: UnionNode, value: Fields): typeof DROP {
  const tag = value[union.tag];
  const met = tag === undefined ? `has no ${union.tag}` : `has the ${union.tag} ${typeof tag === 'string' ? quote(tag) : inWords(tag)}`;
  const sentence = () => `${place(walk)} ${met}, where the schema knows ${[...union.members.keys()].join(', ')}, and is stripped`;
  if (union.name === 'RunFinishedOutcome') {
    remark(walk, 'run-unknown-outcome', 'outcome', () => `${sentence()}, so the run reads as a success: send a listed outcome.`);
  } else if (union.name === 'SubagentFinishedOutcome') {
    remark(walk, 'subagent-unknown-outcome', 'outcome', () => `${sentence()}, so it reads as a success: send a listed outcome.`);
  } else {
    remark(walk, 'schema-unknown-union-member', familySubject(walk), () => `${sentence()}: send a listed ${union.tag}.`);
  }
  return DROP;
}

function unionValue(walk: Walk, field: FieldNode, union: UnionNode, value: unknown): unknown {
  if (!isObject(value)) return malformed(walk, field, value);
  const tag = value[union.tag];
  const member = union.members.get(tag as string);
  if (member) return objectValue(walk, member, value);
  if (union.name !== 'ContentPart' || tag !== 'binary') return unknownMember(walk, union, value);
  const part = translateBinary(value);
  const fate = part ? `is read as ${quote(String(part['type']))}` : 'has neither data nor url to carry over, so it is dropped';
  const message = () => `${place(walk)} is a part of the retired type "binary" and ${fate}: send an image, audio, video or document part with a source.`;
  remark(walk, 'version-retired-shape', typeSubject(walk), message, true);
  return part ?? DROP;
}

/** A list that had only malformed entries is as good as absent: an empty one would say something the producer did not. */
function listValue(walk: Walk, owner: ObjectNode, of: FieldNode, list: readonly unknown[]): unknown {
  const out: unknown[] = [];
  let lost = false;
  for (const [index, entry] of list.entries()) {
    walk.path.push(index);
    const kept = fieldValue(walk, owner, of, entry);
    walk.path.pop();
    if (kept === undefined) lost = true;
    else if (kept !== DROP) out.push(kept);
  }
  return lost && out.length === 0 ? undefined : out;
}

/** The value as far as it is known and well formed; undefined when it is malformed, DROP when it is unknown material. */
function fieldValue(walk: Walk, owner: ObjectNode, field: FieldNode, value: unknown): unknown {
  const keep = (fine: boolean) => (fine ? value : malformed(walk, field, value));
  switch (field.is) {
    case 'json':
    case 'json-not-null':
      return value;
    case 'string':
      return keep(typeof value === 'string');
    case 'boolean':
      return keep(typeof value === 'boolean');
    case 'integer':
      return keep(Number.isSafeInteger(value) && (value as number) >= field.min);
    case 'const':
      return keep(value === field.value);
    case 'open-object':
      return keep(isObject(value));
    case 'enum':
      return enumValue(walk, owner, field, value);
    case 'metadata':
      return metadataValue(walk, field, value);
    case 'object':
      return isObject(value) ? objectValue(walk, field.object!, value) : malformed(walk, field, value);
    case 'union':
      return unionValue(walk, field, field.union!, value);
    case 'text-or-array':
    case 'array':
      if (Array.isArray(value)) return listValue(walk, owner, field.of!, value);
      return keep(field.is === 'text-or-array' && typeof value === 'string');
  }
}

function unknownProperty(walk: Walk, owner: ObjectNode, key: string, value: Fields): void {
  if (key === 'interrupts' && value[key] !== null && OUTCOMES_WITHOUT_INTERRUPTS.has(owner.name)) {
    const message = () =>
      `${place(walk)} stands on an outcome of type ${quote(String(value['type']))} and is stripped: a run that waits for answers ends with the outcome "interrupt".`;
    remark(walk, 'interrupt-on-other-outcome', 'outcome', message);
  } else if (key === 'interruptIds' && value[key] !== null && owner.name === 'SubagentFinishedSuccessOutcome') {
    const message = () => `${place(walk)} stands on a success outcome and is stripped: a subagent that waits for answers ends with the outcome "suspended".`;
    remark(walk, 'subagent-success-with-interrupts', 'outcome', message);
  } else {
    const twin = twinOf(owner, key, value);
    const advice = twin ? `the field is spelt ${twin.key}` : 'put it under metadata, or leave it out';
    remark(walk, 'schema-unknown-property', typeSubject(walk), () => `${place(walk)} is not in the schema and is stripped: ${advice}.`, true);
  }
}

function tooManyUnknown(walk: Walk, count: number): void {
  walk.path.push('…');
  remark(walk, 'schema-unknown-property', typeSubject(walk), () => `${place(walk)}: ${count} more properties that are not in the schema are stripped.`, true);
  walk.path.pop();
}

function missingField(walk: Walk, field: FieldNode, value: Fields): void {
  walk.path.push(field.key);
  remark(walk, 'schema-missing-field', familySubject(walk), () => {
    const letters = squash(field.key);
    const similar = Object.keys(value).find((key) => key !== field.key && squash(key) === letters);
    const advice = similar === undefined ? `send ${wantedOf(field)}` : `${quote(similar)} is there, but a field's name is spelt exactly as in the schema`;
    return `${place(walk)} is required and missing: ${advice}.`;
  });
  walk.path.pop();
}

/** The complaint about snake_case fields; `where` is the field as met. */
export function dialectComplaint(where: string, field: string): Complaint {
  const message = `${where} stands where ${field} is required, and a conforming client rejects the event: send camelCase names (from here on this stream is read as if they were).`;
  return { rule: 'version-dialect-fields', subject: 'dialect', message };
}

function noteDialect(walk: Walk, node: ObjectNode, value: Fields): void {
  if (walk.dialect !== null || walk.found !== null) return;
  const keys = node.required.map(({ key }) => key);
  const field = missingTwin(keys, value);
  if (field === null) return;
  walk.path.push(snakeOf(field));
  walk.found = dialectComplaint(place(walk), field);
  walk.path.pop();
}

/** 1.1's encryptedValueType without the value it is about. On the event itself the missing value has a rule already. */
function noteOrphanType(walk: Walk, node: ObjectNode, value: Fields, out: Fields): void {
  if (out['encryptedValueType'] === undefined || value['encryptedValue'] !== undefined || node === walk.node.object) return;
  walk.path.push('encryptedValueType');
  const message = () => `${place(walk)} says the type of an encryptedValue that is not there: send the value with it, or leave both out.`;
  remark(walk, 'reasoning-encrypted-type-orphan', familySubject(walk), message);
  walk.path.pop();
}

function objectValue(walk: Walk, node: ObjectNode, value: Fields): Record<string, unknown> | typeof DROP {
  noteDialect(walk, node, value);
  const out: Record<string, unknown> = {};
  const mark = walk.remarks.length;
  const seen = new Set<string>();
  let unknown = 0;
  for (const key of Object.keys(value)) {
    const inner = value[key];
    // A decoder may leave a property undefined: absent.
    if (inner === undefined) continue;
    const field = node.fields.get(key) ?? (walk.dialect === null ? null : twinOf(node, key, value));
    walk.path.push(field?.key ?? key);
    if (field) {
      seen.add(field.key);
      const kept = inner === null && field.is !== 'json' ? nullValue(walk, node, field) : fieldValue(walk, node, field, inner);
      if (kept === DROP && field.required) {
        keepOnlyReason(walk, mark);
        walk.path.pop();
        return DROP;
      }
      if (kept !== DROP && kept !== undefined) out[field.key] = kept;
    } else {
      unknown += 1;
      if (unknown <= LISTED) unknownProperty(walk, node, key, value);
    }
    walk.path.pop();
  }
  if (unknown > LISTED) tooManyUnknown(walk, unknown - LISTED);
  for (const field of node.required) if (!seen.has(field.key)) missingField(walk, field, value);
  noteOrphanType(walk, node, value, out);
  return out;
}

/** Walks a whole event. The given set is only read. */
export function explain(node: EventNode, event: AgentEvent, dialect: DialectRule | null, reported: ReadonlySet<string>): Explained {
  const walk: Walk = { node, dialect, reported, path: [], remarks: [], said: new Set(), found: null };
  const out = objectValue(walk, node.object, event);
  return { event: out === DROP ? null : (out as AgentEvent), remarks: walk.remarks, dialect: walk.found };
}
