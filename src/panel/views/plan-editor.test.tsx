// @vitest-environment happy-dom
import { signal } from '@preact/signals';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/preact';
import { useState } from 'preact/hooks';
import { afterEach, expect, test } from 'vitest';
import { writePlan } from '../../replay/plan.ts';
import { goodAnswer, planOf } from '../../replay/testkit.ts';
import type { Answer } from '../../replay/types.ts';
import { createPanel, PanelContext } from '../state/panel.ts';
import { fakePlatform, now } from '../state/testkit.ts';
import { PlanEditor } from './plan-editor.tsx';

afterEach(cleanup);

const ANSWER = goodAnswer();

function Page({ answer, first }: { answer: Answer | null; first: string }) {
  const [text, setText] = useState(first);
  return <PlanEditor answer={answer} text={text} onText={setText} />;
}

function opened(answer: Answer | null = ANSWER, first = '') {
  const panel = createPanel(fakePlatform().platform, {}, signal<'light' | 'dark'>('light'), now);
  render(
    <PanelContext.Provider value={panel}>
      <Page answer={answer} first={first} />
    </PanelContext.Provider>,
  );
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Plan' });
  return { box, verdict: screen.getByRole('region', { name: 'Verdict' }), write: (value: string) => fireEvent.input(box, { target: { value } }) };
}

const choose = (name: string) => {
  const list = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Plan' });
  fireEvent.change(list, { target: { value: within(list).getByText<HTMLOptionElement>(name).value } });
};

test('a ready plan is a text to change, and shows at once what becomes of the run', async () => {
  const { box, verdict } = opened();
  await waitFor(() => expect(verdict.textContent).toContain('As recordedSucceeded'));
  choose('The start of a message is lost');
  expect(box.value).toContain('{ "do": "drop", "event": { "type": "TEXT_MESSAGE_START" } }');
  await waitFor(() => expect(verdict.textContent).toContain('Rejected'));
  expect(verdict.textContent).toMatch(/What becomes of it.*at event 9;.*text-not-open event 9/);
  choose('none');
  expect(box.value).toBe('');
});

test('a wrong plan says what is wrong, and the last right one keeps its verdict', async () => {
  const { box, verdict, write } = opened(ANSWER, writePlan(planOf({ do: 'cut', after: 3 })));
  await waitFor(() => expect(verdict.textContent).toContain('Truncated'));
  write(JSON.stringify({ ...planOf(), changes: [{ do: 'cut' }] }));
  expect(screen.getByText(/^Change 1 \(cut\): "after" is missing/)).toBeTruthy();
  expect([box.getAttribute('aria-invalid'), verdict.textContent]).toEqual(['true', expect.stringMatching(/of the last plan that was right.*Truncated/)]);
  write(writePlan(planOf({ do: 'drop', event: 99 })));
  await waitFor(() => expect(verdict.textContent).toContain('Change 1 (drop) was not made: there was no event 99'));
  expect(box.getAttribute('aria-invalid')).toBe('false');
  expect(verdict.textContent).toContain('Succeeded');
});

test('of a live stream it says what cannot be done, and promises no verdict', async () => {
  const { verdict } = opened(null, writePlan(planOf({ do: 'drop', event: { type: 'RAW', nth: -1 } })));
  expect(verdict.textContent).toMatch(/Change 1 \(drop\) counts from the end.*A live stream gets its verdict when it comes/);
  expect(screen.queryByText(/Events of the recording/)).toBeNull();
});

test('the events of the recording are listed by the numbers of a plan', () => {
  opened();
  const items = within(screen.getByLabelText('Events by number')).getAllByRole('listitem', { hidden: true });
  expect(items.map(({ textContent }) => textContent).slice(0, 2)).toEqual(['0RUN_STARTED', '1STATE_SNAPSHOT']);
});
