/** The sheet in which a replay is armed: what answers, which requests, how fast, and what is changed on the way. */
import { computed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { patternFor } from '../../replay/pattern.ts';
import { type Plan, parsePlan } from '../../replay/plan.ts';
import type { Asking } from '../../replay/verdict.ts';
import { type Panel, usePanel } from '../state/panel.ts';
import { messageOf } from '../state/working.ts';
import { StatusIcon } from '../views/icons.tsx';
import { PlanEditor } from '../views/plan-editor.tsx';
import { Sheet } from '../views/sheet.tsx';
import { createReplay, type Replay } from './replay.ts';
import './replay.css';
import { type Pace, type Recorded, recordedOf, type Setup } from './setup.ts';

type What = 'this' | 'all' | 'live';

const PACES: readonly (readonly [Pace, string])[] = [
  [1, 'as recorded'],
  [4, 'four times as fast'],
  ['at once', 'at once'],
  ['step', 'event by event, when I say so'],
];

/** The panel's replay, made at the first use. */
export function replayOf(panel: Panel): Replay {
  const there = panel.replay.peek();
  if (there) return there;
  const open = panel.platform.hold;
  if (!open) throw new Error('There is no page beside this panel.');
  const origin = computed(() => panel.live.store.facts.value?.origin ?? null);
  const made = createReplay({ open, origin });
  panel.replay.value = made;
  return made;
}

/** The connections that can answer: this one, or all of its capture. */
function useRecorded(panel: Panel, all: boolean): readonly Recorded[] | string | null {
  const asked = panel.toReplay.value;
  const [found, setFound] = useState<{ readonly all: boolean; readonly what: readonly Recorded[] | string } | null>(null);
  useEffect(() => {
    let shown = true;
    if (!asked) return;
    const { session, conn } = asked;
    const conns = new Set(all ? session.store.connections.map(({ id }) => id) : [conn]);
    recordedOf(panel.platform.readRecords(session.id), session, conns).then(
      (recorded) => shown && setFound({ all, what: recorded }),
      (error: unknown) => shown && setFound({ all, what: messageOf(error) }),
    );
    return () => {
      shown = false;
    };
  }, [asked, all]);
  // what was found before the choice changed must not be armed
  return found?.all === all ? found.what : null;
}

/** The plan in the text; null for none, a sentence where it is wrong. */
function planIn(text: string): Plan | null | string {
  if (text.trim() === '') return null;
  const read = parsePlan(text);
  return 'error' in read ? read.error : read.plan;
}

export function ReplaySheet() {
  const panel = usePanel();
  const [what, setWhat] = useState<What>('this');
  const [pattern, setPattern] = useState<string | null>(null);
  const [method, setMethod] = useState<string | null>(null);
  const [once, setOnce] = useState(true);
  const [keep, setKeep] = useState(false);
  const [pace, setPace] = useState<Pace>(1);
  const [text, setText] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const found = useRecorded(panel, what === 'all');
  const recorded = Array.isArray(found) ? (found as readonly Recorded[]) : [];
  const [first] = recorded;
  const named = useRef('');
  if (first && what === 'this') named.current = first.name;
  const plan = planIn(text);
  const wrong = typeof found === 'string' && what !== 'live' ? found : null;
  const ready = wrong === null && typeof plan !== 'string' && (what === 'live' ? plan !== null : recorded.length > 0);
  const needsPlan = what === 'live' && plan === null;
  const shownPattern = pattern ?? (first ? patternFor(first.exchange.path) : '*');
  const shownMethod = method ?? first?.exchange.method ?? 'POST';

  const arm = async () => {
    if (!ready || typeof plan === 'string') return;
    const setup: Setup = { answers: what === 'live' ? [] : recorded, method: shownMethod, pattern: shownPattern, once, keep, pace, plan };
    setBusy(true);
    try {
      await replayOf(panel).arm(setup);
      panel.dialog.value = null;
    } catch (error) {
      setFailure(messageOf(error));
    }
    setBusy(false);
  };

  const missing = recorded.reduce((sum, { exchange }) => sum + exchange.missingBytes, 0);
  return (
    <Sheet
      title="Answer the next request"
      wide
      foot={
        <>
          {failure === null ? (
            <span class={needsPlan ? '' : 'dim'}>
              {needsPlan
                ? 'Choose a plan: without one a live answer is not changed.'
                : 'Only fetch is answered; EventSource, XMLHttpRequest and WebSocket go to the network.'}
            </span>
          ) : (
            <span class="replay-failure" role="alert">
              <StatusIcon status="failed-by-report" /> {failure}
            </span>
          )}
          <span class="spacer" />
          <button type="button" class="primary" data-testid="arm" disabled={!ready || busy} onClick={() => void arm()}>
            {busy ? 'Arming…' : 'Arm'}
          </button>
        </>
      }
    >
      <div class="replay-sheet">
        <div class="replay-choices">
          <fieldset>
            <legend>Answer with</legend>
            <Radio name="what" checked={what === 'this'} onPick={() => setWhat('this')}>
              this stream{named.current ? <span class="dim name">: {named.current}</span> : null}
            </Radio>
            <Radio name="what" checked={what === 'all'} onPick={() => setWhat('all')}>
              all streams of this capture <span class="dim">by run or thread, else in order</span>
            </Radio>
            <Radio name="what" checked={what === 'live'} onPick={() => setWhat('live')}>
              what the agent answers <span class="dim">changed by a plan</span>
            </Radio>
            {wrong === null ? null : <p class="replay-failure note">{wrong}</p>}
            {missing > 0 ? <p class="dim note">{panel.formats.bytes(missing)} of it were never captured and are missing from the answer.</p> : null}
          </fieldset>
          <fieldset>
            <legend>To requests</legend>
            <div class="replay-match">
              <select class="boxed-input" aria-label="Method" value={shownMethod} onChange={(event) => setMethod(event.currentTarget.value)}>
                {[...new Set(['POST', 'GET', 'PUT', shownMethod, ''])].map((one) => (
                  <option key={one} value={one}>
                    {one === '' ? 'any' : one}
                  </option>
                ))}
              </select>
              <input
                class="boxed-input"
                type="text"
                spellcheck={false}
                aria-label="Address, with * for anything"
                value={shownPattern}
                onInput={(event) => setPattern(event.currentTarget.value)}
              />
            </div>
            <Radio name="once" checked={once} onPick={() => setOnce(true)}>
              once{what === 'all' ? ' each' : ''}
            </Radio>
            <Radio name="once" checked={!once} onPick={() => setOnce(false)}>
              until I disarm it
            </Radio>
            <label class="check">
              <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.currentTarget.checked)} />
              keep it over a reload of the page
            </label>
          </fieldset>
          {what === 'live' ? null : (
            <fieldset>
              <legend>Pace</legend>
              {PACES.map(([value, words]) => (
                <Radio key={words} name="pace" checked={pace === value} onPick={() => setPace(value)}>
                  {words}
                </Radio>
              ))}
            </fieldset>
          )}
        </div>
        <section class="replay-plan" aria-label="Trouble on purpose">
          <PlanEditor answer={what === 'live' ? null : (first?.exchange ?? null)} asking={first ? askingOf(first) : undefined} text={text} onText={setText} />
        </section>
      </div>
    </Sheet>
  );
}

const askingOf = ({ url, body, exchange }: Recorded): Asking => ({ url, method: exchange.method, ...(body === undefined ? {} : { body }) });

interface RadioProps {
  readonly name: string;
  readonly checked: boolean;
  readonly onPick: () => void;
  readonly children: ComponentChildren;
}

const Radio = ({ name, checked, onPick, children }: RadioProps) => (
  <label class="check radio">
    <input type="radio" name={name} checked={checked} onChange={onPick} />
    <span>{children}</span>
  </label>
);
