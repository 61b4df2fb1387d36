/** The sheets over the panel: keys, settings, export. */
import { useState } from 'preact/hooks';
import type { Severity } from '../../checker/types.ts';
import { usePanel } from '../state/panel.ts';
import { SEVERITIES } from '../state/severity.ts';
import { RULES } from '../words/rules.ts';
import { ClosedTabs } from './closed-tabs.tsx';
import { FindingIcon } from './icons.tsx';
import { later } from './later.tsx';
import { LimitSettings } from './limits.tsx';
import { Sheet } from './sheet.tsx';

const ReplaySheet = later(() => import('../replay/replay-sheet.tsx').then((file) => file.ReplaySheet));
const ExportDialog = later(() => import('./export-dialog.tsx').then((file) => file.ExportDialog));

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['n, p', 'next, previous finding'],
      ['/', 'filter; in it Enter and Shift+Enter go from match to match'],
      ['?', 'this sheet'],
      ['Esc', 'back: close, then deselect'],
      ['Tab', 'toolbar, overview, timeline, tabs, table, pane'],
    ],
  ],
  [
    'Timeline',
    [
      ['W, S', 'zoom in, out (also + and −, Ctrl+wheel, pinch)'],
      ['A, D', 'pan (also drag, Shift+wheel)'],
      ['Shift+drag', 'measure; Z then zooms to what was measured'],
      ['F', 'fold idle time between runs'],
      ['0', 'fit everything'],
      ['Z', 'zoom to the selection'],
      ['← →', 'by time; on a run or a subagent fold, open'],
      ['↑ ↓', 'by lane'],
      ['Page Up, Page Down', 'run by run'],
      ['Enter', 'select'],
    ],
  ],
  [
    'Tables',
    [
      ['↑ ↓', 'row by row'],
      ['Page Up, Page Down', 'page by page'],
      ['Home, End', 'first, last'],
      ['← →', 'fold, unfold deltas'],
      ['Shift with ↑ ↓, Ctrl A', 'select several events, all of them'],
      ['Ctrl C', 'copy what is selected'],
      ['Alt ↑, Alt ↓', 'first event of the run before, of the next run'],
      ['Alt ←, Alt →', 'event before, next event of the same item'],
      ['C', 'in Runs: compare with the nearest good run'],
      ['Shift F10', 'menu of the row'],
    ],
  ],
  [
    'Splitters',
    [
      ['Arrows', 'move by 16 px'],
      ['Home, End', 'smallest, largest'],
    ],
  ],
];

const Help = () => (
  <Sheet title="Keys">
    {KEYS.map(([title, keys]) => (
      <section key={title}>
        <h2>{title}</h2>
        <dl class="keys">
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </Sheet>
);

const THRESHOLDS: Readonly<Record<Severity, string>> = {
  violation: 'violations only',
  deviation: 'violations and deviations',
  advice: 'all: advice too',
};

function Settings() {
  const panel = usePanel();
  const { settings } = panel;
  const { time, rules, least } = settings.value.value;
  const [text, setText] = useState('');
  const shown = RULES.filter((rule) => text === '' || rule.id.includes(text.toLowerCase()) || rule.title.toLowerCase().includes(text.toLowerCase()));
  const flip = (id: string, on: boolean, byDefault: boolean) => {
    const next = { ...rules };
    if (on === byDefault) delete next[id];
    else next[id] = on;
    settings.set({ rules: next });
    void panel.shown
      .peek()
      .link.send({ name: 'rules', rules: next })
      .catch((error: Error) => (panel.notice.value = { tone: 'error', text: error.message }));
  };
  return (
    <Sheet title="Settings">
      <fieldset>
        <legend>Times</legend>
        {(['relative', 'absolute'] as const).map((form) => (
          <label key={form} class="check radio">
            <input type="radio" name="time" checked={time === form} onChange={() => settings.set({ time: form })} />
            {form === 'relative' ? 'since the capture began' : 'time of day'}
          </label>
        ))}
      </fieldset>
      <LimitSettings />
      <fieldset>
        <legend>Findings shown</legend>
        {SEVERITIES.map((severity) => (
          <label key={severity} class="check radio">
            <input type="radio" name="least" checked={least === severity} onChange={() => settings.set({ least: severity })} />
            <FindingIcon mark={severity} />
            {THRESHOLDS[severity]}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>Rules</legend>
        <p class="dim">A rule that is off is not judged at all, in any tab; switching one judges everything anew.</p>
        <input
          type="search"
          class="boxed-input"
          placeholder="Find a rule"
          aria-label="Find a rule"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <div class="rules">
          {shown.map((rule) => {
            const byDefault = !rule.off;
            return (
              <label key={rule.id} class="check rule-row">
                <input type="checkbox" checked={rules[rule.id] ?? byDefault} onChange={(event) => flip(rule.id, event.currentTarget.checked, byDefault)} />
                <FindingIcon mark={rule.severity} />
                <code>{rule.id}</code>
                <span class="dim">{rule.title}</span>
              </label>
            );
          })}
        </div>
      </fieldset>
    </Sheet>
  );
}

export function Dialogs() {
  const { dialog } = usePanel();
  if (dialog.value === 'help') return <Help />;
  if (dialog.value === 'closed') {
    return (
      <Sheet title="Closed tabs">
        <ClosedTabs />
      </Sheet>
    );
  }
  if (dialog.value === 'export') return <ExportDialog />;
  if (dialog.value === 'replay') return <ReplaySheet />;
  return dialog.value === 'settings' ? <Settings /> : null;
}
