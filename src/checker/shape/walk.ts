/** The state of one full walk over one event: where it is and what it has said. */
import type { EventNode } from './table.ts';
import type { Complaint, DialectRule } from './types.ts';
import type { ShapeRule } from './words.ts';

/** A complaint on its way out. `once`: made once a stream. `repeat`: it was made before, and has no message. */
export interface Remark extends Complaint {
  readonly once: boolean;
  readonly repeat: boolean;
}

export interface Walk {
  readonly node: EventNode;
  readonly dialect: DialectRule | null;
  /** `rule subject` of what this stream has reported. */
  readonly reported: ReadonlySet<string>;
  readonly path: (string | number)[];
  readonly remarks: Remark[];
  /** `rule subject` of the remarks: an event says each thing once. */
  readonly said: Set<string>;
  /** A dialect met inside the event. */
  found: Complaint | null;
}

export function remarkKey(rule: string, subject: string): string {
  return `${rule} ${subject}`;
}

/** `messages[3].content` as met, or `messages[].content` as the subject of a finding. */
function pathText(walk: Walk, indexed: boolean): string {
  let text = '';
  for (const step of walk.path) {
    if (typeof step === 'number') text += indexed ? `[${step}]` : '[]';
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/** The field the walk stands on, as a sentence names it: `RUN_FINISHED.outcome.interrupts[0].id`. */
export function place(walk: Walk): string {
  const path = pathText(walk, true);
  return path.length > 120 ? `${walk.node.type}.${path.slice(0, 119)}…` : `${walk.node.type}.${path}`;
}

/** (event family, field): both boundaries lacking one field are one finding. */
export function familySubject(walk: Walk): string {
  return `${walk.node.kind}.${pathText(walk, false)}`;
}

/** (type, field), for what is said once a stream. */
export function typeSubject(walk: Walk): string {
  return `${walk.node.type}.${pathText(walk, false)}`;
}

/** Notes a complaint unless this event has made it already. The sentence is only built when somebody will read it. */
export function remark(walk: Walk, rule: ShapeRule, subject: string, message: () => string, once = false): void {
  const key = remarkKey(rule, subject);
  if (walk.said.has(key)) return;
  walk.said.add(key);
  const repeat = once && walk.reported.has(key);
  walk.remarks.push({ rule, subject, message: repeat ? '' : message(), once, repeat });
}

/** Takes back what was said inside an object that is dropped whole, but for the last remark, which says why. */
export function keepOnlyReason(walk: Walk, mark: number): void {
  const reason = walk.remarks.pop();
  for (const { rule, subject } of walk.remarks.splice(mark)) walk.said.delete(remarkKey(rule, subject));
  if (reason) walk.remarks.push(reason);
}
