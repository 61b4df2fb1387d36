import { EventSchema } from '@ag-ui/core/schemas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type AgentEvent, EVENT_TYPES, type EventType } from '../../protocol/events.ts';
import { EXAMPLES } from './fixtures/examples.ts';
import { classify, createShapeState, judge, type Shape } from './index.ts';

z.config({ jitless: true });

type Fields = Record<string, unknown>;

/** Rules about material the published validators let pass: they are no part of the comparison. */
const BEYOND_ZOD: ReadonlySet<string> = new Set([
  'schema-unknown-property',
  'interrupt-on-other-outcome',
  'subagent-success-with-interrupts',
  'schema-reserved-metadata-key',
  'reasoning-encrypted-type-orphan',
  'version-undeclared',
  'version-newer',
  'version-uninterpretable',
]);

/** Rules that may drop the object a field stands in, and with it what else is wrong there. */
const DROPS: ReadonlySet<string> = new Set([
  'schema-unknown-union-member',
  'schema-unknown-enum-value',
  'reasoning-encrypted-unknown-subtype',
  'version-retired-shape',
]);

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const plain = (path: readonly PropertyKey[]) => path.map((step) => (typeof step === 'number' ? '[]' : `.${String(step)}`)).join('');

interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly note?: string;
  readonly errors?: readonly (readonly Issue[])[];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => (at as Fields)[step as string], value);
}

/** Index-free paths of what the validators reject. */
function zodPaths(event: Fields, issues: readonly Issue[], prefix: readonly PropertyKey[] = []): string[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'too_small' && path.at(-1) === 'interrupts') return [];
    if (issue.code === 'invalid_union' && issue.note === 'No matching discriminator') return [plain(path.slice(0, -1))];
    if (issue.code === 'invalid_union' && Array.isArray(valueAt(event, path))) return zodPaths(event, issue.errors?.[1] ?? [], path);
    return [plain(path)];
  });
}

function ourPath(subject: string): string {
  return subject === 'outcome' ? '.outcome' : subject.slice(subject.indexOf('.'));
}

