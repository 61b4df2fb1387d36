import { describe, expect, it } from 'vitest';
import { RULES } from '../../checker/catalogue.ts';
import { checkInput } from '../check-input.ts';
import { jsonLine } from '../report.ts';
import type { JsonReport } from './json-report.ts';
import { toJunit } from './junit.ts';
import { toSarif } from './sarif.ts';

const NASTY = '<&>"\'\u0000\u001b]]>\ud800 –';

/** The very report the program prints. */
async function reportOf(file: string, events: readonly unknown[]): Promise<JsonReport> {
  const text = events.map((event) => JSON.stringify(event)).join('\n');
  async function* pieces() {
    yield new TextEncoder().encode(text);
  }
  const input = await checkInput(pieces(), {});
  return { ...(JSON.parse(jsonLine(file, input)) as JsonReport), problems: input.problems };
}

const bad = () =>
  reportOf('a b/bad.jsonl', [
    { type: 'RUN_STARTED', threadId: 't', runId: 'r"<' },
    { type: 'STEP_STARTED', stepName: 's' },
    { type: 'STEP_STARTED', stepName: 's' },
    { type: 'CUSTOM', name: 'plain', value: 1 },
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r"<' },
  ]);

const broken: JsonReport = { file: '/elsewhere/x.jsonl', kind: null, connections: [], problems: ['The file is empty.', NASTY] };

const several = (report: JsonReport): JsonReport => ({ ...report, connections: [...report.connections, ...report.connections] });

describe('toSarif', () => {
  const read = (reports: readonly JsonReport[]) => JSON.parse(toSarif(reports, { version: '0.1.0' }));

  it('is a log with a result a finding, each with its rule', async () => {
    const report = await bad();
    const log = read([report]);
    expect(log).toMatchObject({ version: '2.1.0', runs: [{ tool: { driver: { name: 'Runlens', semanticVersion: '0.1.0' } } }] });
    const [run] = log.runs;
    const { findings } = report.connections[0]!;
    expect(findings.length).toBeGreaterThan(1);
    expect(run.results).toHaveLength(findings.length);
    for (const [no, result] of run.results.entries()) {
      const finding = findings[no]!;
      expect(result).toMatchObject({ ruleId: finding.rule, message: { text: finding.message } });
      expect(result.level).toBe({ violation: 'error', deviation: 'warning', advice: 'note' }[finding.severity]);
      expect(run.tool.driver.rules[result.ruleIndex]).toMatchObject({ id: finding.rule, helpUri: RULES.find(({ id }) => id === finding.rule)!.spec });
      expect(result.locations[0].physicalLocation).toEqual({ artifactLocation: { uri: 'a%20b/bad.jsonl' }, region: { startLine: finding.at + 1 } });
      expect(result.relatedLocations).toHaveLength(finding.related.length);
      expect(result.properties).toMatchObject({ runId: 'r"<' });
    }
    expect(run.tool.driver.rules).toHaveLength(RULES.length);
    expect(run.invocations[0]).toMatchObject({ executionSuccessful: true, toolExecutionNotifications: [] });
    expect(new Set(run.results.map((result: { partialFingerprints: object }) => JSON.stringify(result.partialFingerprints))).size).toBe(findings.length);
  });

  it('tells what could not be read', () => {
    const [{ invocations, artifacts }] = read([broken]).runs;
    expect(invocations[0].executionSuccessful).toBe(false);
    expect(invocations[0].toolExecutionNotifications[0]).toMatchObject({
      message: { text: 'The file is empty.' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'file:///elsewhere/x.jsonl' } } }],
    });
    expect(artifacts).toHaveLength(1);
  });

  it.each([
    ['-', 'stdin'],
    ['./x y.jsonl', 'x%20y.jsonl'],
    ['C:\\a b\\x.jsonl', 'file:///C:/a%20b/x.jsonl'],
    ['a#b?c%.jsonl', 'a%23b%3Fc%25.jsonl'],
    ['\ud800', '%EF%BF%BD'],
  ])('writes the file %j as %s', (file, uri) => {
    expect(read([{ file, kind: 'sse', connections: [] }]).runs[0].artifacts).toEqual([{ location: { uri } }]);
  });

  it('lists a rule it does not know', () => {
    const finding = { rule: 'new-rule', severity: 'advice', at: -1, frame: 3, related: [], run: null, message: 'm' } as const;
    const connection = { end: 'closed', events: 0, findings: [finding], runs: [], stopsAt: null, referenceStopsAt: null } as const;
    const [run] = read([{ file: 'x', kind: 'sse', connections: [connection] }]).runs;
    expect(run.tool.driver.rules[run.results[0].ruleIndex].id).toBe('new-rule');
    expect(run.results[0]).toMatchObject({ locations: [{ physicalLocation: { region: { startLine: 1 } } }], properties: { at: -1, frame: 3 } });
  });
});

