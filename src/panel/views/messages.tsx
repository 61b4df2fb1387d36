/** The Messages tab: the conversation as the app's user had it at the moment. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { RunView, SpanView } from '../../runs/types.ts';
import { type Asked, contentText, newMessages, type RunTurns, type Turn, turnsOf } from '../state/conversation.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { runOf } from '../state/session.ts';
import { STATUS_KEY, STATUS_WORD } from '../words/status.ts';
import { FindingIcon, KindIcon, StatusIcon } from './icons.tsx';
import { Clock, RowLink } from './parts.tsx';
import { Scroll } from './row.tsx';
import { textOfSpan } from './span-text.ts';
import { useBody, useJob } from './use-bodies.ts';

/** Runs drawn at first; earlier ones on demand. */
const RUNS = 30;

export function Messages() {
  const session = useSession();
  const { settings } = usePanel();
  const { store } = session;
  const [most, setMost] = useState(RUNS);
  const chosen = runOf(store, session.selection.value);
  const thread = (chosen === null ? store.runs[store.runs.length - 1] : store.runs[chosen])?.threadId ?? null;
  const all = store.runs.filter((run) => run && run.threadId === thread);
  const until = session.moment.value ?? Number.POSITIVE_INFINITY;
  const seen = all.filter((run) => (run.requestTime ?? run.start) <= until);
  const runs = seen.slice(-most);
  const { showReasoning, showTools } = settings.value.value;
  const body = async (run: RunView) => ({
    run,
    text: run.answersRequest === false || run.ordinal > 0 ? undefined : (await session.requestBody(run.conn).catch(() => null))?.text,
  });
  const asked = useJob(async () => askedOf(await Promise.all(runs.map((run) => body(run)))), [runs.map((run) => run.id).join()]);
  if (all.length === 0) return <p class="hollow-pane">No conversation yet.</p>;
  const list: RunTurns[] = runs.map((run) => ({
    run,
    turns: turnsOf(store, run, asked?.get(run.id) ?? [], until, { reasoning: showReasoning, tools: showTools }),
  }));
  return (
    <div class="messages-view">
      <div class="sub-head">
        <b>
          <bdi>{thread ?? 'no thread'}</bdi>
          {session.moment.value === null ? '' : ' at '}
          {session.moment.value === null ? '' : <Clock time={session.moment.value} />}
        </b>
        <span class="dim">as the app’s user had it; select or move the moment on the timeline</span>
        <span class="spacer" />
        {session.moment.value === null ? null : (
          <button type="button" class="quiet" onClick={() => (session.moment.value = null)}>
            Now
          </button>
        )}
        <label class="check">
          <input type="checkbox" checked={showReasoning} onChange={(event) => settings.set({ showReasoning: event.currentTarget.checked })} />
          Reasoning
        </label>
        <label class="check">
          <input type="checkbox" checked={showTools} onChange={(event) => settings.set({ showTools: event.currentTarget.checked })} />
          Tools
        </label>
      </div>
      <Scroll cls="msgs" label="Messages">
        {seen.length > runs.length ? (
          <button type="button" class="link earlier" onClick={() => setMost(most + RUNS)}>
            {seen.length - runs.length} earlier runs
          </button>
        ) : null}
        {list.map(({ run, turns }) => (
          <section
            key={run.id}
            class={`run-msgs edge-${run.status === 'succeeded' ? 'run' : STATUS_KEY[run.status]}`}
            aria-label={`${STATUS_WORD[run.status]} ${run.runId ?? ''}`}
          >
            {(turns.length > 0 ? turns : [null]).map((turn, i) => (
              <TurnRow key={i} turn={turn} run={run} first={i === 0} until={until} />
            ))}
          </section>
        ))}
      </Scroll>
    </div>
  );
}

/** What each run's request added to the conversation. */
function askedOf(bodies: readonly { readonly run: RunView; readonly text: string | undefined }[]): Map<number, Asked[]> {
  const known = new Set<string>();
  return new Map(bodies.map(({ run, text }) => [run.id, newMessages(text, known)]));
}

interface LineProps {
  readonly rail: ComponentChildren;
  readonly who: ComponentChildren;
  readonly meta?: ComponentChildren;
  readonly cls?: string;
  readonly children: ComponentChildren;
  readonly onPick?: () => void;
}

const Line = ({ rail, who, meta, cls = '', children, onPick }: LineProps) => (
  <div class={`msg ${cls}`}>
    <span class="rail">{rail}</span>
    <span class="role">{who}</span>
    <div class="content" dir="auto">
      {children}
    </div>
    {onPick ? (
      <button type="button" class="meta link" onClick={onPick}>
        {meta}
      </button>
    ) : (
      <span class="meta">{meta}</span>
    )}
  </div>
);

