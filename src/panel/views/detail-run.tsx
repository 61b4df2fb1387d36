/** A run in full: its two axes, its times, what it cost, what was found. */
import type { RunView, UsageEntry } from '../../runs/types.ts';
import { counterpart, rowsOfRun } from '../state/compare.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { idleOf } from '../state/pauses.ts';
import { replayWords } from '../words/replay.ts';
import { callSite } from '../words/stack.ts';
import { noteOf, numberOf, STATUS_KEY, STATUS_WORD } from '../words/status.ts';
import { usageLines } from '../words/usage.ts';
import { copyRows } from './copy-rows.ts';
import { EndingFact } from './detail-finding.tsx';
import { Fact, PaneHead } from './detail-parts.tsx';
import { FindingIcon, StatusIcon } from './icons.tsx';
import { Clock, RowLink, RunLink } from './parts.tsx';
import { pathOf } from './path.ts';
import { Scroll } from './row.tsx';
import { askReplay, compareWith, nameOf, narrow, runWord } from './run-menu.ts';

const VERDICT = 'Accepted: no violation.';

export function RunDetail({ run }: { run: RunView }) {
  const session = useSession();
  const panel = usePanel();
  const { formats } = panel;
  const { store } = session;
  const other = counterpart(store, run);
  const idle = idleOf(store.columns, run.id);
  const stack = store.connections[run.conn]?.request?.stack;
  const site = callSite(stack);
  const connection = store.connections[run.conn];
  const end = run.end ?? store.now;
  const findings = session.findings.value.filter((finding) => finding.run === run.id);
  const parent = run.parentRunId === null ? undefined : store.runs.find((one) => one?.runId === run.parentRunId);
  const replaced = run.replacedBy === null ? undefined : store.runs[run.replacedBy];
  const note = noteOf(run, store.runs);
  return (
    <>
      <PaneHead
        icon={<StatusIcon status={run.status} size={14} />}
        word={STATUS_WORD[run.status]}
        tone={`st-${STATUS_KEY[run.status]}`}
        code={run.runId ?? `run ${run.id + 1}`}
        copy={{ label: 'Copy run', text: () => JSON.stringify(run, null, 2) }}
      />
      <Scroll cls="pane" label="Run">
        <h2>
          {STATUS_WORD[run.status]}
          {note ? `: ${note}` : ''}
        </h2>
        <dl>
          <Fact term="Verdict">
            {run.rejectedRow === null ? (
              VERDICT
            ) : (
              <>
                <StatusIcon status="rejected-by-violation" /> <b class="st-rejected">Rejected</b> at <RowLink row={run.rejectedRow} />.
              </>
            )}
            {run.afterRejection ? ' An earlier run of this stream was rejected: a conforming client never got here.' : null}
          </Fact>
          <EndingFact run={run} />
          <Fact term="Waits for">
            {run.interrupts.length > 0
              ? run.interrupts.map((interrupt) => (
                  <span key={interrupt.id} class="block" dir="auto">
                    {interrupt.message || interrupt.reason || 'an answer'}
                    {interrupt.message && interrupt.reason ? <span class="dim"> {interrupt.reason}</span> : null} <code>{interrupt.id}</code>
                    {interrupt.toolCallId ? (
                      <>
                        {' '}
                        for call <code>{interrupt.toolCallId}</code>
                      </>
                    ) : null}
                  </span>
                ))
              : null}
          </Fact>
          <Fact term="Thread">{run.threadId ? <bdi>{run.threadId}</bdi> : null}</Fact>
          <Fact term="Parent">{run.parentRunId ? parent ? <RunLink id={parent.id} /> : <bdi>{run.parentRunId}</bdi> : null}</Fact>
          <Fact term="Replaced">{replaced ? <RunLink id={replaced.id} /> : null}</Fact>
          <Fact term="Stream">
            <button type="button" class="link" onClick={() => session.select({ kind: 'connection', id: run.conn })}>
              {connection?.request ? `${connection.request.method} ${pathOf(connection.request.url)}` : `stream ${run.conn + 1}`}
            </button>
            {connection?.replay ? ` ${replayWords(connection.replay)}` : null}
            {run.answersRequest === false ? ' sent again, not the run that was asked for' : null}
            {connection?.carrier === 'network-log' ? ', from the network log: no times within' : null}
          </Fact>
          <Fact term="Started">
            <Clock time={run.start} />
            {run.requestTime === null ? null : `, ${formats.duration(run.start - run.requestTime)} after the request`}
          </Fact>
          <Fact term="Took">
            {formats.duration(end - run.start)}
            {run.end === null ? ' so far' : ''}
          </Fact>
          <Fact term="Idle">{idle > 0 ? `${formats.duration(idle)} in silences of half a second and more` : null}</Fact>
          <Fact term="First text">{run.firstTextTime === null ? 'none' : `after ${formats.duration(run.firstTextTime - (run.requestTime ?? run.start))}`}</Fact>
          <Fact term="Events">
            {formats.count(run.events)}, {formats.bytes(run.bytes)}, <RowLink row={run.firstRow} /> to <RowLink row={run.lastRow} />
          </Fact>
          <Usage usage={run.usage} />
          <Fact term="Called from">{site ? <code title={stack}>{[site.name, site.place].filter(Boolean).join(' ')}</code> : null}</Fact>
          <Fact term="Result">{run.hasResult ? run.endedRow === null ? 'yes' : <>in {<RowLink row={run.endedRow} />}</> : null}</Fact>
          <Fact term="Found" cls="lines">
            {findings.length > 0
              ? findings.map((finding) => (
                  <button type="button" key={finding.id} class="event-line" onClick={() => session.select({ kind: 'finding', id: finding.id })}>
                    <span class="mark">
                      <FindingIcon mark={finding.severity} />
                    </span>
                    <span class="num">{finding.row === null ? '' : `#${numberOf(finding.row)}`}</span>
                    <code>{finding.rule}</code>
                    <span class="what">{finding.message}</span>
                  </button>
                ))
              : null}
          </Fact>
        </dl>
        <p class="buttons">
          {other ? (
            <button type="button" class="plain" onClick={() => compareWith(panel, session, other.id, run.id)}>
              Compare with {nameOf(other)}
            </button>
          ) : null}
          <button type="button" class="plain" onClick={() => narrow(panel, 'run', runWord(session, run))}>
            Show only this run
          </button>
          {run.threadId === null ? null : (
            <button type="button" class="plain" onClick={() => narrow(panel, 'thread', run.threadId!)}>
              Show only this thread
            </button>
          )}
          <button type="button" class="plain" onClick={() => void copyRows(panel, session, rowsOfRun(store, run), 'run', run)}>
            Copy as JSON
          </button>
          {panel.platform.hold ? (
            <button type="button" class="plain" onClick={() => askReplay(panel, session, run.conn)}>
              Answer the next request with this…
            </button>
          ) : null}
        </p>
      </Scroll>
    </>
  );
}

/** Tokens as reported, by model: what is absent stays absent, it is not zero. */
function Usage({ usage }: { usage: readonly UsageEntry[] }) {
  const { formats } = usePanel();
  if (usage.length === 0) return null;
  return (
    <Fact term="Tokens">
      {usageLines(usage, formats).map((line) => (
        <span key={line} class="block">
          {line}
        </span>
      ))}
    </Fact>
  );
}
