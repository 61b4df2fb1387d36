import { encode } from '@ag-ui/proto';
import { describe, expect, it } from 'vitest';
import type { CaptureRecord } from '../capture/types.ts';
import { RULES } from '../checker/catalogue.ts';
import { writeHeader, writeRecord } from '../export/index.ts';
import { run } from './program.ts';
import { useFolder } from './testkit.ts';

const encoder = new TextEncoder();
const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
const finished = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
const clean = [started, { type: 'STEP_STARTED', stepName: 's' }, { type: 'STEP_FINISHED', stepName: 's' }, finished];
const bad = [started, { type: 'STEP_FINISHED', stepName: 's' }, finished];
const jsonl = (events: readonly object[]): string => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const sse = (events: readonly object[]): string => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

const { file } = useFolder();

async function runlens(args: readonly string[], stdin: readonly Uint8Array[] = []) {
  let out = '';
  let err = '';
  async function* input() {
    yield* stdin;
  }
  const code = await run(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    stdin: input(),
    look: { colour: false, width: 100 },
    live: false,
    version: '1.2.3',
  });
  return { code, out, err };
}

async function checked(...args: string[]) {
  const { code, out, err } = await runlens(['check', '--format', 'json', ...args]);
  return {
    code,
    err,
    lines:
      out.trim() === ''
        ? []
        : out
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line)),
  };
}

describe('kinds, told by content', () => {
  const proto = (events: readonly object[]): Uint8Array =>
    Uint8Array.from(
      events.flatMap((event) => {
        const message = encode(event as Parameters<typeof encode>[0]);
        return [0, 0, message.length >> 8, message.length & 255, ...message];
      }),
    );

  it.each<[string, string, string | Uint8Array]>([
    ['events-jsonl', 'a.jsonl', jsonl(bad)],
    ['events-json', 'b.json', `\ufeff${JSON.stringify(bad, null, 2)}`],
    ['sse', 'c.sse', sse(bad)],
    ['proto', 'd.bin', proto(bad)],
    ['capture', 'e.jsonl', capture(sse(bad))],
  ])('%s', async (kind, name, content) => {
    const path = file(name, content);
    const { code, lines } = await checked(path);
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ file: path, kind, connections: [{ end: 'closed', events: 3, stopsAt: 1, referenceStopsAt: 1 }] });
    expect(lines[0].connections[0].findings).toEqual([
      {
        rule: 'step-not-open',
        severity: 'violation',
        at: 1,
        frame: lines[0].connections[0].findings[0].frame,
        related: [],
        run: 0,
        message: expect.any(String),
      },
    ]);
    expect(lines[0].connections[0].runs).toEqual([
      { runId: 'r', threadId: 't', status: 'rejected-by-violation', ending: 'finished/success', verdict: 'rejected at 1', firstEvent: 0, lastEvent: 2 },
    ]);
  });

  it('prints exactly the fields it promises', async () => {
    const [line] = (await checked(file('fields.jsonl', jsonl(bad)))).lines;
    expect(Object.keys(line)).toEqual(['file', 'kind', 'connections']);
    expect(Object.keys(line.connections[0])).toEqual(['end', 'events', 'findings', 'runs', 'stopsAt', 'referenceStopsAt']);
  });

  it('--as overrides the content', async () => {
    const path = file('as.txt', sse(clean));
    expect((await checked('--as', 'events-jsonl', path)).code).toBe(2);
    expect((await checked('--as', 'sse', path)).code).toBe(0);
  });

  it('- is standard input, cut anywhere', async () => {
    const bytes = encoder.encode(sse(clean));
    const pieces = [...bytes].map((byte) => Uint8Array.of(byte));
    const { code, out } = await runlens(['check', '--format', 'json', '-'], pieces);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ file: '-', kind: 'sse', connections: [{ events: 4, findings: [] }] });
  });

  it('takes a recorder’s extras off', async () => {
    const path = file('extras.jsonl', jsonl(clean.map((event, index) => ({ ...event, _timestamp: 5.5, _offset_ms: index, _index: index }))));
    expect(await checked(path)).toMatchObject({ code: 0, lines: [{ connections: [{ findings: [] }] }] });
  });
});

