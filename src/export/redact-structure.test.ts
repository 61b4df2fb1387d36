import { encode } from '@ag-ui/proto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { randomOf } from '../checker/generator.ts';
import { EXAMPLES } from '../checker/shape/fixtures/examples.ts';
import type { Frame } from '../stream/index.ts';
import { addRecord, createRedactor, endRedaction, redact, summaryOf } from './redact.ts';
import { GROUPS, type Group } from './redact-groups.ts';
import { bodyOf, capture, chunksOf, decoder, encoder, eventsOf, framesOf, run, runEvents, runSse, SECRET, sse } from './redact-testing.ts';
import { describeRedaction } from './redaction-told.ts';

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

  it('says what was redacted, and nothing where nothing was', () => {
    const said = (groups: readonly Group[] | 'all') => describeRedaction(summaryOf(createRedactor({ groups: groups === 'all' ? 'all' : new Set(groups) })));
    expect(said('all')).toBe('Everything but the structure is redacted.');
    expect(said(['tool', 'text'])).toBe('Redacted: text, tool, and whatever belongs to no group. Ids and names are as captured.');
    expect(said([])).toBe('Nothing was redacted.');
    const records = capture('sse', [encoder.encode('data: x\n\n')]);
    expect(run(records, [])).toEqual(records);
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

  it('lines behind a gap at the start are found again, and what was filled is told', () => {
    const [request, response] = capture('ndjson', []);
    const gap: CaptureRecord = { kind: 'gap', conn: 0, gap: { time: 6, bytes: 3, chunks: 1, why: 'w' } };
    const bytes = encoder.encode(`${SECRET}"}\n{"type":"STEP_STARTED","stepName":"b","x":"${SECRET}"}\n`);
    const redactor = createRedactor({ groups: new Set<Group>(['text']) });
    const records: CaptureRecord[] = [request!, response!, gap, { kind: 'chunk', conn: 0, asked: 7, came: 8, bytes }];
    const text = decoder.decode(bodyOf([...records.flatMap((record) => addRecord(redactor, record)), ...endRedaction(redactor)]));
    expect(text).toMatch(/^x+\n\{"type":"STEP_STARTED","stepName":"b",/);
    expect(text).not.toContain('Secret');
    expect(describeRedaction(summaryOf(redactor))).toMatch(/ 23 bytes that were in no readable frame are filled\.$/);
  });

  it('what stands between values stays, byte for byte', () => {
    const [a, b] = ['a', 'b'].map((stepName) => JSON.stringify({ type: 'STEP_STARTED', stepName }));
    for (const [kind, text] of [
      ['json', `\n[\t${a}\r\n ,\n${b} ]\n`],
      ['ndjson', `${a}\r\n\n\u001e\n \n\u001e${b}\n\n`],
    ] as const) {
      expect(decoder.decode(bodyOf(run(capture(kind, [encoder.encode(text)]), ['text'])))).toBe(text);
    }
  });

  it('an EventSource without a content type is read as one', () => {
    const [request, , , end] = capture('sse', [encoder.encode('x')]);
    const source = { ...request, carrier: 'eventsource' } as CaptureRecord;
    const chunk: CaptureRecord = { kind: 'chunk', conn: 0, asked: 1, came: 1, bytes: encoder.encode(`{"x":"${SECRET}"}\ndata: {"type":"STEP_STARTED"}\n\n`) };
    const text = decoder.decode(bodyOf(run([source, chunk, end!])));
    expect(text).not.toContain('Secret');
    expect(text).toContain('\ndata: {"type":"STEP_STARTED"}\n\n');
  });

  it('a protobuf frame with a field beside the schema loses it, and that is told', () => {
    const message = encode({ type: 'STEP_STARTED', stepName: 'a' } as Parameters<typeof encode>[0]);
    const extra = [0xc2, 0x3e, 6, ...encoder.encode('Secret')];
    const frame = Uint8Array.from([0, 0, 0, message.length + extra.length, ...message, ...extra]);
    const redactor = createRedactor({ groups: new Set<Group>(['text']) });
    const after = [...capture('proto', [frame]).flatMap((record) => addRecord(redactor, record)), ...endRedaction(redactor)];
    expect(eventsOf(after)).toEqual([{ type: 'STEP_STARTED', stepName: 'a' }]);
    expect(decoder.decode(bodyOf(after))).not.toContain('Secret');
    expect(describeRedaction(summaryOf(redactor))).toMatch(/ 1 frames could not keep their size\.$/);
  });

  it('a time in other words becomes one in figures', () => {
    const interrupt = (expiresAt: string) => ({ type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ id: 'i', expiresAt }] } });
    const [event] = runEvents([interrupt('Tue, 01 Dec 2026 10:00:00 GMT')], ['text']);
    expect(event).toMatchObject(interrupt('2026-12-01T10:00:00.000Z'));
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
