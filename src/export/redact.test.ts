import { encode } from '@ag-ui/proto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { randomOf } from '../checker/generator.ts';
import { EXAMPLES } from '../checker/shape/fixtures/examples.ts';
import { createStream, type Frame, feed, finish } from '../stream/index.ts';
import { writeRecord } from './index.ts';
import { addRecord, createRedactor, endRedaction, redact, summaryOf } from './redact.ts';
import { GROUPS, type Group } from './redact-groups.ts';

type Fields = Record<string, unknown>;
type Kind = 'sse' | 'ndjson' | 'json' | 'proto';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const SECRET = 'Zk9SecretPlumOrchard';

const TYPES: Readonly<Record<Kind, string>> = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  proto: 'application/vnd.ag-ui.event+proto',
};

function chunksOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const borders = [0, ...[...cuts].sort((a, b) => a - b), bytes.length];
  return borders.slice(1).map((to, index) => bytes.slice(borders[index]!, to));
}

function capture(kind: Kind, chunks: readonly Uint8Array[], body?: unknown): CaptureRecord[] {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return [
    {
      kind: 'request',
      conn: 0,
      carrier: 'fetch',
      document: { doc: 'd', url: 'http://localhost:3000/chat', frame: 0, time: 1 },
      request: { url: 'http://localhost/agent', method: 'POST', time: 2, ...(text === undefined ? {} : { body: { kind: 'text', text, size: text.length } }) },
    },
    { kind: 'response', conn: 0, response: { time: 3, status: 200, contentType: TYPES[kind] } },
    ...chunks.map((bytes, no): CaptureRecord => ({ kind: 'chunk', conn: 0, asked: 4 + no, came: 5 + no, bytes })),
    { kind: 'end', conn: 0, end: { time: 99, how: 'complete' } },
  ];
}

function bodyOf(records: readonly CaptureRecord[]): Uint8Array {
  return Uint8Array.from(records.flatMap((record) => (record.kind === 'chunk' ? [...record.bytes] : [])));
}

function framesOf(records: readonly CaptureRecord[]): Frame[] {
  const response = records.find((record) => record.kind === 'response');
  const stream = createStream({ codec: 'auto', contentType: response?.response.contentType ?? '' });
  const frames = records.flatMap((record) => (record.kind === 'chunk' ? feed(stream, record.bytes, record.came) : []));
  return [...frames, ...finish(stream, 99).frames];
}

const sse = (values: readonly unknown[]) => values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');
const eventsOf = (records: readonly CaptureRecord[]) => framesOf(records).flatMap((frame) => frame.values) as Fields[];
const textOf = (records: readonly CaptureRecord[]) => records.map(writeRecord).join('') + decoder.decode(bodyOf(records));
const run = (records: readonly CaptureRecord[], groups: readonly Group[] | 'all' = 'all') => [
  ...redact(records, { groups: groups === 'all' ? 'all' : new Set(groups), salt: 'grain' }),
];
const runSse = (text: string, groups: readonly Group[] | 'all' = 'all') => run(capture('sse', [encoder.encode(text)]), groups);
const runEvents = (events: readonly Fields[], groups: readonly Group[] | 'all' = 'all') => eventsOf(runSse(sse(events), groups));

/** Every place of a value: its path, and the value with `SECRET` there as a text and as a key. */
function plantings(value: unknown, path = ''): { path: string; planted: unknown }[] {
  const here = { path, planted: typeof value === 'string' ? SECRET : { [SECRET]: SECRET, more: [`${SECRET} twice ${SECRET}`] } };
  if (Array.isArray(value)) {
    const inner = value.flatMap((entry, index) =>
      plantings(entry, `${path}[${index}]`).map((made) => ({ path: made.path, planted: value.map((old, no) => (no === index ? made.planted : old)) })),
    );
    return [here, ...inner];
  }
  if (typeof value !== 'object' || value === null) return [here];
  const members = Object.entries(value).flatMap(([key, entry]) =>
    plantings(entry, `${path}.${key}`).map((made) => ({ path: made.path, planted: { ...value, [key]: made.planted } })),
  );
  return [here, ...members, { path: `${path}.+`, planted: { ...value, [SECRET]: SECRET, [`x_${SECRET}`]: { a: SECRET } } }];
}