function TurnRow({ turn, run, first, until }: { turn: Turn | null; run: RunView; first: boolean; until: number }) {
  const session = useSession();
  const rail = first ? (
    <button type="button" class="rail-run" title={run.runId ?? ''} onClick={() => session.select({ kind: 'run', id: run.id })}>
      <StatusIcon status={run.status} />
      <b class={`st-${STATUS_KEY[run.status]}`}>{STATUS_WORD[run.status]}</b>
    </button>
  ) : null;
  const cls = first ? 'first' : '';
  if (turn === null)
    return (
      <Line rail={rail} who="" cls={cls}>
        <span class="dim">nothing yet</span>
      </Line>
    );
  switch (turn.kind) {
    case 'asked':
      return (
        <Line rail={rail} who={turn.asked.role} meta="request" cls={cls}>
          {turn.asked.text}
        </Line>
      );
    case 'span':
      return <SpanTurn turn={turn} rail={rail} cls={cls} until={until} />;
    case 'snapshot':
      return <SnapshotTurn row={turn.row} rail={rail} cls={`${cls} ${turn.after ? 'after' : ''}`} />;
    case 'stop':
      return (
        <div class="msg-stop">
          <FindingIcon mark="violation" />
          <b>A conforming client stops here</b>
          <span>
            <RowLink row={turn.row} /> Of what follows, such a client shows nothing.
          </span>
        </div>
      );
    case 'waits':
      return (
        <Line
          rail={rail}
          who={
            <span class="role-end st-interrupted">
              <StatusIcon status="interrupted" />
              waits
            </span>
          }
          meta={turn.id}
          cls={cls}
        >
          {turn.reason || 'for an answer'}
        </Line>
      );
    case 'error':
      return (
        <Line
          rail={rail}
          who={
            <span class="role-end st-failed">
              <StatusIcon status="failed-by-report" />
              error
            </span>
          }
          meta="RUN_ERROR"
          cls={`${cls} error`}
          onPick={() => session.select({ kind: 'row', row: turn.row })}
        >
          {turn.message}
          {turn.code ? <code> code: {turn.code}</code> : null}
        </Line>
      );
  }
}

function SnapshotTurn({ row, rail, cls }: { row: number; rail: ComponentChildren; cls: string }) {
  const session = useSession();
  const value = useBody(row)?.value as { messages?: unknown } | undefined;
  const list = Array.isArray(value?.messages) ? (value.messages as { role?: unknown; content?: unknown }[]) : [];
  return (
    <Line rail={rail} who="snapshot" meta="MESSAGES_SNAPSHOT" cls={cls} onPick={() => session.select({ kind: 'row', row })}>
      <span class="dim">The whole conversation was sent anew, {list.length} messages:</span>
      {list.slice(-6).map((message, i) => (
        <span key={i} class="block snap">
          <span class="dim">{typeof message?.role === 'string' ? message.role : '?'}</span> {contentText(message?.content).slice(0, 300)}
        </span>
      ))}
    </Line>
  );
}

function SpanTurn({ turn, rail, cls, until }: { turn: Extract<Turn, { kind: 'span' }>; rail: ComponentChildren; cls: string; until: number }) {
  const session = useSession();
  const { formats } = usePanel();
  const { span } = turn;
  const text = useJob(() => textOfSpan(session, span, until), [span.id, span.deltas, until]);
  const selection = session.selection.value;
  const chosen = selection.kind === 'span' && selection.id === span.id;
  const open = span.end === null || span.end > until;
  const took = open ? 'receiving' : span.how === 'closed' || span.how === 'lane' ? formats.duration(span.end! - span.start) : 'left open';
  const pick = () => session.select({ kind: 'span', id: span.id });
  const classes = [cls, turn.after && 'after', chosen && 'selected', span.kind === 'reasoning' && 'thought'].filter(Boolean).join(' ');
  const subagent = span.owner === null ? undefined : session.store.spans.find((one) => one?.kind === 'subagent' && one.itemId === span.owner);
  const role = span.kind === 'tool' ? 'call' : span.kind === 'subagent' ? 'subagent' : span.kind === 'reasoning' ? 'reasoning' : (span.role ?? 'assistant');
  const who = subagent ? (
    <span class="sub">
      <KindIcon kind="subagent" />
      {subagent.label || 'subagent'}
    </span>
  ) : (
    role
  );
  return (
    <Line rail={rail} who={who} meta={`${span.itemId}, ${took}`} cls={classes} onPick={pick}>
      {span.kind === 'tool' ? <Call span={span} until={until} /> : span.kind === 'subagent' ? <Handed span={span} /> : (text ?? span.label)}
      {span.how === 'lost' && !open ? <Cut /> : null}
      {open && span.kind === 'text' ? <span class="caret" /> : null}
      {turn.calls.map((call) => (
        <Call key={call.id} span={call} until={until} />
      ))}
    </Line>
  );
}

const Handed = ({ span }: { span: SpanView }) => (
  <span class="call">
    <KindIcon kind="subagent" />
    <b>{span.label || span.itemId}</b>
    <span>worked on its own from here</span>
  </span>
);

const Cut = () => (
  <>
    <span class="tear" />
    <span class="cutnote">cut here</span>
  </>
);

function Call({ span, until }: { span: SpanView; until: number }) {
  const session = useSession();
  const args = useJob(() => textOfSpan(session, span, until), [span.id, span.deltas, until]);
  const answered = span.resultRow !== null && span.resultTime !== null && span.resultTime <= until;
  const result = useBody(answered ? span.resultRow : null)?.value as { content?: unknown } | undefined;
  const broken = args !== null && args !== '' && span.argsEnd !== null && span.argsEnd <= until && !isJson(args);
  return (
    <button type="button" class="call" onClick={() => session.select({ kind: 'span', id: span.id })}>
      <KindIcon kind="tool" />
      <b>{span.label || span.itemId}</b>
      <code>{(args ?? '').slice(0, 400)}</code>
      {broken ? (
        <span class="f-deviation" title="These arguments are not JSON">
          <FindingIcon mark="deviation" />
        </span>
      ) : null}
      <span class="arrow">→</span>
      <span class="result">{answered ? contentText(result?.content).slice(0, 400) || 'an empty result' : 'no result yet'}</span>
    </button>
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
