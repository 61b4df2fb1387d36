/** How a row of the catalogue is written down. */
import type { Family, Rule, Severity } from '../types.ts';

const PAGES = {
  lifecycle: 'events/lifecycle',
  text: 'events/text-messages',
  tools: 'events/tool-calls',
  reasoning: 'events/reasoning',
  state: 'events/state',
  activity: 'events/activity',
  subagents: 'events/subagents',
  passthrough: 'events/passthrough',
  streaming: 'basic/patterns/streaming',
  snapshots: 'basic/patterns/snapshots',
  interrupt: 'basic/patterns/interrupt-resume',
  processing: 'basic/processing',
  'run-input': 'basic/run-input',
  versioning: 'basic/versioning',
  metadata: 'basic/metadata',
  model: 'basic',
  transports: 'basic/transports',
  sse: 'basic/transports/sse',
  proto: 'basic/transports/proto',
  schema: 'schema',
} as const;

type Page = keyof typeof PAGES;

/** What a rule says in words. `spec` is `page` or `page#anchor`; null where the protocol is silent. */
export interface Row {
  readonly severity: Severity;
  readonly reference: Rule['reference'];
  readonly spec: Page | `${Page}#${string}` | null;
  readonly title: string;
  readonly meaning: string;
  readonly cause: string;
  readonly fix: string;
  readonly off?: true;
}

function link(spec: string): string {
  const [page, anchor] = spec.split('#') as [Page, string?];
  return `https://docs.ag-ui.com/spec/1.1/${PAGES[page]}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** Rows, in order, as rules. The family is the first word of the id. */
export function rulesOf(rows: Readonly<Record<string, Row>>): Rule[] {
  return Object.entries(rows).map(([id, row]) => ({
    id,
    family: id.slice(0, id.indexOf('-')) as Family,
    ...row,
    spec: row.spec === null ? null : link(row.spec),
  }));
}
