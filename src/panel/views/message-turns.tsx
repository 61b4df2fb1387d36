/** The turns of the conversation: what was asked, said, called, found and left waiting. */
import type { ComponentChildren } from 'preact';
import type { RunView, SpanView } from '../../runs/types.ts';
import type { Fate, Turn } from '../state/conversation.ts';
import { contentText } from '../state/message.ts';
import { subagentOf } from '../state/of-run.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { STATUS_KEY, STATUS_WORD } from '../words/status.ts';
import { FindingIcon, KindIcon, StatusIcon } from './icons.tsx';
import { JsonTree } from './json-tree.tsx';
import { Content } from './message-content.tsx';
import { RowLink } from './parts.tsx';
import { textOfSpan } from './span-text.ts';
import { useBody, useJob } from './use-bodies.ts';

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

export function TurnRow({ turn, run, first, until }: { turn: Turn | null; run: RunView; first: boolean; until: number }) {
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
        <Line
          rail={rail}
          who={turn.asked.role}
          meta="request"
          cls={withFate(cls, turn.fate)}
          onPick={() => session.select({ kind: 'connection', id: run.conn })}
        >
          <Content content={turn.fate?.kind === 'restated' ? turn.fate.content : turn.asked.content} />
          <FateNote fate={turn.fate} was={contentText(turn.asked.content)} />
        </Line>
      );
    case 'span':
      return <SpanTurn turn={turn} rail={rail} cls={cls} until={until} />;
    case 'snapshot':
      return <SnapshotTurn turn={turn} rail={rail} cls={`${cls} ${turn.after ? 'after' : ''}`} />;
    case 'message':
      return <MessageTurn turn={turn} rail={rail} cls={withFate(`${cls} ${turn.after ? 'after' : ''}`, turn.fate)} />;
    case 'activity':
      return (
        <Line
          rail={rail}
          who="activity"
          meta={turn.id}
          cls={withFate(`${cls} ${turn.after ? 'after' : ''}`, turn.fate)}
          onPick={() => session.select({ kind: 'row', row: turn.last })}
        >
          <b class="kind-word">{turn.activityType}</b>
          <JsonTree value={turn.fate?.kind === 'restated' ? turn.fate.content : turn.content} name="content" open={1} />
          <FateNote fate={turn.fate} />
        </Line>
      );
    case 'result':
      return (
        <Line rail={rail} who="result" meta="RUN_FINISHED" cls={cls} onPick={() => session.select({ kind: 'row', row: turn.row })}>
          {typeof turn.value === 'string' ? turn.value : <JsonTree value={turn.value} name="result" open={1} />}
        </Line>
      );
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
          onPick={() => session.select({ kind: 'row', row: turn.row })}
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

const withFate = (cls: string, fate: Fate | undefined): string => (fate?.kind === 'dropped' ? `${cls} dropped` : cls);

/** What a later snapshot made of a message: nothing is said where it repeats what was there. */
const FateNote = ({ fate, was }: { fate: Fate | undefined; was?: string | null }) => {
  if (!fate || (fate.kind === 'restated' && (was === undefined || was === null || contentText(fate.content) === was))) return null;
  return (
    <span class="fate">
      {fate.kind === 'dropped' ? 'dropped by the snapshot' : 'replaced by the snapshot'} <RowLink row={fate.row} />
    </span>
  );
};

function SnapshotTurn({ turn, rail, cls }: { turn: Extract<Turn, { kind: 'snapshot' }>; rail: ComponentChildren; cls: string }) {
  const session = useSession();
  const { formats } = usePanel();
  const { total, fresh = 0, dropped = 0 } = turn;
  const news = [fresh > 0 ? `${formats.count(fresh)} new below` : '', dropped > 0 ? `${formats.count(dropped)} dropped above` : ''].filter(Boolean).join(', ');
  return (
    <Line rail={rail} who="snapshot" meta="MESSAGES_SNAPSHOT" cls={cls} onPick={() => session.select({ kind: 'row', row: turn.row })}>
      <span class="dim">
        The whole conversation was sent anew
        {total === undefined ? '' : `: ${formats.plural(total, 'message', 'messages')}, ${news || 'all known before'}`}.
      </span>
    </Line>
  );
}

function MessageTurn({ turn, rail, cls }: { turn: Extract<Turn, { kind: 'message' }>; rail: ComponentChildren; cls: string }) {
  const session = useSession();
  const { message, fate } = turn;
  return (
    <Line rail={rail} who={message.role} meta={message.id} cls={cls} onPick={() => session.select({ kind: 'row', row: turn.row })}>
      {message.activityType === null ? (
        <Content content={fate?.kind === 'restated' ? fate.content : message.content} />
      ) : (
        <JsonTree value={message.content} name={message.activityType} open={1} />
      )}
      {message.calls.map((call) => (
        <span key={call.id} class="call">
          <KindIcon kind="tool" />
          <b>{call.name || call.id}</b>
          <code>{call.args.slice(0, 400)}</code>
          {call.args !== '' && !isJson(call.args) ? <NotJson /> : null}
        </span>
      ))}
      <FateNote fate={fate} was={contentText(message.content)} />
    </Line>
  );
}

const NotJson = () => (
  <span class="f-deviation not-json" data-testid="not-json">
    <FindingIcon mark="deviation" /> not JSON
  </span>
);

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
  const subagent = span.owner === null ? undefined : subagentOf(session.store, span.owner);
  const role = span.kind === 'tool' ? 'call' : span.kind === 'subagent' ? 'subagent' : span.kind === 'reasoning' ? 'reasoning' : (span.role ?? 'assistant');
  const who = subagent ? (
    <span class="sub">
      <KindIcon kind="subagent" />
      {subagent.label || 'subagent'}
    </span>
  ) : (
    role
  );
  const said = turn.fate?.kind === 'restated' && span.kind === 'text' ? <Content content={turn.fate.content} /> : (text ?? span.label);
  return (
    <Line rail={rail} who={who} meta={`${span.itemId}, ${took}`} cls={withFate(classes, turn.fate)} onPick={pick}>
      {span.kind === 'tool' ? <Call span={span} until={until} /> : span.kind === 'subagent' ? <Handed span={span} /> : said}
      {span.how === 'lost' && !open ? <Cut /> : null}
      {open && span.kind === 'text' ? <span class="caret" /> : null}
      {turn.calls.map((call) => (
        <Call key={call.id} span={call} until={until} />
      ))}
      <FateNote fate={turn.fate} was={span.kind === 'text' ? text : null} />
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
      {broken ? <NotJson /> : null}
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