/** Elements of a well-formed XML text by their path; throws where it is not well formed. */
function parseXml(xml: string): { path: string; attributes: Record<string, string>; text: string }[] {
  const elements: { path: string; attributes: Record<string, string>; text: string }[] = [];
  const stack: { name: string; element: { text: string } }[] = [];
  const decoded = (text: string) => {
    if (/[<>]|&(?!(amp|lt|gt|quot|apos|#10|#13|#9);)/.test(text)) throw new Error(`not escaped: ${text}`);
    return text
      .replaceAll('&#10;', '\n')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&amp;', '&');
  };
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  for (const [, close, open, attributes = '', text = ''] of body.matchAll(/<(?:\/([\w-]+)|([\w-]+)((?: \w+="[^"]*")*))>([^<]*)/g)) {
    if (close !== undefined) {
      if (stack.pop()?.name !== close) throw new Error(`</${close}> does not fit`);
      continue;
    }
    const pairs = [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key!, decoded(value!)]);
    const element = { path: [...stack.map(({ name }) => name), open].join('/'), attributes: Object.fromEntries(pairs), text: decoded(text).trim() };
    elements.push(element);
    stack.push({ name: open!, element });
  }
  if (stack.length > 0 || body.replaceAll(/<[^<>]*>[^<]*/g, '') !== '') throw new Error('not well formed');
  return elements;
}

describe('toJunit', () => {
  it('has a case for the stream and one a run; violations fail it, the rest is its output', async () => {
    const elements = parseXml(toJunit([await bad()]));
    const cases = elements.filter(({ path }) => path.endsWith('/testcase'));
    expect(cases.map(({ attributes }) => attributes['name'])).toEqual(['stream', 'run 0 r"<']);
    const [failure, ...more] = elements.filter(({ path }) => path.endsWith('/failure'));
    expect(more).toEqual([]);
    expect(failure?.text).toMatch(/^violation at event 2: step-already-open: /);
    expect(elements.filter(({ path }) => path.endsWith('/system-out')).at(-1)?.text).toMatch(
      /^rejected-by-violation, rejected at 2\nadvice at event 3: stream-custom-unprefixed/,
    );
    expect(elements[0]?.attributes).toMatchObject({ tests: '2', failures: '1', errors: '0' });
  });

  it.each([
    ['none', 0],
    ['advice', 3],
  ] as const)('fails on %s: %i findings', async (failOn, count) => {
    const failures = parseXml(toJunit([await bad()], { failOn })).filter(({ path }) => path.endsWith('/failure'));
    expect(failures.flatMap(({ text }) => text.split('\n')).length).toBeGreaterThanOrEqual(count === 0 ? 0 : 2);
    expect(failures.length).toBe(count === 0 ? 0 : 1);
  });

  it('has a suite a connection, and an error for what could not be read', async () => {
    const elements = parseXml(toJunit([several(await bad()), broken]));
    const suites = elements.filter(({ path }) => path === 'testsuites/testsuite').map(({ attributes }) => attributes['name']);
    expect(suites).toEqual(['a b/bad.jsonl · connection 0', 'a b/bad.jsonl · connection 1', '/elsewhere/x.jsonl · reading']);
    expect(elements.find(({ path }) => path.endsWith('/error'))?.text).toContain('The file is empty.\n');
    expect(elements.find(({ path }) => path.endsWith('/failure'))?.text).toContain('connection 0, event 2');
    expect(elements[0]?.attributes).toMatchObject({ tests: '5', failures: '2', errors: '1' });
  });

  it('is well formed whatever ids and messages hold', () => {
    const run = { runId: NASTY, threadId: NASTY, status: 'succeeded', ending: 'x', verdict: 'v', firstEvent: 0, lastEvent: 1 } as const;
    const finding = { rule: NASTY, severity: 'violation', at: 0, frame: null, related: [], run: 0, message: `${NASTY}\n${NASTY}` } as const;
    const report: JsonReport = {
      file: NASTY,
      kind: NASTY,
      connections: [{ end: 'closed', events: 1, findings: [finding], runs: [run], stopsAt: null, referenceStopsAt: null }],
    };
    const xml = toJunit([report, broken]);
    expect(() => parseXml(xml)).not.toThrow();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no place for them
    expect(xml).not.toMatch(/[\u0000-\u0008\u001b]|\p{Cs}/u);
    expect(toJunit([])).toContain('tests="0"');
  });
});
