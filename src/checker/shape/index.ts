/**
 * The form of a single event: steps 1–3 of the processing order (`classify`: what is it, in which spelling, of which age) and step 5
 * (`judge`: the schema, on the event as sent). Positions, sequences and the contents of patches are the checker's.
 */
import type { AgentEvent, EventType } from '../../protocol/events.ts';
import { camelFields, isStructural, missingTwin, nearestType, respell, snakeOf } from './dialect.ts';
import { dialectComplaint, explain } from './explain.ts';
import { objectFits } from './fits.ts';
import { RETIRED_TYPES, replacementOf, translateThinking } from './retired.ts';
import { EVENT_NODES, type EventNode } from './table.ts';
import type { Complaint, Repeat, Shape, ShapeState } from './types.ts';
import { judgeVersion } from './version.ts';
import { remarkKey } from './walk.ts';
import { inOrder, inWords, quote } from './words.ts';

export type { Shape, ShapeState } from './types.ts';
export { SHAPE_RULES } from './words.ts';

const NONE: readonly Complaint[] = Object.freeze([]);

/** Subjects remembered a stream. Past it, new ones of a rule share one complaint that says so. */
const REMEMBERED = 5_000;

/** A stream of which nothing was seen. */
export function createShapeState(): ShapeState {
  return { dialect: null, reported: new Set(), thinkingSpan: null, thinkingMessage: null, invented: 0 };
}

/** What one call has to say, with what was said on the stream before left out of `complaints`. */
interface Report {
  readonly complaints: Complaint[];
  readonly repeats: Repeat[];
}

function report(): Report {
  return { complaints: [], repeats: [] };
}

function addOnce(state: ShapeState, to: Report, { rule, subject, message }: Complaint): void {
  const full = state.reported.size >= REMEMBERED;
  const about = full ? '…' : subject;
  const key = remarkKey(rule, about);
  if (state.reported.has(remarkKey(rule, subject))) to.repeats.push({ rule, subject });
  else if (state.reported.has(key)) to.repeats.push({ rule, subject: about });
  else {
    state.reported.add(key);
    to.complaints.push({ rule, subject: about, message: full ? `${message} Further ones of this kind are counted here.` : message });
  }
}

function addDialect(state: ShapeState, to: Report, complaint: Complaint): void {
  if (state.dialect !== null) {
    to.repeats.push({ rule: state.dialect, subject: 'dialect' });
    return;
  }
  state.dialect = complaint.rule as ShapeState['dialect'];
  to.complaints.push(complaint);
}

function shapeOf(event: AgentEvent | null, type: EventType | null, excused: boolean, said: Report): Shape {
  const complaints = inOrder(said.complaints);
  return said.repeats.length === 0 ? { event, type, excused, complaints } : { event, type, excused, complaints, repeats: said.repeats };
}

/** M9: the id is not a string. A chunk may leave its id out, so there only a malformed one (or a malformed tool name) counts. */
function isExcused(node: EventNode, event: Readonly<Record<string, unknown>>): boolean {
  if (node.id === null) return false;
  const id = event[node.id];
  if (!node.chunk) return typeof id !== 'string';
  const name = node.type === 'TOOL_CALL_CHUNK' ? event['toolCallName'] : undefined;
  return (id !== undefined && typeof id !== 'string') || (name !== undefined && typeof name !== 'string');
}

function notAnEvent(value: unknown): Shape {
  const object = typeof value === 'object' && value !== null && !Array.isArray(value);
  const type = object ? (value as Record<string, unknown>)['type'] : undefined;
  const met = !object ? `The frame holds ${inWords(value)}` : type === undefined ? 'The object has no type' : `The object's type is ${inWords(type)}`;
  const message = `${met}, so it is no event: send one JSON object with a non-empty string type a frame.`;
  return { event: null, type: null, excused: false, complaints: [{ rule: 'schema-not-an-event', subject: 'event', message }] };
}

function unknownType(state: ShapeState, type: string): Shape {
  const said = report();
  const nearest = nearestType(type);
  const hint = nearest === null ? 'send it as CUSTOM, or leave it out' : `did you mean ${nearest}?`;
  const message = `${quote(type)} is no event type of the protocol and the event is dropped: ${hint}${nearest === null ? '.' : ''}`;
  addOnce(state, said, { rule: 'schema-unknown-event-type', subject: type, message });
  return shapeOf(null, null, false, said);
}

