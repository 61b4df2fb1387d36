/**
 * The plan editor over a good recorded run, apart from the extension: `plan.html?theme=dark&plan=7`. `plan` is the index of a ready plan;
 * `text` a text of one's own; `live=1` has no recording.
 */
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { createPanel, PanelContext } from '../../src/panel/state/panel.ts';
import { followTheme } from '../../src/panel/state/theme.ts';
import { PlanEditor } from '../../src/panel/views/plan-editor.tsx';
import { writePlan } from '../../src/replay/plan.ts';
import { READY_PLANS } from '../../src/replay/ready.ts';
import { goodAnswer } from '../../src/replay/testkit.ts';
import { fakeWorker } from './panel-link.ts';

const query = new URLSearchParams(location.search);
const worker = fakeWorker({ theme: query.get('theme') === 'dark' ? 'dark' : 'light', now: 0, locale: 'en' });
const panel = createPanel(worker.platform, {}, followTheme(worker.platform.panels, document.documentElement));
const answer = query.has('live') ? null : goodAnswer();
const ready = READY_PLANS[Number(query.get('plan') ?? -1)];

function Page() {
  const [text, setText] = useState(query.get('text') ?? (ready ? writePlan(ready.plan) : ''));
  return (
    <main class="runlens" aria-label="Plan">
      <PlanEditor answer={answer} text={text} onText={setText} />
    </main>
  );
}

render(
  <PanelContext.Provider value={panel}>
    <Page />
  </PanelContext.Provider>,
  document.querySelector('#panel')!,
);