function capture(body: string, extra: readonly CaptureRecord[] = []): string {
  const records: CaptureRecord[] = [
    { kind: 'request', conn: 0, carrier: 'fetch', document: null, request: { url: 'http://localhost/agent', method: 'POST', time: 1 } },
    { kind: 'response', conn: 0, response: { time: 2, status: 200, contentType: 'text/event-stream' } },
    { kind: 'chunk', conn: 0, asked: 3, came: 4, bytes: encoder.encode(body) },
    { kind: 'end', conn: 0, end: { time: 5, how: 'complete' } },
    ...extra,
  ];
  return writeHeader({ created: 'now', app: '0' }) + records.map(writeRecord).join('');
}

describe('captures', () => {
  it('names another protocol and does not judge it', async () => {
    const path = file('foreign.jsonl', capture('data: {"type":"message_start","message":{}}\n\ndata: {"type":"message_stop"}\n\n'));
    const { code, lines } = await checked(path);
    expect(code).toBe(0);
    expect(lines[0].connections).toMatchObject([{ foreign: 'Anthropic Messages', findings: [], runs: [] }]);
    expect((await runlens(['check', path])).out).toContain('not AG-UI but Anthropic Messages: not judged');
  });

  it('judges up to a gap and no further', async () => {
    const text =
      writeHeader({ created: 'now', app: '0' }) +
      (
        [
          { kind: 'response', conn: 0, response: { time: 2, status: 200, contentType: 'text/event-stream' } },
          { kind: 'chunk', conn: 0, asked: 3, came: 4, bytes: encoder.encode(sse([started])) },
          { kind: 'gap', conn: 0, gap: { time: 5, bytes: 77, chunks: 2, why: 'too fast' } },
          { kind: 'chunk', conn: 0, asked: 6, came: 7, bytes: encoder.encode(sse([{ type: 'STEP_FINISHED', stepName: 'x' }])) },
          { kind: 'end', conn: 0, end: { time: 8, how: 'complete' } },
        ] satisfies CaptureRecord[]
      )
        .map(writeRecord)
        .join('');
    const path = file('gap.jsonl', text);
    expect(await checked(path)).toMatchObject({ code: 0, lines: [{ connections: [{ events: 1, findings: [], runs: [{ status: 'truncated' }] }] }] });
    expect((await runlens(['check', path])).out).toContain('77 bytes of this stream are missing');
  });

  it('keeps the endings they recorded; --end is for streams without one', async () => {
    const open = sse([started]);
    const path = file('endings.jsonl', capture(open));
    expect((await checked('--end', 'aborted', path)).lines[0].connections[0]).toMatchObject({ end: 'closed', runs: [{ status: 'truncated' }] });
    const raw = file('open.sse', open);
    expect((await checked('--end', 'open', raw)).lines[0].connections[0]).toMatchObject({ end: 'open', findings: [], runs: [{ status: 'active' }] });
    expect((await checked('--end', 'aborted', raw)).lines[0].connections[0]).toMatchObject({ end: 'aborted', findings: [], runs: [{ status: 'truncated' }] });
    expect((await checked(raw)).lines[0].connections[0].findings).toMatchObject([{ rule: 'run-truncated' }]);
  });
});

