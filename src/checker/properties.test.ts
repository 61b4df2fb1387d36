import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../protocol/events.ts';
import { EDITS, editStream } from './edits.ts';
import { cleanStream, randomOf } from './generator.ts';
import { check, createChecker, findingsOf, runsOf } from './index.ts';
import { fold, foldEvents, inputsOf } from './testing.ts';
import type { CheckerInput, CheckResult } from './types.ts';

const anyJson = fc.jsonValue({ maxDepth: 4 });

/** Events that look real enough to get past the first look: right types, known fields, any values. */
const oddEvent = fc.record(
  {
    type: fc.oneof(fc.constantFrom(...EVENT_TYPES), fc.constantFrom('run_started', 'THINKING_START', 'X', '__proto__', '')),
    messageId: fc.oneof(fc.constantFrom('m1', 'm2', '', '__proto__'), anyJson),
    toolCallId: fc.oneof(fc.constantFrom('m1', 'c1', 'constructor'), anyJson),
    toolCallName: fc.oneof(fc.constant('pay'), anyJson),
    stepName: fc.oneof(fc.constantFrom('a', '__proto__'), anyJson),
    runId: fc.oneof(fc.constantFrom('r1', 'r2', '__proto__'), anyJson),
    threadId: fc.oneof(fc.constantFrom('th', '__proto__'), anyJson),
    subagentRunId: fc.oneof(fc.constantFrom('s1', 's2', '', '__proto__'), anyJson),
    parentSubagentRunId: fc.oneof(fc.constantFrom('s1', 's2'), anyJson),
    delta: anyJson,
    patch: anyJson,
    snapshot: anyJson,
    content: anyJson,
    messages: anyJson,
    outcome: fc.oneof(
      anyJson,
      fc.record({ type: fc.constantFrom('success', 'interrupt', 'cancelled', 'odd'), interrupts: anyJson, pendingToolCallIds: anyJson }),
    ),
    usage: anyJson,
    input: anyJson,
    role: anyJson,
    entityId: fc.constantFrom('m1', 'c1'),
    subtype: fc.constantFrom('message', 'tool-call', 'odd'),
    protocolVersion: anyJson,
  },
  { requiredKeys: ['type'] },
);

const FAULTS = [
  'frame-not-json',
  'frame-not-one-event',
  'line-endings',
  'unterminated-frame',
  'frame-too-large',
  'proto-undecodable',
  'proto-unknown-arm',
] as const;

const anyInput: fc.Arbitrary<CheckerInput> = fc.oneof(
  { weight: 20, arbitrary: fc.oneof(oddEvent, anyJson).map((value) => ({ kind: 'event', value, frame: 0, time: 0 }) as CheckerInput) },
  { weight: 1, arbitrary: anyJson.map((body) => ({ kind: 'request', body, time: 0 }) as CheckerInput) },
  { weight: 1, arbitrary: fc.string().map((contentType) => ({ kind: 'response', status: 200, contentType, time: 0 }) as CheckerInput) },
  { weight: 1, arbitrary: fc.constantFrom(...FAULTS).map((fault) => ({ kind: 'fault', fault, frame: 0, time: 0 }) as CheckerInput) },
  { weight: 1, arbitrary: fc.integer().map((time) => ({ kind: 'tick', time }) as CheckerInput) },
  { weight: 1, arbitrary: fc.constantFrom('closed', 'error', 'aborted', 'open').map((end) => ({ kind: 'end', end, time: 0 }) as CheckerInput) },
);

function editedStream(seed: number): unknown[] {
  const random = randomOf(seed);
  let events: unknown[] = cleanStream(random);
  for (let edits = random.int(4); edits > 0; edits -= 1) events = editStream(random, events as never, random.pick(EDITS)) ?? events;
  return events;
}

describe('properties', () => {
  it('no input throws, and findings keep to their bounds', () => {
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 60 }), (inputs) => {
        const { state } = fold(inputs);
        for (const [id, finding] of findingsOf(state).entries()) {
          expect(finding.id).toBe(id);
          expect(finding.message).toMatch(/\S/);
          expect([...finding.related].sort((a, b) => a - b)).toEqual(finding.related);
          for (const at of finding.related) expect(at).toBeLessThanOrEqual(Math.max(finding.at, 0));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('a state saved at any point goes on as if it had not been', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(100), (seed, share) => {
        const inputs = inputsOf(editedStream(seed));
        const whole = fold(inputs);
        const cut = Math.floor((inputs.length * share) / 100);
        const first = fold(inputs.slice(0, cut));
        const saved = structuredClone(first.state);
        const rest = inputs.slice(cut).map((input) => check(saved, input));
        expect(findingsOf(saved)).toEqual(findingsOf(whole.state));
        expect(runsOf(saved)).toEqual(runsOf(whole.state));
        expect(rest.map(({ facts }) => facts)).toEqual(whole.results.slice(cut).map(({ facts }) => facts));
      }),
      { numRuns: 150 },
    );
  });

  it('events handed in are not changed, nor is what was handed out', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const events = editedStream(seed);
        const before = structuredClone(events);
        const state = createChecker();
        const results: { result: CheckResult; copy: unknown }[] = [];
        for (const input of inputsOf(events)) {
          const result = check(state, input);
          results.push({ result, copy: structuredClone(result.facts) });
        }
        expect(events).toEqual(before);
        for (const { result, copy } of results) expect(result.facts).toEqual(copy);
      }),
      { numRuns: 100 },
    );
  });

  it('facts open each item once, and close it after', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { results } = fold(inputsOf(editedStream(seed)));
        const open = new Set<number>();
        let next = 0;
        for (const { facts } of results) {
          for (const told of facts) {
            if (told.kind === 'item-opened') {
              expect(told.item).toBe(next);
              next += 1;
              open.add(told.item);
            }
            if (told.kind === 'item-closed') expect(open.delete(told.item), `item ${told.item}`).toBe(true);
          }
        }
        expect([...open]).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('findings do not depend on rules that are off, apart from being there', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const events = editedStream(seed);
        const all = findingsOf(foldEvents(events));
        const rule = all[0]?.rule;
        fc.pre(rule !== undefined);
        const fewer = findingsOf(foldEvents(events, 'closed', { rules: { [rule!]: false } }));
        expect(fewer.map(({ rule: name, at }) => `${name}@${at}`)).toEqual(
          all.filter((finding) => finding.rule !== rule).map(({ rule: name, at }) => `${name}@${at}`),
        );
      }),
      { numRuns: 150 },
    );
  });
});
