/** The Findings tab: each finding, or how many there are of each rule. */
import { useState } from 'preact/hooks';
import type { Severity } from '../../checker/types.ts';
import type { FindingView } from '../../runs/types.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { isShown, SEVERITIES } from '../state/severity.ts';
import { ruleOf } from '../words/rules.ts';
import { numberOf, SEVERITY_WORD } from '../words/status.ts';
import { Grid } from './grid.tsx';
import { FindingIcon } from './icons.tsx';
import { Marked } from './marked.tsx';
import { Clock } from './parts.tsx';
import { Cell, Row } from './row.tsx';

const RANK: Readonly<Record<Severity, number>> = { violation: 0, deviation: 1, advice: 2 };

interface Query {
  readonly rule: string;
  readonly hidden: ReadonlySet<Severity>;
  readonly text: string;
  readonly run: number | null;
}

/** Findings that pass the tab's own filter and the toolbar's text. */
export function pickFindings(findings: readonly FindingView[], query: Query): FindingView[] {
  const text = query.text.toLowerCase();
  return findings.filter(
    (finding) =>
      (query.rule === '' || finding.rule === query.rule) &&
      !query.hidden.has(finding.severity) &&
      (query.run === null || finding.run === query.run) &&
      (text === '' || finding.rule.includes(text) || finding.message.toLowerCase().includes(text)),
  );
}

export interface Group {
  readonly rule: string;
  readonly severity: Severity;
  readonly findings: readonly FindingView[];
}

/** Findings by rule: gravest class first, then the most frequent. */
export function groupFindings(findings: readonly FindingView[]): Group[] {
  const groups = new Map<string, FindingView[]>();
  for (const finding of findings) {
    const there = groups.get(finding.rule);
    if (there) there.push(finding);
    else groups.set(finding.rule, [finding]);
  }
  return [...groups]
    .map(([rule, list]) => ({ rule, severity: list[0]!.severity, findings: list }))
    .sort((a, b) => RANK[a.severity] - RANK[b.severity] || b.findings.length - a.findings.length || a.rule.localeCompare(b.rule));
}