describe('rules, threshold and exit codes', () => {
  const deviating = jsonl([started, { ...finished, runId: 'other' }]);

  it('--fail-on', async () => {
    const path = file('deviating.jsonl', deviating);
    for (const [threshold, code] of [
      ['violation', 0],
      ['deviation', 1],
      ['advice', 1],
      ['none', 0],
    ] as const)
      expect((await checked('--fail-on', threshold, path)).code).toBe(code);
    expect((await checked('--fail-on', 'none', file('v.jsonl', jsonl(bad)))).code).toBe(0);
  });

  it('--disable and --enable', async () => {
    expect((await checked('--disable', 'step-not-open', file('disabled.jsonl', jsonl(bad)))).lines[0].connections[0].findings).toEqual([]);
    const off = RULES.find((rule) => rule.id === 'version-undeclared')!;
    expect(off.off).toBe(true);
    const path = file('enabled.jsonl', jsonl(clean));
    expect((await checked(path)).lines[0].connections[0].findings).toEqual([]);
    expect(
      (await checked('--enable', `run-without-content,${off.id}`, path)).lines[0].connections[0].findings.map((finding: { rule: string }) => finding.rule),
    ).toContain(off.id);
  });

  it('--request', async () => {
    const request = file('request.json', JSON.stringify({ threadId: 't', runId: 'asked', messages: [], tools: [], context: [], state: {} }));
    const { lines } = await checked('--request', request, file('answer.jsonl', jsonl(clean)));
    expect(lines[0].connections[0].findings).toMatchObject([{ rule: 'run-request-id-mismatch', severity: 'deviation' }]);
  });

  it.each([
    [['check'], 'Which file?'],
    [['check', '--enable', 'step-opened', 'x'], 'There is no rule "step-opened". Did you mean step-already-open'],
    [['check', '--explain', 'zzz'], 'There is no rule "zzz"'],
    [['check', '--format', 'xml', 'x'], 'Allowed choices are pretty, json, github'],
    [['check', '--wrong'], "unknown option '--wrong'"],
    [['check', '--request', 'nowhere.json', 'x'], 'nowhere.json could not be read'],
  ])('%j is 2', async (args, message) => {
    const { code, err } = await runlens(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  it('what cannot be read is 2, and the rest is checked all the same', async () => {
    const whole = await checked('no-such-file', file('empty.sse', ''), file('half.jsonl', `${jsonl(clean)}{"type":`), file('good.jsonl', jsonl(clean)));
    expect(whole.code).toBe(2);
    expect(whole.lines.map((line) => [line.kind, line.connections.length])).toEqual([
      [null, 0],
      [null, 0],
      ['events-jsonl', 1],
      ['events-jsonl', 1],
    ]);
    expect(whole.err).toContain('ENOENT');
    expect(whole.err).toContain('The file is empty.');
    expect(whole.err).toContain('is cut off: the file ends inside it.');
  });
});

describe('what people see', () => {
  it('pretty', async () => {
    const path = file('pretty.jsonl', jsonl(bad));
    const { out, code } = await runlens(['check', path]);
    expect(code).toBe(1);
    const lines = out.split('\n');
    expect(lines[0]).toBe(`${path}  events as JSON lines · 3 events`);
    expect(out).toContain('  ✗ r  rejected by the violation at event 1; the producer then reported success  events 0–2');
    expect(out).toMatch(/^ {2}violation {6}#1 {2}step-not-open$/m);
    expect(out).toContain('A conforming client stops at event 1, and so does @ag-ui/client 1.0.0.');
    expect(out.trimEnd().split('\n').at(-1)).toBe('1 file · 3 events · 1 violation · no deviation · no advice');
    expect(out).not.toContain('\u001b');
  });

  it('github', async () => {
    const path = file('git,hub.jsonl', jsonl(bad));
    const { out } = await runlens(['check', '--format', 'github', path]);
    expect(out).toMatch(/^::error file=.*git%2Chub\.jsonl,title=step-not-open \(event 1\)::.+\n$/);
  });

  it('--explain', async () => {
    const { out, code } = await runlens(['check', '--explain', 'step-not-open']);
    expect(code).toBe(0);
    const rule = RULES.find(({ id }) => id === 'step-not-open')!;
    expect(out.split('\n')[0]).toBe(`step-not-open  violation  ${rule.title}`);
    for (const text of [rule.meaning, rule.cause, rule.fix]) expect(out.replace(/\s+/g, ' ')).toContain(text);
  });

  it('--version and --help are 0', async () => {
    expect(await runlens(['--version'])).toMatchObject({ code: 0, out: '1.2.3\n' });
    expect((await runlens(['check', '--help'])).out).toContain('Exit codes: 0 clean');
  });
});