const ALL_PLANTED = Object.entries(EXAMPLES).flatMap(([type, [full]]) =>
  plantings({ type, ...full }).map(({ path, planted }) => ({ name: `${type}${path}`, planted })),
);

describe('a planted secret', () => {
  it('is in none of the places the schema has, nor beside them, when everything is redacted', () => {
    expect(ALL_PLANTED.length).toBeGreaterThan(1000);
    const leaks = ALL_PLANTED.filter(({ planted }) => textOf(runSse(sse([planted]))).includes('Secret')).map(({ name }) => name);
    expect(leaks).toEqual([]);
  });

  it('keeps the size of the frame in each of them', () => {
    const before = encoder.encode(sse(ALL_PLANTED.map(({ planted }) => planted)));
    const records = capture('sse', [before]);
    const redactor = createRedactor({ groups: 'all', salt: 'grain' });
    const after = bodyOf([...records.flatMap((record) => addRecord(redactor, record)), ...endRedaction(redactor)]);
    expect(after.length).toBe(before.length);
    expect(summaryOf(redactor)).toMatchObject({ resizedFrames: 0, blindBytes: 0 });
    expect(framesOf(capture('sse', [after])).map(({ offset, length, faults }) => ({ offset, length, faults }))).toEqual(
      framesOf(records).map(({ offset, length, faults }) => ({ offset, length, faults })),
    );
  });

  const OWN: readonly (readonly [Group, Fields])[] = [
    ['text', { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: SECRET }],
    ['text', { type: 'TEXT_MESSAGE_CHUNK', delta: SECRET, name: SECRET }],
    ['text', { type: 'TEXT_MESSAGE_START', messageId: 'm', name: SECRET }],
    ['text', { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'user', content: [{ type: 'text', text: SECRET }] }] }],
    ['text', { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'system', content: SECRET, name: SECRET }] }],
    ['reasoning', { type: 'REASONING_MESSAGE_CONTENT', messageId: 'm', delta: SECRET }],
    ['reasoning', { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'm', encryptedValue: SECRET }],
    ['reasoning', { type: 'THINKING_START', title: SECRET }],
    ['reasoning', { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'reasoning', content: SECRET }] }],
    ['tool', { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: SECRET }],
    ['tool', { type: 'TOOL_CALL_CHUNK', delta: SECRET }],
    ['tool', { type: 'TOOL_CALL_RESULT', messageId: 'm', toolCallId: 'c', content: SECRET }],
    ['tool', { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'tool', content: 'x', error: SECRET, toolCallId: 'c' }] }],
    ['tool', { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'assistant', toolCalls: [{ id: 'c', function: { name: 'f', arguments: SECRET } }] }] }],
    ['state', { type: 'STATE_SNAPSHOT', snapshot: { [SECRET]: SECRET } }],
    ['state', { type: 'STATE_DELTA', delta: [{ op: 'add', path: `/${SECRET}`, value: SECRET, from: SECRET, [SECRET]: 1 }] }],
    ['activity', { type: 'ACTIVITY_SNAPSHOT', messageId: 'm', activityType: 'a', content: { [SECRET]: SECRET } }],
    ['activity', { type: 'ACTIVITY_DELTA', messageId: 'm', activityType: 'a', patch: [{ op: SECRET, path: SECRET }] }],
    ['custom', { type: 'CUSTOM', name: 'a.b', value: SECRET }],
    ['request', { type: 'RUN_STARTED', threadId: 't', runId: 'r', input: { messages: [{ id: 'm', role: 'user', content: SECRET }] } }],
    ['request', { type: 'RUN_STARTED', input: { state: SECRET, tools: [{ name: 'f', description: SECRET, parameters: SECRET }] } }],
    ['request', { type: 'RUN_STARTED', input: { context: [{ description: SECRET, value: SECRET }], forwardedProps: SECRET } }],
    ['urls', { type: 'MESSAGES_SNAPSHOT', messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', value: `http://a/${SECRET}` } }] }] }],
    ['ids', { type: 'STEP_STARTED', stepName: SECRET }],
    ['ids', { type: 'TOOL_CALL_START', toolCallId: SECRET, toolCallName: SECRET, parentMessageId: SECRET }],
    ['ids', { type: 'RUN_FINISHED', threadId: SECRET, runId: SECRET, usage: [{ provider: SECRET, model: SECRET }] }],
  ];

  it.each(OWN)('goes with group %s and stays without it: %j', (group, event) => {
    const others = GROUPS.filter((other) => other !== group && !(group === 'urls' && other === 'text') && !(group === 'request' && event['input']));
    expect(textOf(runSse(sse([event]), [group]))).not.toContain('Secret');
    const kept = group === 'request' ? (['ids', 'urls', 'custom'] as Group[]) : others;
    expect(textOf(runSse(sse([event]), kept))).toContain('Secret');
  });

  it.each([
    { type: 'RAW', event: { type: 'x', deep: [SECRET] } },
    { type: 'STEP_STARTED', stepName: 's', rawEvent: SECRET, metadata: { 'ag-ui': SECRET } },
    { type: 'RUN_ERROR', message: SECRET },
    { type: 'SUBAGENT_ERROR', subagentRunId: 's', message: SECRET },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r', result: SECRET },
    { type: SECRET, body: SECRET, messageId: SECRET },
    { type: 'STEP_STARTED', stepName: 's', [SECRET]: { id: SECRET } },
    { no: SECRET },
    [SECRET],
    SECRET,
  ])('that belongs to no group goes with any: %j', (event) => {
    for (const group of GROUPS) expect(textOf(runSse(sse([event]), [group]))).not.toContain('Secret');
    expect(textOf(runSse(sse([event]), []))).toContain('Secret');
  });

  it.each([
    `: ${SECRET}\n\n`,
    `event: ${SECRET}\ndata: {}\n\n`,
    `id: ${SECRET}\ndata: {}\n\n`,
    `retry: ${SECRET}\n${SECRET}: x\n${SECRET}\n\n`,
    `data: ${SECRET}\n\n`,
    `data: {"type":"TEXT_MESSAGE_CONTENT","delta":"${SECRET}"\n\n`,
    `data: {"type":"${SECRET}","delta":"${SECRET}"\n\n`,
    `data: data: {"a":"${SECRET}"}\n\n`,
    `data: {"a":"${SECRET}"}{"b":"${SECRET}"}\n\n`,
    `data: ${JSON.stringify(JSON.stringify({ type: 'RUN_ERROR', message: SECRET }))}\n\n`,
    `data: {"a":"${SECRET}",\r\ndata: "b":"${SECRET}"}\r\n\r\n`,
    `data: {"type":"TEXT_MESSAGE_CONTENT","delta":"${SECRET}`,
    `<html>${SECRET}</html>`,
    `data: {"type":"STEP_STARTED","stepName":"a","stepName":"${SECRET}"}\n\n`,
    `data: {"type":"CUSTOM","value":"\\u005ak9Secret","type":"RAW"}\n\n`,
  ])('is in no framing: %j', (text) => {
    const before = capture('sse', [encoder.encode(text)]);
    const after = run(before);
    expect(textOf(after)).not.toContain('Secret');
    expect(bodyOf(after).length).toBe(encoder.encode(text).length);
    expect(framesOf(after).map(({ offset, length, faults, values }) => [offset, length, faults, values.length])).toEqual(
      framesOf(before).map(({ offset, length, faults, values }) => [offset, length, faults, values.length]),
    );
  });

  it('is in no record', () => {
    const records: CaptureRecord[] = [
      {
        kind: 'request',
        conn: 0,
        carrier: 'fetch',
        document: { doc: SECRET, url: `https://${SECRET}:8080/${SECRET}`, frame: 0, time: 1 },
        request: {
          url: `http://user:${SECRET}@localhost:3000/api/${SECRET}/agent?token=${SECRET}&${SECRET}#${SECRET}`,
          method: SECRET,
          time: 2,
          body: { kind: 'text', text: `{"${SECRET}":"${SECRET}"`, size: 9, cut: true },
          stack: `at ${SECRET}`,
        },
      },
      { kind: 'request', conn: 1, carrier: 'file', document: null, request: { url: `${SECRET}.jsonl`, method: '', time: 2 } },
      { kind: 'request', conn: 2, carrier: 'fetch', document: null, request: { url: `data:text/plain,${SECRET}`, method: 'GET', time: 2 } },
      { kind: 'body', conn: 0, body: { kind: 'text', text: SECRET } },
      { kind: 'body', conn: 0, body: { kind: 'text', text: JSON.stringify({ method: SECRET, params: { agentId: SECRET }, body: { messages: [SECRET] } }) } },
      { kind: 'response', conn: 0, response: { time: 3, status: 200, statusText: SECRET, contentType: `text/event-stream; a=${SECRET}`, url: SECRET } },
      { kind: 'response', conn: 1, response: { time: 3, status: 200, contentType: `${SECRET}/${SECRET}+json` } },
      { kind: 'gap', conn: 0, gap: { time: 4, bytes: 1, chunks: 1, why: SECRET } },
      { kind: 'chunk', conn: 0, asked: 4, came: 5, bytes: encoder.encode(`"x ${SECRET}"}\n\ndata: {"a":"${SECRET}"}\n\n`) },
      { kind: 'end', conn: 0, end: { time: 5, how: 'network-error', message: SECRET } },
      { kind: 'chunk', conn: 0, asked: 6, came: 7, bytes: encoder.encode(SECRET) },
    ];
    const after = run(records);
    expect(textOf(after)).not.toMatch(/Secret/i);
    expect(after.map((record) => record.kind)).toEqual(records.map((record) => record.kind));
    expect(after[0]).toMatchObject({ request: { url: expect.stringMatching(/^http:\/\/\w+@localhost:3000\/api\/\w+\/agent\?\w+=\w+&\w+#\w+$/), time: 2 } });
    expect(after[5]).toMatchObject({ response: { contentType: expect.stringMatching(/^text\/event-stream;\w+$/) } });
    expect(after[6]).toMatchObject({ response: { contentType: expect.stringMatching(/^\w+\/\w+\+json$/) } });
  });
});

describe('other framings', () => {
  const events = Object.entries(EXAMPLES).map(([type, [full]]) => ({ type, ...full }));
  const secret = events.map((event) => ({ ...event, rawEvent: { [SECRET]: SECRET } }));
  const frame = (message: Uint8Array) => [0, 0, message.length >> 8, message.length & 255, ...message];

  it.each([
    ['ndjson', encoder.encode(secret.map((event) => `${JSON.stringify(event)}\r\n`).join(''))],
    ['json', encoder.encode(JSON.stringify(secret, null, 1))],
    ['ndjson', encoder.encode(`{"a":"${SECRET}"}\n\n\u001e${SECRET}\n[{"a":"${SECRET}"}]\n{"type":"${SECRET}`)],
    ['json', encoder.encode(`[{"a":"${SECRET}"}, ${SECRET} ,"${SECRET}", {"b":"${SECRET}`)],
    ['proto', Uint8Array.from(secret.flatMap((event) => frame(encode(event as unknown as Parameters<typeof encode>[0]))))],
    ['proto', Uint8Array.from([...frame(Uint8Array.of(0xca, 0x3e, 4, 0x53, 0x65, 0x63, 0x72)), ...frame(encoder.encode(SECRET)), ...encoder.encode(SECRET)])],
    ['proto', Uint8Array.from([0, 0, 0, 40, ...encoder.encode(SECRET)])],
  ] as const)('%s, cut anywhere', (kind, bytes) => {
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const before = capture(kind, chunksOf(bytes, cuts));
        const after = run(before);
        expect(textOf(after)).not.toContain('Secr');
        expect(framesOf(after).map(({ faults, values }) => [faults, values.length])).toEqual(
          framesOf(before).map(({ faults, values }) => [faults, values.length]),
        );
        expect(after.map((record) => (record.kind === 'chunk' ? record.bytes.length : 0))).toEqual(
          before.map((record) => (record.kind === 'chunk' ? record.bytes.length : 0)),
        );
      }),
      { numRuns: 10 },
    );
  });

  it('an unknown protobuf variant of any size stays one', () => {
    const field = (size: number) => [0xca, 0x3e, (size & 127) | 128, ((size >>> 7) & 127) | 128, (size >>> 14) & 127];
    for (const size of [0, 2, 54, 122, 124, 126, 128, 294, 0x3ffe, 0x4000, 70_000]) {
      const message = [...field(size), ...Array.from({ length: size }, (_, no) => (no % 2 === 0 ? 0x08 : 0x53))];
      const bytes = Uint8Array.from([0, message.length >> 16, (message.length >> 8) & 255, message.length & 255, ...message]);
      const before = capture('proto', [bytes]);
      expect(framesOf(before)).toMatchObject([{ faults: ['proto-unknown-arm'] }]);
      const after = run(before);
      expect(framesOf(after)).toMatchObject([{ faults: ['proto-unknown-arm'], length: bytes.length }]);
      expect(bodyOf(after).includes(0x53)).toBe(false);
    }
    // shorter and odd ones
    for (const message of [
      [0xca, 0x3e, 0],
      [0xca, 0x3e, 0x80, 0],
      [0xca, 0x3e, 3, 0x08, 0x80, 1],
    ]) {
      const before = capture('proto', [Uint8Array.from([0, 0, 0, message.length, ...message])]);
      expect(framesOf(before)).toMatchObject([{ faults: ['proto-unknown-arm'] }]);
      expect(framesOf(run(before))).toMatchObject([{ faults: ['proto-unknown-arm'], length: message.length + 4 }]);
    }
  });
});

