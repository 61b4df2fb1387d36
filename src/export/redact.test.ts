import { encode } from '@ag-ui/proto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { EXAMPLES } from '../checker/shape/fixtures/examples.ts';
import { addRecord, createRedactor, endRedaction, summaryOf } from './redact.ts';
import { GROUPS, type Group } from './redact-groups.ts';
import { bodyOf, capture, chunksOf, encoder, type Fields, framesOf, run, runSse, SECRET, sse, textOf } from './redact-testing.ts';

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

const FINDING = { rule: 'tool-args-not-json', at: 3, related: [2], run: 0, message: `it is ${SECRET}`, repeats: 1 };

describe('a planted secret', () => {
  it('is in none of the places the schema has, nor beside them, when everything is redacted', () => {
    expect(ALL_PLANTED.length).toBeGreaterThan(1000);
    const frames = framesOf(runSse(sse(ALL_PLANTED.map(({ planted }) => planted))));
    expect(frames).toHaveLength(ALL_PLANTED.length);
    expect(ALL_PLANTED.filter((_, no) => JSON.stringify(frames[no]?.values).includes('Secret')).map(({ name }) => name)).toEqual([]);
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
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'x', rawEvent: SECRET, metadata: { a: SECRET } },
    { type: 'CUSTOM', name: 'a.b', value: 1, rawEvent: [SECRET], metadata: SECRET },
    { type: 'STATE_SNAPSHOT', snapshot: {}, timestamp: SECRET, subagentRunId: [SECRET] },
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
    `data: {"type":"CUSTOM","value":{"a":{"x":"${SECRET}"}},"value":7}\n\n`,
    `data: {"type":"CUSTOM","value":{"x":"${SECRET}"},"value":{"y":1}}\n\n`,
    `data:\ndata: {"a":"${SECRET}"}\ndata\n\n`,
    `data: {"type":"STATE_DELTA","delta":["${SECRET}",{"op":"add"}]}\n\n`,
    `data: {"type":"CUSTOM","name":"a.b","value":["\\ud83d${SECRET}",1e30]}\n\n`,
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
      { kind: 'request', conn: 3, carrier: 'fetch', document: null, request: { url: `http://${SECRET}:80:${SECRET}/`, method: 'GET', time: 2 } },
      { kind: 'body', conn: 0, body: { kind: 'text', text: SECRET } },
      { kind: 'body', conn: 0, body: { kind: 'text', text: JSON.stringify({ [SECRET]: [SECRET] }) } },
      { kind: 'body', conn: 0, body: { kind: 'text', text: JSON.stringify({ method: 'agent/run', params: SECRET, [SECRET]: 1, body: { messages: [] } }) } },
      {
        kind: 'body',
        conn: 0,
        body: { kind: 'text', text: JSON.stringify({ method: 'agent/run', params: { agentId: 'a', [SECRET]: SECRET }, body: { messages: [] } }) },
      },
      {
        kind: 'findings',
        conn: 0,
        rules: [SECRET, 'tool-args-not-json'],
        findings: [
          { ...FINDING, rule: 'tool-args-not-json' },
          { ...FINDING, rule: SECRET },
        ],
      },
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
    const types = after.flatMap((record) => (record.kind === 'response' ? [record.response.contentType] : []));
    expect(types).toEqual([expect.stringMatching(/^text\/event-stream;\w+$/), expect.stringMatching(/^\w+\/\w+\+json$/)]);
  });
});

it('what says nothing stays in a record: known phrases and parameters, the place of a finding, a body that is none', () => {
  const response = { time: 3, status: 404, statusText: 'Not Found', contentType: 'text/event-stream; charset=utf-8' };
  const records: CaptureRecord[] = [
    { kind: 'request', conn: 0, carrier: 'fetch', document: null, request: { url: '', method: 'post', time: 2, body: { kind: 'none' } } },
    { kind: 'body', conn: 0, body: { kind: 'text', text: '  \n' } },
    { kind: 'response', conn: 0, response },
    { kind: 'replay', conn: 0, replay: { time: 3, of: '' } },
    { kind: 'end', conn: 0, end: { time: 5, how: 'complete' } },
  ];
  expect(run(records)).toEqual(records);
  const recorded: CaptureRecord = { kind: 'findings', conn: 0, protocol: '1.1', rules: ['tool-args-not-json'], findings: [{ ...FINDING, frame: 4 }] };
  expect(run([recorded])).toMatchObject([{ rules: ['tool-args-not-json'], findings: [{ at: 3, frame: 4, related: [2], run: 0, repeats: 1 }] }]);
});

describe('other framings', () => {
  const events = Object.entries(EXAMPLES).map(([type, [full]]) => ({ type, ...full }));
  const secret = events.map((event) => ({ ...event, rawEvent: { [SECRET]: SECRET } }));
  const frame = (message: Uint8Array) => [0, 0, message.length >> 8, message.length & 255, ...message];

  it.each([
    ['ndjson', encoder.encode(secret.map((event) => `${JSON.stringify(event)}\r\n`).join(''))],
    ['json', encoder.encode(JSON.stringify(secret, null, 1))],
    ['ndjson', encoder.encode(`\ufeff{"a":"${SECRET}"}\n\u001e\n\u00a0\n{"b":"${SECRET}"}\n`)],
    ['json', Uint8Array.from([0xef, ...encoder.encode(`[{"a":"${SECRET}"},\u0001{"b":2}]`)])],
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