function judged(event: Fields): Shape {
  const state = createShapeState();
  const { type, event: classified } = classify(state, event);
  return judge(state, type!, classified!);
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, 0, -1, 1.5, 1e300, '', 'x', 'assistant', 'reasoning', 'tool', 'text', 'image', true, false),
  fc.constantFrom<unknown>({}, [], [[]], [null], [5], ['x'], { type: 'zzz' }, { type: 'success' }, { type: 'interrupt', interrupts: [] }),
  fc.constantFrom<unknown>(
    { role: 'user', id: 'q' },
    { type: 'image', source: { type: 'zzz' } },
    { type: 'binary', mimeType: 'a/b', data: 'x' },
    { 'ag-ui': 1 },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

const edit = fc.record({ where: fc.nat(), what: fc.constantFrom('set', 'set', 'delete', 'add', 'insert', 'tag'), value: junk });

function containers(value: unknown, out: (Fields | unknown[])[] = []): (Fields | unknown[])[] {
  if (typeof value !== 'object' || value === null) return out;
  out.push(value as Fields);
  for (const inner of Object.values(value)) containers(inner, out);
  return out;
}

/** Applies one edit somewhere in the event, leaving its `type` alone. */
function mutate(event: Fields, { where, what, value }: { where: number; what: string; value: unknown }): void {
  const places = containers(event);
  const place = places[where % places.length]!;
  if (Array.isArray(place)) {
    if (what === 'insert') place.push(structuredClone(value));
    else if (place.length > 0) place[where % place.length] = structuredClone(value);
    return;
  }
  const keys = Object.keys(place).filter((key) => place !== event || key !== 'type');
  const key = keys[where % Math.max(1, keys.length)];
  if (what === 'add' || key === undefined) place['futureField'] = structuredClone(value);
  else if (what === 'delete') delete place[key];
  else if (what === 'tag' && 'type' in place && place !== event) place['type'] = 'zzz';
  else place[key] = structuredClone(value);
}

const edited = fc
  .record({ type: fc.constantFrom(...EVENT_TYPES), which: fc.constantFrom(0, 0, 1), edits: fc.array(edit, { maxLength: 3 }) })
  .map(({ type, which, edits }) => {
    const event: Fields = { type, ...structuredClone(EXAMPLES[type][which as 0 | 1]) };
    for (const each of edits) mutate(event, each);
    return event;
  });

test('the walker and the published validators reject the same fields, on 20,000 edited events', () => {
  let rejected = 0;
  fc.assert(
    fc.property(edited, (event) => {
      const parsed = EventSchema.safeParse(event);
      const patch = event['type'] === 'STATE_DELTA' ? '.delta' : event['type'] === 'ACTIVITY_DELTA' ? '.patch' : null;
      const isPatchContent = (path: string) => patch !== null && path.startsWith(patch) && event[patch.slice(1)] !== undefined;
      const theirs = new Set(parsed.success ? [] : zodPaths(event, parsed.error.issues as Issue[]).filter((path) => !isPatchContent(path)));
      const complaints = judged(event).complaints.filter(({ rule, subject }) => !BEYOND_ZOD.has(rule) && !subject.includes('encryptedValueType'));
      const ours = new Set(complaints.map(({ subject }) => ourPath(subject)));
      const dropped = complaints.filter(({ rule }) => DROPS.has(rule)).map(({ subject }) => ourPath(subject).replace(/(\.[^.[]+|\[\])$/, ''));
      if (theirs.size > 0) rejected += 1;
      for (const path of ours) expect(theirs, JSON.stringify({ event, complaints })).toContain(path);
      const unexplained = [...theirs].filter((path) => !ours.has(path) && !dropped.some((root) => path.startsWith(root)));
      expect(unexplained, JSON.stringify({ event, complaints })).toEqual([]);
      expect(ours.size === 0).toBe(theirs.size === 0);
    }),
    { numRuns: 20_000 },
  );
  expect(rejected).toBeGreaterThan(5_000);
  // a hang limit for a busy machine that measures coverage
}, 300_000);

test('what is left of an event has nothing wrong with it but missing fields', () => {
  fc.assert(
    fc.property(edited, (event) => {
      const { event: left, type } = judged(event);
      if (left === null) return;
      const again = judge(createShapeState(), type!, left);
      const still = again.complaints.filter(({ rule }) => rule !== 'schema-missing-field' && !BEYOND_ZOD.has(rule));
      expect(still, JSON.stringify(event)).toEqual([]);
      expect(again.complaints.map(({ rule }) => rule)).not.toContain('schema-unknown-property');
    }),
    { numRuns: 5_000 },
  );
});

test('no JSON value makes it throw, and the state survives a structured clone', () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.record({
      type: fc.oneof(fc.constantFrom<string>(...EVENT_TYPES, 'run_started', 'ThinkingStart', 'THINKING_END', '__proto__', 'constructor'), fc.string()),
    }),
    fc
      .tuple(fc.constantFrom<string>(...EVENT_TYPES, 'runStarted', 'THINKING_START'), fc.jsonValue())
      .map(([type, rest]) => ({ ...(isObject(rest) ? rest : { metadata: rest, messages: rest, outcome: rest }), type })),
    edited,
  );
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 6 }), (values) => {
      let state = createShapeState();
      for (const value of values) {
        const before = JSON.stringify(value);
        const shape = classify(state, value);
        if (shape.type !== null && shape.event !== null) judge(state, shape.type, shape.event);
        expect(JSON.stringify(value)).toBe(before);
        state = structuredClone(state);
      }
    }),
    { numRuns: 5_000 },
  );
});

test('the fast path and the full walk agree: an extra unknown property changes no other verdict', () => {
  const strip = ({ complaints }: Shape) => complaints.filter(({ subject }) => !subject.endsWith('.zzzUnknown'));
  fc.assert(
    fc.property(edited, (event) => {
      expect(strip(judged({ ...event, zzzUnknown: 1 }))).toEqual(judged(event).complaints);
    }),
    { numRuns: 3_000 },
  );
});

test('every example is an event of its type', () => {
  for (const type of EVENT_TYPES) {
    for (const example of EXAMPLES[type]) {
      const event = { type, ...example } as unknown as AgentEvent;
      expect(classify(createShapeState(), event)).toEqual({ event, type: type satisfies EventType, excused: false, complaints: [] });
      expect(judge(createShapeState(), type, event).event).toEqual(event);
    }
  }
});