export function Findings() {
  const session = useSession();
  const [rule, setRule] = useState('');
  const [hidden, setHidden] = useState<ReadonlySet<Severity>>(new Set());
  const [byRule, setByRule] = useState(false);
  const all = session.findings.value;
  const text = session.words.value.text;
  const shown = pickFindings(all, { rule, hidden, text, run: session.onlyRun.value });
  const rules = [...new Set(all.map((finding) => finding.rule))].sort();
  const flip = (severity: Severity) => {
    const next = new Set(hidden);
    if (!next.delete(severity)) next.add(severity);
    setHidden(next);
  };
  return (
    <div class="findings-view">
      <div class="sub-head">
        <fieldset class="seg" aria-label="Show">
          <button type="button" aria-pressed={!byRule} onClick={() => setByRule(false)}>
            List
          </button>
          <button type="button" aria-pressed={byRule} onClick={() => setByRule(true)}>
            By rule
          </button>
        </fieldset>
        {SEVERITIES.filter((severity) => isShown(severity, session.least.value)).map((severity) => (
          <button
            type="button"
            key={severity}
            class={`chip ${hidden.has(severity) ? 'off' : ''}`}
            aria-pressed={!hidden.has(severity)}
            onClick={() => flip(severity)}
          >
            <FindingIcon mark={severity} />
            <span>{severity === 'advice' ? 'Advice' : `${SEVERITY_WORD[severity]}s`}</span>
          </button>
        ))}
        <BelowThreshold />
        <span class="spacer" />
        <label class="picker">
          Rule
          <select value={rule} onChange={(event) => setRule(event.currentTarget.value)}>
            <option value="">all</option>
            {rules.map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
      </div>
      {byRule ? (
        <Groups
          groups={groupFindings(shown)}
          onOpen={(id) => {
            setRule(id);
            setByRule(false);
          }}
        />
      ) : (
        <List findings={shown} none={session.store.findings.length === 0} />
      )}
    </div>
  );
}

/** What the threshold in the settings keeps from the list, so that an empty list is not taken for a clean capture. */
function BelowThreshold() {
  const session = useSession();
  const { dialog, formats } = usePanel();
  const below = session.store.findings.reduce((n, finding) => n + (finding && !isShown(finding.severity, session.least.value) ? 1 : 0), 0);
  if (below === 0) return null;
  return (
    <button type="button" class="link" title="Change the threshold in the settings" onClick={() => (dialog.value = 'settings')}>
      {formats.plural(below, 'finding', 'findings')} below the threshold
    </button>
  );
}

function List({ findings, none }: { findings: readonly FindingView[]; none: boolean }) {
  const session = useSession();
  const selection = session.selection.value;
  const selected = selection.kind === 'finding' ? findings.findIndex((finding) => finding.id === selection.id) : -1;
  return (
    <Grid
      label="Findings"
      cls="findings"
      columns={[
        { key: 'mark', name: <span class="offscreen">Sign</span> },
        { key: 'class', name: 'Class', cls: 'cls' },
        { key: 'rule', name: 'Rule', cls: 'c-rule' },
        { key: 'what', name: 'What happened', cls: 'sum' },
        { key: 'run', name: 'Run', cls: 'c-run' },
        { key: 'at', name: 'Event', cls: 'r c-at' },
        { key: 'time', name: 'Time', cls: 'r c-time' },
      ]}
      count={findings.length}
      rowHeight={24}
      selected={selected}
      reveal={selection}
      onSelect={(index) => session.select({ kind: 'finding', id: findings[index]!.id })}
      row={(index, id) => <FindingRow finding={findings[index]!} id={id} index={index} selected={index === selected} />}
      empty={none ? <b>No findings: everything that came so far keeps the rules.</b> : <b>No finding passes the filter.</b>}
    />
  );
}

function FindingRow({ finding, id, index, selected }: { finding: FindingView; id: string; index: number; selected: boolean }) {
  const session = useSession();
  const run = finding.run === null ? undefined : session.store.runs[finding.run];
  const needle = session.words.value.text;
  return (
    <Row
      id={id}
      index={index}
      selected={selected}
      onPick={() => session.select({ kind: 'finding', id: finding.id })}
      data-testid="finding-row"
      data-rule={finding.rule}
      data-at={finding.at}
      data-severity={finding.severity}
      data-row={finding.row ?? ''}
      data-run-id={run?.runId ?? ''}
    >
      <Cell cls="mark">
        <FindingIcon mark={finding.severity} size={13} />
      </Cell>
      <Cell as="b" cls={`cls f-${finding.severity}`}>
        {SEVERITY_WORD[finding.severity]}
      </Cell>
      <Cell as="code" cls="c-rule">
        <Marked text={finding.rule} needle={needle} />
      </Cell>
      <Cell cls="sum" dir="auto" title={finding.message}>
        <Marked text={finding.message} needle={needle} />
      </Cell>
      <Cell cls="c-run dim">
        <bdi>{run?.runId ?? ''}</bdi>
      </Cell>
      <Cell cls="r c-at">{finding.row === null ? 'all' : `#${numberOf(finding.row)}`}</Cell>
      <Cell cls="r c-time">
        <Clock time={finding.time} />
      </Cell>
    </Row>
  );
}

function Groups({ groups, onOpen }: { groups: readonly Group[]; onOpen: (rule: string) => void }) {
  const session = useSession();
  const { formats } = usePanel();
  const [chosen, setChosen] = useState(-1);
  const from = session.zero.value;
  const to = Math.max(from + 1, session.store.now, ...session.store.runs.map((run) => run.end ?? 0));
  return (
    <Grid
      label="Findings by rule"
      cls="findings grouped"
      columns={[
        { key: 'mark', name: <span class="offscreen">Sign</span> },
        { key: 'class', name: 'Class', cls: 'cls' },
        { key: 'rule', name: 'Rule', cls: 'c-rule' },
        { key: 'what', name: 'What happened', cls: 'sum' },
        { key: 'n', name: 'Count', cls: 'r' },
        { key: 'runs', name: 'Runs', cls: 'r c-at' },
        { key: 'where', name: 'Where in the capture', cls: 'c-strip' },
      ]}
      count={groups.length}
      rowHeight={24}
      selected={chosen}
      onSelect={setChosen}
      onEnter={(index) => onOpen(groups[index]!.rule)}
      row={(index, id) => {
        const group = groups[index]!;
        return (
          <Row id={id} index={index} selected={index === chosen} onPick={() => onOpen(group.rule)} data-testid="rule-row" data-rule={group.rule}>
            <Cell cls="mark">
              <FindingIcon mark={group.severity} size={13} />
            </Cell>
            <Cell as="b" cls={`cls f-${group.severity}`}>
              {SEVERITY_WORD[group.severity]}
            </Cell>
            <Cell as="code" cls="c-rule">
              {group.rule}
            </Cell>
            <Cell cls="sum">{ruleOf(group.rule)?.title ?? ''}</Cell>
            <Cell cls="r">{formats.count(group.findings.length)}</Cell>
            <Cell cls="r c-at">{formats.count(new Set(group.findings.map((finding) => finding.run)).size)}</Cell>
            <Cell cls="c-strip">
              <span class="strip" aria-hidden="true">
                {group.findings.slice(0, 300).map((finding) => (
                  <i key={finding.id} class={`f-${group.severity}`} style={{ left: `${((finding.time - from) / (to - from)) * 100}%` }} />
                ))}
              </span>
            </Cell>
          </Row>
        );
      }}
      empty={<b>No finding passes the filter.</b>}
    />
  );
}
