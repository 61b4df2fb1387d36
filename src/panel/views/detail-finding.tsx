/** A finding in full: what happened, why, what to do, the events it joins, and the run's two axes. */
import type { FindingView, RunView } from '../../runs/types.ts';
import type { ConnectionView } from '../../session/types.ts';
import { usePanel, useSession } from '../state/panel.ts';
import type { Store } from '../state/store.ts';
import { REFERENCE_WORD, ruleOf } from '../words/rules.ts';
import { endingSentence, numberOf, SEVERITY_WORD, STATUS_WORD } from '../words/status.ts';
import { EventLine, Fact, PaneHead } from './detail-parts.tsx';
import { EventCard } from './event-card.tsx';
import { FindingIcon, StatusIcon } from './icons.tsx';
import { StepFinding } from './navigate.tsx';
import { RowLink, RunLink } from './parts.tsx';
import { Scroll } from './row.tsx';

/** The finding as plain text, for a bug report. */
export function findingText(store: Store, finding: FindingView): string {
  const rule = ruleOf(finding.rule);
  const run = finding.run === null ? undefined : store.runs[finding.run];
  const where = finding.row === null ? 'the whole response' : `event #${numberOf(finding.row)} (position ${finding.at} on its stream)`;
  return [
    `${SEVERITY_WORD[finding.severity]} ${finding.rule}: ${finding.message}`,
    `At: ${where}${run?.runId ? `, run ${run.runId}` : ''}`,
    finding.relatedRows.length > 0 ? `Related: ${finding.relatedRows.map((row) => `#${numberOf(row)}`).join(', ')}` : '',
    rule ? `Cause: ${rule.cause}` : '',
    rule ? `Fix: ${rule.fix}` : '',
    rule?.spec ? `Rule: ${rule.spec}` : '',
  ]
    .filter(Boolean)
    .join('\n');
}

export function FindingDetail({ finding }: { finding: FindingView }) {
  const session = useSession();
  const { formats } = usePanel();
  const { store } = session;
  const rule = ruleOf(finding.rule);
  const run = finding.run === null ? undefined : store.runs[finding.run];
  const { severity } = finding;
  return (
    <>
      <PaneHead
        icon={<FindingIcon mark={severity} size={14} />}
        word={SEVERITY_WORD[severity]}
        tone={`f-${severity}`}
        code={finding.rule}
        copy={{ label: 'Copy finding', text: () => findingText(store, finding) }}
      >
        <StepFinding finding={finding} />
      </PaneHead>
      <Scroll cls="pane" label="Finding">
        <h2 dir="auto">{finding.message}</h2>
        <dl>
          <Fact term="Cause">{rule?.cause}</Fact>
          <Fact term="Fix">{rule?.fix}</Fact>
          <Fact term="Events" cls={`lines ${finding.relatedRows.length > 0 && finding.row !== null ? 'linked' : ''} tone-${severity}`}>
            {finding.row === null ? (
              'The response as a whole.'
            ) : (
              <>
                {finding.relatedRows.map((row) => (
                  <EventLine key={row} row={row} icon={<FindingIcon mark="related" tone={severity} />} />
                ))}
                <EventLine row={finding.row} icon={<FindingIcon mark={severity} />} />
              </>
            )}
          </Fact>
          <Fact term="Repeats">
            {finding.repeats > 0 ? `${formats.plural(finding.repeats, 'further event belongs', 'further events belong')} to this finding.` : null}
          </Fact>
          <Verdict finding={finding} run={run} connection={store.connections[finding.conn]} />
          {run ? <EndingFact run={run} /> : null}
          {rule ? (
            <>
              <Fact term="Client">{REFERENCE_WORD[rule.reference]}</Fact>
              <Fact term="Rule">
                {rule.title}
                {rule.spec ? (
                  <>
                    , see{' '}
                    <a class="link" href={rule.spec} target="_blank" rel="noreferrer">
                      {specName(rule.spec)}
                    </a>
                  </>
                ) : null}
              </Fact>
            </>
          ) : null}
          {run ? (
            <Fact term="Run">
              <RunLink id={run.id} />
            </Fact>
          ) : null}
        </dl>
        {finding.row === null ? null : <EventCard row={finding.row} />}
      </Scroll>
    </>
  );
}

/** A spec link in a few words: its last part, its anchor. */
function specName(spec: string): string {
  try {
    const url = new URL(spec);
    const page = url.pathname.split('/').filter(Boolean).pop() ?? url.hostname;
    return url.hash ? `${page}, ${url.hash.slice(1).replaceAll('-', ' ')}` : page;
  } catch {
    return spec;
  }
}

/** How the run ended by what its stream said. */
export const EndingFact = ({ run }: { run: RunView }) => {
  const ending = endingSentence(run);
  return (
    <Fact term="Ending">
      <StatusIcon status={ending.status} /> {ending.text}
      {ending.row === null ? '' : ', '}
      {ending.row === null ? '' : <RowLink row={ending.row} />}
      {ending.row === null ? '' : '.'}
      {run.error ? (
        <span class="quoted" dir="auto">
          {run.error.message}
          {run.error.code ? <code> {run.error.code}</code> : null}
        </span>
      ) : null}
    </Fact>
  );
};

const Verdict = ({ finding, run, connection }: { finding: FindingView; run: RunView | undefined; connection: ConnectionView | undefined }) => {
  const { formats } = usePanel();
  if (finding.severity !== 'violation') {
    return (
      <Fact term="Verdict">
        {finding.severity === 'deviation' ? 'None: a deviation is tolerated and changes no status.' : 'None: advice changes no status.'}
      </Fact>
    );
  }
  if (!run || run.rejectedRow === null) return <Fact term="Verdict">A conforming client refuses this stream here.</Fact>;
  const rest = connection && finding.row !== null && run.rejectedRow === finding.row ? Math.max(0, connection.events - finding.at - 1) : 0;
  return (
    <Fact term="Verdict">
      <StatusIcon status="rejected-by-violation" /> <b class="st-rejected">{STATUS_WORD['rejected-by-violation']}</b> at <RowLink row={run.rejectedRow} />.{' '}
      {run.rejectedRow !== finding.row
        ? 'An earlier violation had stopped a conforming client already.'
        : rest > 0
          ? `A conforming client never sees the ${formats.plural(rest, 'event', 'events')} after it.`
          : 'Nothing came after it.'}
    </Fact>
  );
};