/** The known or retired type an unknown one is read as, or null. A first misspelling must be structural; later ones need not be. */
function readType(state: ShapeState, type: string, said: Report): string | null {
  const meant = respell(type);
  if (meant === null || (state.dialect === null && !isStructural(meant))) return null;
  const message = `${quote(type)} is a misspelling of ${meant}, which a conforming client drops, leaving the run without its boundaries: send types in UPPER_SNAKE_CASE (from here on this stream is read as if they were).`;
  addDialect(state, said, { rule: 'version-dialect-type', subject: 'dialect', message });
  return meant;
}

function readFields(state: ShapeState, node: EventNode, event: AgentEvent, said: Report): AgentEvent {
  const field = missingTwin(node.anchors, event);
  if (field !== null) addDialect(state, said, dialectComplaint(`${node.type}.${snakeOf(field)}`, field));
  return state.dialect === null ? event : (camelFields(node, event) as AgentEvent);
}

function readRetired(state: ShapeState, event: AgentEvent, said: Report): AgentEvent {
  const { type } = event;
  const lost = type === 'THINKING_START' && event['title'] !== undefined ? ', its title is lost,' : '';
  const message = `${type} left the protocol${lost} and is read as ${replacementOf(type)} with an invented id: send REASONING_* events.`;
  addOnce(state, said, { rule: 'version-retired-event', subject: 'THINKING', message });
  return translateThinking(state, event);
}

function hasAnchors(node: EventNode, event: Readonly<Record<string, unknown>>): boolean {
  for (const key of node.anchors) if (event[key] === undefined) return false;
  return true;
}

/**
 * Steps 1–3 of the processing order: is it an event, in which spelling, of a retired kind, of a known type. The event comes back in
 * today's spelling, otherwise as sent. Never throws; updates `state`.
 */
export function classify(state: ShapeState, value: unknown): Shape {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notAnEvent(value);
  let event = value as AgentEvent;
  const sent: unknown = event.type;
  if (typeof sent !== 'string' || sent === '') return notAnEvent(value);
  const known = EVENT_NODES.get(sent);
  if (known !== undefined && state.dialect === null && hasAnchors(known, event)) {
    return { event, type: known.type, excused: isExcused(known, event), complaints: NONE };
  }
  const said = report();
  if (known === undefined && !RETIRED_TYPES.has(sent)) {
    const type = readType(state, sent, said);
    if (type === null) return unknownType(state, sent);
    event = { ...event, type };
  }
  if (RETIRED_TYPES.has(event.type)) event = readRetired(state, event, said);
  const node = EVENT_NODES.get(event.type)!;
  event = readFields(state, node, event, said);
  return shapeOf(event, node.type, isExcused(node, event), said);
}

/** What the walk found, once a dialect inside the event has been noted and read. */
function explained(state: ShapeState, node: EventNode, event: AgentEvent, said: Report) {
  const first = explain(node, event, state.dialect, state.reported);
  if (first.dialect === null) return first;
  addDialect(state, said, first.dialect);
  return explain(node, event, state.dialect, state.reported);
}

/**
 * Step 5 of the processing order: the schema, on an event that `classify` gave back. The event comes back without what is malformed
 * or unknown, and null when nothing is left of it. A patch is only asked to be there (absent: `schema-missing-field`; anything else is
 * for checker/patch.ts), and an empty interrupt list passes. Never throws; updates `state`.
 */
export function judge(state: ShapeState, type: EventType, event: AgentEvent): Shape {
  const node = EVENT_NODES.get(type)!;
  const fits = objectFits(node.object, event);
  if (fits && type !== 'RUN_STARTED') return { event, type, excused: false, complaints: NONE };
  const said = report();
  const { event: kept, remarks } = fits ? { event, remarks: [] } : explained(state, node, event, said);
  for (const { rule, subject, message, once, repeat } of remarks) {
    if (repeat) said.repeats.push({ rule, subject });
    else if (once) addOnce(state, said, { rule, subject, message });
    else said.complaints.push({ rule, subject, message });
  }
  const declared = event['protocolVersion'];
  if (type === 'RUN_STARTED' && (declared === undefined || typeof declared === 'string')) {
    const version = judgeVersion(declared);
    if (version) said.complaints.push(version);
  }
  return shapeOf(kept, type, isExcused(node, event), said);
}
