/** The changes that meet one event, made on its frame. */
import { applyPatch } from '../checker/patch.ts';
import type { Codec } from '../stream/types.ts';
import { bordered, frameFor, joined, withValue } from './frames.ts';
import type { Turn } from './outlet.ts';
import type { EventChange } from './plan.ts';
import { jsonOf } from './text.ts';

/** What a frame has become, in order. `apart`: not in one chunk with what is before. */
export type Deed = { readonly kind: 'send'; readonly parts: readonly Uint8Array[]; readonly apart?: boolean } | { readonly kind: 'turn'; readonly turn: Turn };

interface Met {
  readonly codec: Codec;
  /** The frame's bytes, a part a chunk. */
  readonly parts: readonly Uint8Array[];
  readonly values: readonly unknown[];
  /** Another frame is to come behind it, out of turn. */
  readonly followed: boolean;
  readonly changes: readonly { readonly no: number; readonly change: EventChange }[];
  readonly turnOf: (change: Extract<EventChange, { do: 'cut' | 'stall' | 'slow' | 'delay' }>) => Turn;
  /** Told of a change that cannot be made. */
  readonly refuse: (no: number, why: string) => void;
}

interface Work extends Met {
  /** The event's own frame, as often as it goes out. */
  own: readonly Uint8Array[];
  value: unknown;
  copies: number;
  split: { readonly offset: number; readonly pause: number } | null;
  swap: number | null;
  readonly before: Deed[];
  readonly inserted: { readonly before: Uint8Array[]; readonly after: Uint8Array[] };
  readonly after: Deed[];
}

const ONLY_PLACED = 'a JSON body is one document, in which events cannot be added, left out or moved';

/** What goes out in place of a frame, and the change that lets the next frame pass it, or null. */
export function changeFrame(met: Met): { readonly deeds: readonly Deed[]; readonly swap: number | null } {
  if (met.changes.length === 0 && !met.followed) return { deeds: [send(met.parts)], swap: null };
  const work: Work = {
    ...met,
    own: met.parts,
    value: met.values[0],
    copies: 1,
    split: null,
    swap: null,
    before: [],
    inserted: { before: [], after: [] },
    after: [],
  };
  for (const { no, change } of met.changes) makeChange(work, no, change);
  return { deeds: deedsOf(work), swap: work.swap };
}

function makeChange(work: Work, no: number, change: EventChange): void {
  const { codec, refuse, turnOf } = work;
  switch (change.do) {
    case 'cut':
    case 'stall':
      work.after.push({ kind: 'turn', turn: turnOf(change) });
      return;
    case 'delay':
    case 'slow':
      work.before.push({ kind: 'turn', turn: turnOf(change) });
      return;
    case 'set':
    case 'remove':
      changeField(work, no, change);
      return;
    case 'split':
      splitAt(work, no, change.offset, change.pause ?? 0);
      return;
    default:
  }
  if (codec === 'json') refuse(no, ONLY_PLACED);
  else if (change.do === 'drop') work.copies = 0;
  else if (change.do === 'duplicate') work.copies += work.copies === 0 ? 0 : (change.times ?? 1);
  else if (change.do === 'swap') work.swap = no;
  else insert(work, no, change);
}

function insert(work: Work, no: number, change: Extract<EventChange, { do: 'insert' }>): void {
  const frame = frameFor(work.codec, change.value, joined(work.parts));
  if (frame === null) work.refuse(no, work.codec === 'proto' ? 'protobuf has no such event' : 'JSON cannot carry such an event');
  else work.inserted['before' in change ? 'before' : 'after'].push(frame);
}

function splitAt(work: Work, no: number, offset: number, pause: number): void {
  const length = work.own.reduce((sum, part) => sum + part.length, 0);
  if (offset >= length) work.refuse(no, `the event’s frame has only ${length} bytes`);
  else work.split = { offset, pause };
}

function changeField(work: Work, no: number, change: Extract<EventChange, { do: 'set' | 'remove' }>): void {
  if (work.values.length !== 1) {
    work.refuse(no, 'its frame holds several events');
    return;
  }
  const changed = withField(work.value, change);
  if ('why' in changed) {
    work.refuse(no, changed.why);
    return;
  }
  const before = joined(work.own);
  const frame = withValue(work.codec, before, changed.value);
  // what protobuf has no place for it leaves out without a word
  const lost = work.codec === 'proto' && frame !== null && isSame(frame, before) && jsonOf(changed.value) !== jsonOf(work.value);
  if (frame === null || lost) {
    work.refuse(no, work.codec === 'proto' ? 'protobuf cannot carry the event so changed' : 'JSON cannot carry the event so changed');
    return;
  }
  work.value = changed.value;
  work.own = [frame];
}

/** A field that is there is replaced, one that is not is added where what would hold it is there. */
function withField(value: unknown, change: Extract<EventChange, { do: 'set' | 'remove' }>): { readonly value: unknown } | { readonly why: string } {
  const { field: path } = change;
  const ops = change.do === 'remove' ? [{ op: 'remove', path }] : ['replace', 'add'].map((op) => ({ op, path, value: change.value }));
  let why = '';
  for (const op of ops) {
    const result = applyPatch(copyOf(value), [op]);
    if (result.ok) return { value: result.doc };
    why = 'failed' in result ? result.failed.replace(/^Operation 0 \(.*?\) does not apply: |\.$/gs, '') : result.malformed;
  }
  return { why };
}

/** A copy that may be changed; of what is nested too deeply to be copied, nothing. */
function copyOf(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return null;
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function deedsOf(work: Work): Deed[] {
  const { before, inserted, after, copies } = work;
  const own = Array.from({ length: copies }, () => work.own);
  const frames = [...inserted.before.map((frame) => [frame]), ...own, ...inserted.after.map((frame) => [frame])];
  return [
    ...before,
    ...frames.flatMap((parts, index) => {
      if (parts !== work.own) return [send(parts)];
      return ownDeeds(work, work.followed || index < frames.length - 1 ? withBorder(work.codec, parts) : parts);
    }),
    ...after,
  ];
}

/** Only the last frame of a body may lack its border; it is to be no longer the last. */
function withBorder(codec: Codec, parts: readonly Uint8Array[]): readonly Uint8Array[] {
  const frame = joined(parts);
  const whole = bordered(codec, frame);
  return whole === frame ? parts : [whole];
}

function ownDeeds({ split }: Work, parts: readonly Uint8Array[]): Deed[] {
  if (!split) return [send(parts)];
  const frame = joined(parts);
  const pause: Deed[] = split.pause === 0 ? [] : [{ kind: 'turn', turn: { kind: 'later', ms: split.pause } }];
  return [send([frame.subarray(0, split.offset)]), ...pause, { kind: 'send', parts: [frame.subarray(split.offset)], apart: true }];
}

function send(parts: readonly Uint8Array[]): Deed {
  return { kind: 'send', parts };
}