describe('structure', () => {
  it('types, ids, roles, counts and times stay; ids go when asked, the same everywhere', () => {
    const events = [
      { type: 'RUN_STARTED', threadId: 't-1', runId: 'r-1', protocolVersion: '1.1', timestamp: 5 },
      { type: 'TEXT_MESSAGE_START', messageId: 'm-1', role: 'assistant' },
      { type: 'ACTIVITY_SNAPSHOT', messageId: 'a-1', activityType: 'plan', content: {}, replace: false },
      { type: 'RUN_FINISHED', threadId: 't-1', runId: 'r-1', outcome: { type: 'success' }, usage: [{ model: 'm', inputTokens: 7 }] },
    ];
    const kept = GROUPS.filter((group) => group !== 'ids');
    expect(runEvents(events, kept)).toEqual(events);
    const [started, , , finished] = runEvents(events);
    expect(started).toMatchObject({ type: 'RUN_STARTED', protocolVersion: '1.1', timestamp: 5 });
    expect(started!['threadId']).not.toBe('t-1');
    expect(finished).toMatchObject({ threadId: started!['threadId'], runId: started!['runId'], outcome: { type: 'success' }, usage: [{ inputTokens: 7 }] });
  });

  it('equal texts get equal stand-ins of the same bytes, different ones different', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 2, maxLength: 12 }), { minLength: 2, maxLength: 20 }), (texts) => {
        const [one, two] = runEvents([
          { type: 'CUSTOM', name: 'a', value: texts },
          { type: 'CUSTOM', name: 'a', value: texts },
        ]);
        expect(one).toEqual(two);
        const out = one!['value'] as string[];
        expect(out.map((text) => encoder.encode(text).length)).toEqual(texts.map((text) => encoder.encode(text.replaceAll('\ufffd', '.')).length));
        const free = texts.filter((text) => /^[!#-[\]-~]+$/.test(text));
        expect(new Set(free.map((text) => out[texts.indexOf(text)])).size).toBe(free.length);
      }),
    );
  });

  it('stays JSON of the same size however it was spelt', () => {
    const spelt = fc.tuple(fc.json(), fc.constantFrom(0, 1, 4)).map(([json, indent]) => JSON.stringify(JSON.parse(json), null, indent));
    const escaped = spelt.map((json) =>
      json.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).replaceAll('/', '\\/'),
    );
    const shape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shape);
      if (typeof value === 'object' && value !== null) return Object.keys(value).length;
      return value === null ? null : typeof value;
    };
    fc.assert(
      fc.property(fc.oneof(spelt, escaped), (json) => {
        const text = `{"type":"CUSTOM","name":"a","value":${json}}\n`;
        const after = run(capture('json', [encoder.encode(text)]));
        expect(bodyOf(after).length).toBe(encoder.encode(text).length);
        expect(shape(eventsOf(after)[0]!['value'])).toEqual(shape(JSON.parse(json)));
      }),
      { numRuns: 500 },
    );
  });

  it('fragments of arguments put together are still JSON', () => {
    const events = ['{"q', '": ', '"é\\n"', '}'].map((delta) => ({ type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta }));
    const joined = runEvents(events, ['tool']).map((event) => event['delta']);
    expect(joined.join('')).toMatch(/^[1-9]+$/);
  });

  it('the salt decides the stand-ins', () => {
    const text = sse([{ type: 'RUN_ERROR', message: 'hello there' }]);
    const of = (salt?: string) => decoder.decode(bodyOf([...redact(capture('sse', [encoder.encode(text)]), { groups: 'all', ...(salt ? { salt } : {}) })]));
    expect(new Set([of('a'), of('b'), of()]).size).toBe(3);
    expect(of('a')).toBe(of('a'));
  });

  it('texts of few letters get different stand-ins as long as there are any', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const [event] = runEvents([{ type: 'CUSTOM', name: 'a', value: letters }]);
    expect(new Set(event!['value'] as string[]).size).toBe(letters.length);
  });

  it('nesting deeper than the stack', () => {
    const deep = `${'['.repeat(50_000)}"${SECRET}"${']'.repeat(50_000)}`;
    const after = runSse(`data: {"type":"CUSTOM","name":"a","value":${deep}}\n\n`);
    expect(decoder.decode(bodyOf(after))).not.toContain('Secret');
    expect(framesOf(after)).toMatchObject([{ faults: [] }]);
  });

  it('records of other connections wait for a chunk whose frame is not complete, and keep their order', () => {
    const [request, response] = capture('sse', []);
    const chunk = (conn: number, text: string): CaptureRecord => ({ kind: 'chunk', conn, asked: 1, came: 1, bytes: encoder.encode(text) });
    const records = [request!, response!, chunk(0, 'data: {"a":'), chunk(1, 'data: {}\n\n'), chunk(0, '"b"}\n\n'), chunk(0, 'data: {"c"')];
    const redactor = createRedactor({ groups: 'all' });
    const counts = records.map((record) => addRecord(redactor, record).length);
    expect(counts).toEqual([1, 1, 0, 0, 3, 0]);
    expect(endRedaction(redactor)).toMatchObject([{ kind: 'chunk', conn: 0 }]);
  });

  it('bytes behind a gap are found again at the next frame', () => {
    const head = capture('sse', [encoder.encode(`data: {"type":"STEP_STARTED","stepName":"a"}\n\ndata: {"x":"${SECRET}`)]).slice(0, 3);
    const tail = encoder.encode(`${SECRET}"}\n\ndata: {"type":"STEP_STARTED","stepName":"b","x":"${SECRET}"}\n\n`);
    const after = run(
      [...head, { kind: 'gap', conn: 0, gap: { time: 6, bytes: 3, chunks: 1, why: 'w' } }, { kind: 'chunk', conn: 0, asked: 7, came: 8, bytes: tail }],
      ['text'],
    );
    const text = decoder.decode(bodyOf(after));
    expect(text).not.toContain('Secret');
    expect(text).toContain('"stepName":"b"');
  });
});

describe('fuzzed bodies', () => {
  it('keep their size, their frames and their faults', () => {
    const random = randomOf(20_261_201);
    const base = Object.entries(EXAMPLES).map(([type, [full]]) => `data: ${JSON.stringify({ type, ...full })}\n\n`);
    for (let no = 0; no < 150; no++) {
      const text = Array.from({ length: 3 }, () => random.pick(base)).join('');
      const bytes = encoder.encode(text);
      for (let edit = 0; edit < 4; edit++) bytes[random.int(bytes.length)] = random.pick([10, 13, 34, 92, 44, 123, 125, 58, 32, 200, 48, 255]);
      const before = capture('sse', chunksOf(bytes, [random.int(bytes.length)]));
      const after = run(before);
      expect(after).toHaveLength(before.length);
      const brief = (frames: readonly Frame[]) => frames.map(({ faults, values }) => [faults, values.length]);
      expect(brief(framesOf(after)), decoder.decode(bytes)).toEqual(brief(framesOf(before)));
    }
  });
});
