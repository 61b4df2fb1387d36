import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformWithOxc } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderFindings, RULES } from '../checker/catalogue.ts';
import { check, createChecker, findingsOf, referenceStopsAt, runsOf, stopsAt } from '../checker/index.ts';
import { EXAMPLES } from '../checker/shape/fixtures/examples.ts';
import { identifierOf, toFixture } from './fixture.ts';
import { type ReportInput, toMarkdown } from './markdown.ts';

const core = dirname(createRequire(import.meta.url).resolve('@ag-ui/core/package.json'));
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'runlens-fixture-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const examples = Object.entries(EXAMPLES).flatMap(([type, [full, least]]) => [
  { type, ...full },
  { type, ...least },
]);
const odd: unknown[] = [
  { type: 'HEARTBEAT', 'no identifier': 'it\'s "quoted" \u2028 `x` \\ */ </script>' },
  { type: 'CUSTOM', name: 'a.b', value: JSON.parse('{"__proto__":{"x":1},"constructor":2,"a-b":[],"new":{}}') },
  { type: 'RUN_ERROR', message: 'm', timestamp: 'noon', metadata: [] },
  { type: 5 },
  null,
  'text',
  [1, 'two', { three: null }],
  42,
];

describe('toFixture', () => {
  it('compiles under strict TypeScript, whatever the events are', () => {
    writeFileSync(join(folder, 'fixture.ts'), toFixture([...examples, ...odd], 'all examples'));
    writeFileSync(join(folder, 'none.ts'), toFixture([], ''));
    writeFileSync(join(folder, 'use.ts'), "import { allExamples } from './fixture.ts';\nexport const first: string = allExamples[0]!.type;\n");
    const config = {
      compilerOptions: {
        ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
        ...{ allowImportingTsExtensions: true, isolatedModules: true, verbatimModuleSyntax: true, skipLibCheck: true, types: [] },
        paths: { '@ag-ui/core': [core] },
      },
      include: ['*.ts'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = resolve(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    const compile = () => execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    expect(compile()).toBe('');
    writeFileSync(join(folder, 'use.ts'), "import { allExamples } from './fixture.ts';\nexport const first: number = allExamples[0]!.type;\n");
    expect(compile).toThrow();
  });

  it('gives back the very events', async () => {
    const { code } = await transformWithOxc(toFixture([...examples, ...odd], 'events'), 'fixture.ts');
    const file = join(folder, 'fixture.mjs');
    writeFileSync(file, code.replace(/["']@ag-ui\/core["']/, JSON.stringify(pathToFileURL(join(core, 'dist/index.mjs')).href)));
    const made = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { events: unknown[] };
    expect(JSON.stringify(made.events)).toBe(JSON.stringify([...examples, ...odd]));
  });

  it('writes a field that is there without a value', () => {
    expect(toFixture([{ type: 'CUSTOM', name: 'a', value: undefined }], 'x')).toContain("{ type: EventType.CUSTOM, name: 'a', value: undefined }");
  });

  it('leaves out with a remark what is nested beyond the stack', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 200_000; level++) deep = [deep];
    expect(toFixture([{ type: 'CUSTOM', name: 'a', value: deep }], 'x')).toContain('// event 0 is nested too deeply');
  });

  it.each([
    ['checkout run #2', 'checkoutRun2'],
    ['', 'events'],
    ['7 days', 'events7Days'],
    ['delete', 'eventsDelete'],
    ['*/ alert(1)', 'alert1'],
    ['größe', 'grE'],
  ])('names %j %s', (name, identifier) => expect(identifierOf(name)).toBe(identifier));
});

function reportOf(events: readonly unknown[], url = 'http://localhost/agent'): ReportInput {
  const state = createChecker();
  for (const [frame, value] of events.entries()) check(state, { kind: 'event', value, frame, time: 0 });
  check(state, { kind: 'end', end: 'closed', time: 0 });
  const findings = orderFindings(findingsOf(state));
  return {
    title: 'Capture of today',
    connections: [
      { conn: 0, url, end: 'closed', events: events.length, runs: runsOf(state), findings, stopsAt: stopsAt(state), referenceStopsAt: referenceStopsAt(state) },
    ],
  };
}

describe('toMarkdown', () => {
  it('says what ran, its status, and each finding with its rule and link', () => {
    const text = toMarkdown(
      reportOf([
        { type: 'RUN_STARTED', threadId: 't1', runId: 'r1' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'x' },
        { type: 'RUN_FINISHED', threadId: 't1', runId: 'r1' },
      ]),
    );
    const rule = RULES.find(({ id }) => id === 'text-not-open')!;
    expect(text).toContain('# Capture of today');
    expect(text).toContain('1 connection · 1 run · 3 events · 1 violation · 0 deviations');
    expect(text).toContain('| `r1` | `t1` | rejected by a violation at event 1 | 0–2 |');
    expect(text).toMatch(/- \*\*violation\*\* at event 1: \[.+\]\(https:\/\/docs\.ag-ui\.com\/spec\/\S+\) \(`text-not-open`\)\. TEXT.+`m1`/);
    expect(text).toContain(rule.spec!);
    expect(text).toContain('A conforming client stops at event 1; @\u2060ag-ui/client 1.0.0 stops at event 1.');
  });

  it('names runs without ids, and those behind a rejected one', () => {
    const text = toMarkdown(
      reportOf([
        { type: 'RUN_STARTED' },
        { type: 'STEP_FINISHED', stepName: 's' },
        { type: 'RUN_FINISHED' },
        { type: 'RUN_STARTED', threadId: 't', runId: 'r2' },
        { type: 'RUN_FINISHED', threadId: 't', runId: 'r2' },
      ]),
    );
    expect(text).toMatch(/\| no id \| no id \| rejected by a violation at event \d \|/);
    expect(text).toContain('(after an earlier rejection)');
  });

  it('a finding of the response has its place there, and where each client stops is said of both', () => {
    const input = reportOf([{ type: 'RUN_STARTED', threadId: 't', runId: 'r' }]);
    const [connection] = input.connections;
    const finding = { ...connection!.findings[0]!, at: -1, repeats: 3, related: [0, 2], message: `The header "a" "b" says "" and "${'x'.repeat(400)}".` };
    const text = (stopsAt: number | null, referenceStopsAt: number | null) =>
      toMarkdown({ ...input, connections: [{ ...connection!, findings: [finding], stopsAt, referenceStopsAt }] });
    expect(text(null, null)).toMatch(/at the response: .+The header `a` `b` says \(empty\) and .+….* \(see event 0, event 2; 3 more of it\)/);
    expect(text(null, null)).not.toContain('conforming client');
    expect(text(-1, null)).toContain('A conforming client stops at the response; @\u2060ag-ui/client 1.0.0 reads to the end.');
    expect(text(null, 0)).toContain('A conforming client reads to the end; @\u2060ag-ui/client 1.0.0 stops at event 0.');
  });

  it('an address that is not known is no empty mark', () => {
    expect(toMarkdown(reportOf([], ''))).toContain('\n(empty)\n0 events, complete.');
  });

  const NASTY = '`</td><img src=x onerror=alert(1)> **b** | [l](javascript:x) @someone #1 http://evil.example\n# head\n\n- list ``` \u202e';

  it('is not broken out of by ids, names and addresses', () => {
    const events = [
      { type: 'RUN_STARTED', threadId: NASTY, runId: NASTY },
      { type: 'STEP_FINISHED', stepName: NASTY },
      { type: 'TEXT_MESSAGE_END', messageId: '"@someone' },
      { type: 'STEP_FINISHED', stepName: '' },
      { type: NASTY },
    ];
    const input = reportOf(events, NASTY);
    const text = toMarkdown({ ...input, title: NASTY, notes: [NASTY] });
    expect(input.connections[0]!.findings.length).toBeGreaterThan(3);
    for (const line of text.split('\n')) {
      // without its code spans a line has nothing that Markdown or GitHub act upon but our own marks
      const bare = line.replaceAll(/(?<!\\)(`+)(?!`)(?:.*?[^`])\1(?!`)/g, '').replaceAll(/\]\(https:\/\/docs\.ag-ui\.com\S+\)/g, ']');
      expect(bare).not.toMatch(/(?<!\\)[`<]|@\w|#\d|(?<!\\):\/\/|\u202e|javascript(?!\\):/);
      expect(bare.replace(/^#{1,2} /, '')).not.toMatch(/^\s*#/);
    }
    const rows = text.split('\n').filter((line) => line.startsWith('| '));
    expect(rows.every((line) => [...line.matchAll(/(?<!\\)\|/g)].length === 5)).toBe(true);
  });

  it('lists no more than a hundred findings of a connection and counts the rest', () => {
    const events = [
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      ...Array.from({ length: 150 }, (_, no) => ({ type: 'STEP_FINISHED', stepName: `s${no}` })),
    ];
    expect(toMarkdown(reportOf(events))).toContain('more findings are not listed.');
  });

  it('names another protocol and judges nothing of it', () => {
    const input = reportOf([]);
    expect(toMarkdown({ ...input, connections: [{ ...input.connections[0]!, foreign: 'A2A' }] })).toContain('Not AG-UI but A2A: not judged.');
  });
});
