import { describe, expect, it } from 'vitest';
import { createStream, feed, finish } from '../stream/index.ts';
import type { Frame } from '../stream/types.ts';
import fieldCases from './fixtures/field-cases.json';
import { referenceStopsAt } from './index.ts';
import { fold, inputsOf, statusesOf, verdictsOf } from './testing.ts';
import type { CheckerInput, StreamEnd } from './types.ts';

interface FieldCase {
  readonly id: string;
  readonly group: string;
  readonly end: string;
  readonly events?: readonly unknown[];
  readonly transport: {
    readonly contentType: string;
    readonly chunks?: readonly string[];
    readonly repeat?: unknown;
    readonly requestBody?: unknown;
    readonly request?: { readonly body: unknown };
  };
  readonly expected: {
    readonly findings: readonly { readonly rule: string; readonly severity: string; readonly at: number }[];
    readonly advice?: readonly { readonly rule: string; readonly at: number }[];
    readonly runs?: readonly string[];
    readonly referenceClient?: string;
  };
}

const CASES = fieldCases as unknown as readonly FieldCase[];

/** Streams of other protocols: told apart before the checker, which never sees them. */
function isForeign({ id, group }: FieldCase): boolean {
  return group === 'not AG-UI' || id === 'gql-copilotkit-v1';
}

function inputsOfFrame({ no, faults, values, text }: Frame): CheckerInput[] {
  return [
    ...faults.map((fault): CheckerInput => ({ kind: 'fault', fault, frame: no, time: 0, ...(text === undefined ? {} : { text }) })),
    ...values.map((value): CheckerInput => ({ kind: 'event', value, frame: no, time: 0 })),
  ];
}

function bodyInputs({ transport, events, end }: FieldCase): CheckerInput[] {
  const ending: CheckerInput = { kind: 'end', end: end as StreamEnd, time: 0 };
  if (transport.repeat !== undefined) return [{ kind: 'fault', fault: 'frame-too-large', frame: 0, time: 0 }, ending];
  if (transport.chunks === undefined) return inputsOf(events ?? [], end as StreamEnd);
  const stream = createStream({ codec: 'sse' });
  const frames = transport.chunks.flatMap((chunk) => feed(stream, new TextEncoder().encode(chunk), 0));
  frames.push(...finish(stream, 0, end === 'closed').frames);
  return [...frames.flatMap(inputsOfFrame), ending];
}

function inputsOfCase(field: FieldCase): CheckerInput[] {
  if (isForeign(field)) return [];
  const { transport } = field;
  const body = transport.requestBody ?? transport.request?.body;
  return [
    ...(body === undefined ? [] : [{ kind: 'request', body, time: 0 } as const]),
    ...(transport.contentType === 'websocket' ? [] : [{ kind: 'response', status: 200, contentType: transport.contentType, time: 0 } as const]),
    ...bodyInputs(field),
  ];
}

describe('field cases', () => {
  it.each(CASES)('$id', (field) => {
    const { state } = fold(inputsOfCase(field));
    const { expected } = field;
    const found = verdictsOf(state).map(({ rule, severity, at }) => ({ rule, severity, at }));
    expect(found.filter(({ severity }) => severity !== 'advice')).toEqual(expected.findings);
    const allowed = (expected.advice ?? []).map(({ rule, at }) => `${rule}@${at}`);
    expect(found.filter(({ severity, rule, at }) => severity === 'advice' && !allowed.includes(`${rule}@${at}`))).toEqual([]);
    if (expected.runs !== undefined) expect(statusesOf(state).map(({ status }) => status)).toEqual(expected.runs);
  });

  it('are all 61', () => {
    expect(CASES).toHaveLength(61);
  });

  it.each(CASES.filter((field) => !isForeign(field) && field.end !== 'error' && ['rejected', 'resolved'].includes(field.expected.referenceClient ?? '')))(
    'the reference client stops in $id or not',
    (field) => {
      const { state } = fold(inputsOfCase(field));
      expect(referenceStopsAt(state) === null ? 'resolved' : 'rejected').toBe(field.expected.referenceClient);
    },
  );
});
