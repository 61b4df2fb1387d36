/** Trouble on purpose: a plan to choose or write, and at once the verdict that the altered stream will get. */
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { eventTypesOf, liveProblems } from '../../replay/apply.ts';
import { NO_PLAN, type Plan, parsePlan, writePlan } from '../../replay/plan.ts';
import { READY_PLANS, type ReadyPlan } from '../../replay/ready.ts';
import type { Answer } from '../../replay/types.ts';
import { type Asking, type Verdict, verdictOf } from '../../replay/verdict.ts';
import type { RunView } from '../../runs/types.ts';
import { usePanel } from '../state/panel.ts';
import { noteOf, SEVERITY_WORD, STATUS_KEY } from '../words/status.ts';
import '../styles/plan.css';
import { FindingIcon, Icon } from './icons.tsx';
import { StatusWord } from './parts.tsx';
import { Scroll } from './row.tsx';

export interface PlanEditorProps {
  /** The recorded answer that is altered; null for a live stream, whose verdict nobody knows yet. */
  readonly answer: Answer | null;
  /** The request it answered: some rules compare the two. */
  readonly asking?: Asking;
  /** The plan's text; empty for none. */
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** A verdict waits this long for the next key, ms. */
const PAUSE = 150;
/** Events and findings that are listed. */
const MOST = 500;

const READY = READY_PLANS.map((ready) => ({ ...ready, text: writePlan(ready.plan) }));
const GROUPS: readonly (readonly [name: string, has: (ready: ReadyPlan) => boolean])[] = [
  ['Ways a run can end', ({ leads }) => 'status' in leads],
  ['Rules that can be broken', ({ leads }) => 'family' in leads],
  ['No run at all', ({ leads }) => 'failure' in leads],
];

export function PlanEditor({ answer, asking, text, onText }: PlanEditorProps) {
  const id = useId();
  const read = useMemo(() => (text.trim() === '' ? null : parsePlan(text)), [text]);
  const error = read && 'error' in read ? read.error : null;
  return (
    <div class="plan">
      <div class="plan-panes">
        <div class="plan-text">
          <ReadyPicker text={text} onText={onText} />
          <textarea
            id={`${id}text`}
            class="mono"
            aria-label="Plan"
            aria-invalid={error !== null}
            aria-describedby={`${id}error`}
            spellcheck={false}
            autocomplete="off"
            wrap="off"
            placeholder="Choose a plan above, then change it here."
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
          />
          <p id={`${id}error`} class={`plan-error ${error === null ? 'dim' : ''}`} role="status">
            {error === null ? (
              hintOf(read)
            ) : (
              <>
                <FindingIcon mark="violation" />
                <span>{error}</span>
              </>
            )}
          </p>
          {answer ? <EventList answer={answer} /> : null}
        </div>
        <Outcome answer={answer} asking={asking} plan={read && 'plan' in read ? read.plan : null} wrong={error !== null} />
      </div>
    </div>
  );
}

function hintOf(read: { readonly plan: Plan } | { readonly error: string } | null): string {
  if (read === null || 'error' in read) return 'Without a plan the stream comes as it was.';
  const { length } = read.plan.changes;
  return length === 0
    ? 'This plan changes nothing.'
    : `${length === 1 ? '1 change' : `${length} changes`}. The same text does the same in runlens serve --plan.`;
}

function ReadyPicker({ text, onText }: Pick<PlanEditorProps, 'text' | 'onText'>) {
  const chosen = text.trim() === '' ? 'none' : String(READY.findIndex((ready) => ready.text === text));
  return (
    <label class="picker plan-ready">
      Plan
      <select
        value={chosen}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (value !== '-1') onText(value === 'none' ? '' : READY[Number(value)]!.text);
        }}
      >
        <option value="none">none</option>
        {chosen === '-1' ? <option value="-1">your own</option> : null}
        {GROUPS.map(([name, has]) => (
          <optgroup key={name} label={name}>
            {READY.map((ready, index) =>
              has(ready) ? (
                <option key={ready.plan.name} value={String(index)}>
                  {ready.plan.name}
                </option>
              ) : null,
            )}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

/** What the numbers and types of a plan can be. */
function EventList({ answer }: { answer: Answer }) {
  const { formats } = usePanel();
  const types = useMemo(() => eventTypesOf(answer), [answer]);
  return (
    <details class="plan-events">
      <summary>Events of the recording, {formats.count(types.length)} by number</summary>
      <Scroll cls="plan-event-list mono" label="Events by number">
        <ol start={0}>
          {types.slice(0, MOST).map((type, at) => (
            <li key={at}>
              <span class="dim r">{at}</span>
              <span>{type || 'no type'}</span>
            </li>
          ))}
        </ol>
        {types.length > MOST ? <p class="dim">and {formats.count(types.length - MOST)} more</p> : null}
      </Scroll>
    </details>
  );
}

interface OutcomeProps {
  readonly answer: Answer | null;
  readonly asking: Asking | undefined;
  readonly plan: Plan | null;
  readonly wrong: boolean;
}

function Outcome({ answer, asking, plan, wrong }: OutcomeProps) {
  const [shown, setShown] = useState<{ readonly verdict: Verdict; readonly altered: boolean } | null>(null);
  useEffect(() => {
    if (!answer || wrong) return;
    const judge = () => setShown({ verdict: verdictOf(answer, plan ?? NO_PLAN, asking), altered: plan !== null });
    const timer = setTimeout(judge, shown === null ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [answer, asking, plan, wrong]);
  return (
    <section class="plan-outcome" aria-label="Verdict">
      <div class="preview-head">
        <b>{answer === null ? 'The agent’s next answer' : shown && !shown.altered ? 'As recorded' : 'What becomes of it'}</b>
        {wrong ? <span class="dim">{shown ? 'of the last plan that was right' : ''}</span> : null}
      </div>
      {answer === null ? (
        <div class="plan-none">
          <Notes notes={plan ? liveProblems(plan) : []} />
          <p class="dim">A live stream gets its verdict when it comes: it shows in the panel like any other.</p>
        </div>
      ) : shown ? (
        <Scroll cls={`plan-verdict ${wrong ? 'stale' : ''}`} label="Verdict of the altered stream">
          <VerdictView {...shown.verdict} />
        </Scroll>
      ) : wrong ? (
        <p class="dim plan-none">The verdict comes with a plan that is right.</p>
      ) : null}
    </section>
  );
}

const Notes = ({ notes }: { notes: readonly string[] }) => (
  <>
    {notes.map((note) => (
      <p key={note} class="plan-note">
        <FindingIcon mark="deviation" />
        <span>{note}</span>
      </p>
    ))}
  </>
);

/** The panel's rows count from 1; here all numbers are those of the plan and of the findings' messages, from 0. */
function fromZero(run: RunView): RunView {
  const less = (row: number | null): number | null => (row === null ? null : row - 1);
  return { ...run, rejectedRow: less(run.rejectedRow), endedRow: less(run.endedRow), firstRow: run.firstRow - 1 };
}

function VerdictView({ runs, findings, failure, notes, events }: Verdict) {
  const { formats } = usePanel();
  return (
    <>
      <Notes notes={notes} />
      {failure === null ? null : (
        <p class="plan-note">
          <Icon name="torn" size={14} />
          <span>{failure}</span>
        </p>
      )}
      {runs.length === 0 ? <p class="dim">No run comes of it.</p> : null}
      <ul class="plan-runs" aria-live="polite" aria-label="Runs">
        {runs.map((run) => (
          <li key={run.id} data-status={run.status}>
            <StatusWord status={run.status} />
            <span class={run.status === 'succeeded' || run.status === 'active' ? 'dim' : `st-${STATUS_KEY[run.status]}`}>
              {noteOf(fromZero(run), runs.map(fromZero)).replaceAll(/\bat #(?=\d)/g, 'at event ')}
            </span>
            <span class="dim">
              run <bdi>{run.runId ?? 'without an id'}</bdi>
            </span>
          </li>
        ))}
      </ul>
      <p class="dim plan-count">
        {formats.plural(events, 'event', 'events')}, {findings.length === 0 ? 'no findings' : formats.plural(findings.length, 'finding', 'findings')}
      </p>
      <ul class="plan-findings" aria-label="Findings">
        {findings.slice(0, MOST).map((finding) => (
          <li key={finding.id} data-rule={finding.rule}>
            <FindingIcon mark={finding.severity} size={13} />
            <span>
              <b class={`f-${finding.severity}`}>{SEVERITY_WORD[finding.severity]}</b> <code>{finding.rule}</code>{' '}
              <span class="dim">{finding.row === null ? 'the whole response' : `event ${finding.at}`}</span>
              <span class="block" dir="auto">
                {finding.message}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
