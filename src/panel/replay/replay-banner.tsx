/** Says that a replay is armed, what it waits for, and ends it; and the steps of an answer that is given event by event. */
import { usePanel, useSession } from '../state/panel.ts';
import { Icon } from '../views/icons.tsx';
import { Tool } from '../views/parts.tsx';
import './replay.css';
import type { Replay } from './replay.ts';
import type { Setup } from './setup.ts';
import type { Stepper } from './stepper.ts';

export function ReplayBanner() {
  const replay = usePanel().replay.value;
  if (!replay) return null;
  const setup = replay.armed.value;
  const stepper = replay.stepping.value;
  const said = replay.said.value;
  return (
    <>
      {setup ? <Armed replay={replay} setup={setup} /> : null}
      {stepper ? <Steps stepper={stepper} /> : null}
      {said === null ? null : (
        <output class="notice" data-testid="replay-said">
          <Icon name="replay" size={14} />
          <span class="said">{said}</span>
          <span class="spacer" />
          {replay.given.value > 0 ? <ShowRun /> : null}
          <Tool icon="close" label="Close notice" small onClick={() => (replay.said.value = null)} />
        </output>
      )}
    </>
  );
}

/** To the run that the last answer gave, once it is there. */
function ShowRun() {
  const session = useSession();
  const run = session.store.runs.findLast(({ conn }) => session.store.connections[conn]?.replay);
  return run ? (
    <button type="button" class="plain" onClick={() => session.select({ kind: 'run', id: run.id })}>
      Show the run
    </button>
  ) : null;
}

function Armed({ replay, setup }: { replay: Replay; setup: Setup }) {
  const { formats } = usePanel();
  const { answers, method, pattern, once, keep, plan } = setup;
  const given = replay.given.value;
  const which = answers.length === 1 ? answers[0]!.name : `${formats.count(answers.length)} recorded streams`;
  return (
    <section class="notice armed" aria-label="Armed replay" data-testid="armed">
      <Icon name="replay" size={14} />
      <span class="said">
        <b>Armed.</b> {once ? 'The next' : 'Each'} <code>{method || 'request'}</code> to <code>{pattern}</code>{' '}
        {answers.length === 0 ? 'goes to the agent, and its answer is changed' : `is answered with ${which}`}
        {plan ? `: ${plan.name || 'a plan'}` : ''}. {keep ? 'A reload keeps it. ' : ''}
        {given > 0 ? `${formats.plural(given, 'request', 'requests')} answered.` : ''}
      </span>
      <span class="spacer" />
      <button type="button" class="plain" onClick={replay.disarm}>
        Disarm
      </button>
    </section>
  );
}

function Steps({ stepper }: { stepper: Stepper }) {
  const at = stepper.at.value;
  const { steps, findings } = stepper;
  const next = steps[at];
  const over = at >= steps.length;
  return (
    <section class="notice armed" aria-label="Steps of the replay" data-testid="steps" data-at={at}>
      <span class="said">
        <span class="num">
          {at} of {steps.length}
        </span>
        {' given, '}
        {next ? (
          <>
            next: <code>{next.types.join(', ') || 'what follows the last event'}</code>
          </>
        ) : (
          'nothing is left'
        )}
      </span>
      <span class="spacer" />
      <button type="button" class="plain" disabled={over} onClick={stepper.step}>
        Step
      </button>
      <button type="button" class="plain" disabled={over} onClick={stepper.toFinding}>
        {findings.some((no) => no >= at) ? 'To the next finding' : 'To the end'}
      </button>
      <button type="button" class="plain" disabled={over} onClick={stepper.runOn}>
        Run on
      </button>
    </section>
  );
}
