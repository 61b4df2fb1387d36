/** The caps, as settings. */
import { DEFAULT_LIMITS, FRAME_LIMITS, type Limits, sizeWords, TAB_LIMITS } from '../../capture/limits.ts';
import { usePanel } from '../state/panel.ts';

const CHOICES: readonly (readonly [keyof Limits, string, readonly number[], string])[] = [
  ['tab', 'A tab may hold', TAB_LIMITS, 'What comes after it is counted and not kept, until the log is cleared.'],
  [
    'frame',
    'Largest frame',
    FRAME_LIMITS,
    'A larger one is not decoded and nothing is judged across it; its bytes are kept. Setting it judges everything anew.',
  ],
];

export function LimitSettings() {
  const panel = usePanel();
  const limits = panel.live.store.facts.value?.limits ?? DEFAULT_LIMITS;
  const set = (change: Partial<Limits>) => {
    panel.live.link
      .send({ name: 'limits', limits: { ...limits, ...change } })
      .catch((error: Error) => (panel.notice.value = { tone: 'error', text: error.message }));
  };
  return (
    <fieldset class="limits">
      <legend>Limits</legend>
      {CHOICES.map(([key, label, sizes, what]) => (
        <div class="limit" key={key}>
          <label for={`limit-${key}`}>{label}</label>
          <select id={`limit-${key}`} class="boxed-input" value={limits[key]} onChange={(event) => set({ [key]: Number(event.currentTarget.value) })}>
            {sizes.map((size) => (
              <option key={size} value={size}>
                {sizeWords(size)}
                {size === DEFAULT_LIMITS[key] ? ' (default)' : ''}
              </option>
            ))}
          </select>
          <span class="dim">{what}</span>
        </div>
      ))}
    </fieldset>
  );
}
