/** Findings as SARIF 2.1.0, the format code scanning reads (OASIS, Static Analysis Results Interchange Format). */
import { isRule, RULES, ruleOf } from '../../checker/catalogue.ts';
import type { Rule, Severity } from '../../checker/types.ts';
import { type JsonConnection, type JsonFinding, type JsonReport, placeIn } from './json-report.ts';

const LEVELS: Readonly<Record<Severity, string>> = { violation: 'error', deviation: 'warning', advice: 'note' };

export interface SarifOptions {
  /** Of the program. */
  readonly version?: string;
}

/** One log with one run: all rules of the catalogue, a result a finding, a notification a problem with a file. */
export function toSarif(reports: readonly JsonReport[], { version }: SarifOptions = {}): string {
  const rules = [...RULES, ...unknownRules(reports)];
  const index = new Map(rules.map(({ id }, no) => [id, no]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Runlens', ...(version === undefined ? {} : { version, semanticVersion: version }), rules: rules.map(descriptor) } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: reports.every(({ problems = [] }) => problems.length === 0),
            toolExecutionNotifications: reports.flatMap(({ file, problems = [] }) =>
              problems.map((text) => ({ level: 'error', message: { text }, locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) } } }] })),
            ),
          },
        ],
        artifacts: [...new Set(reports.map(({ file }) => uriOf(file)))].map((uri) => ({ location: { uri } })),
        results: reports.flatMap((report) => report.connections.flatMap((connection, no) => resultsOf(report, connection, no, index))),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** Rules of a report that another version made. */
function unknownRules(reports: readonly JsonReport[]): Rule[] {
  const ids = reports.flatMap(({ connections }) => connections.flatMap(({ findings }) => findings.map(({ rule }) => rule)));
  return [...new Set(ids)].filter((id) => !isRule(id)).map(ruleOf);
}

function descriptor({ id, title, meaning, cause, fix, spec, severity, family, off }: Rule) {
  return {
    id,
    shortDescription: { text: title },
    fullDescription: { text: meaning },
    help: { text: `${meaning}\n\nUsual cause: ${cause}\n\nHow to fix: ${fix}` },
    ...(spec === null ? {} : { helpUri: spec }),
    defaultConfiguration: { level: LEVELS[severity], enabled: off !== true },
    properties: { tags: [family, severity] },
  };
}

function resultsOf(report: JsonReport, connection: JsonConnection, no: number, index: ReadonlyMap<string, number>) {
  return connection.findings.map((finding) => ({
    ruleId: finding.rule,
    ruleIndex: index.get(finding.rule) ?? -1,
    level: LEVELS[finding.severity],
    message: { text: finding.message },
    locations: [locationOf(report, no, finding.at)],
    relatedLocations: finding.related.map((at, id) => ({ id, ...locationOf(report, no, at), message: { text: placeIn(report, no, at) } })),
    partialFingerprints: { 'ruleAndPlace/v1': `${finding.rule}:${no}:${finding.at}` },
    properties: propertiesOf(connection, finding),
  }));
}

/** A line is known only where each event has one of its own; code scanning asks for one in any case. */
function locationOf({ file, kind }: JsonReport, connection: number, at: number) {
  return {
    physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: kind === 'events-jsonl' && at >= 0 ? at + 1 : 1 } },
    logicalLocations: [{ fullyQualifiedName: at < 0 ? `connection ${connection}` : `connection ${connection}/event ${at}`, kind: 'element' }],
  };
}

function propertiesOf({ runs }: JsonConnection, { at, frame, run }: JsonFinding) {
  const verdict = run === null ? undefined : runs[run];
  return {
    at,
    ...(frame === null ? {} : { frame }),
    ...(verdict === undefined ? {} : { runId: verdict.runId, threadId: verdict.threadId, status: verdict.status }),
  };
}

/** A path as a relative reference; an absolute one as a file address. */
function uriOf(file: string): string {
  if (file === '-') return 'stdin';
  const path = file.replaceAll('\\', '/');
  const encoded = path.split('/').map(encodeSegment).join('/');
  if (path.startsWith('/')) return `file://${encoded}`;
  if (/^[A-Za-z]:\//.test(path)) return `file:///${path.slice(0, 2)}${encoded.slice(encoded.indexOf('/'))}`;
  return encoded.replace(/^(\.\/)+/, '');
}

/** Lone surrogates, which file names may have and addresses may not, become U+FFFD. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.replaceAll(/\p{Cs}/gu, '\ufffd'));
}
