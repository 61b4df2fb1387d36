/** A slider through moments, with a step back and a step forward beside it. */
import { Tool } from './parts.tsx';

interface ScrubProps {
  readonly label: string;
  readonly index: number;
  readonly count: number;
  /** What the place is, for those who do not see the slider. */
  readonly text: string;
  readonly onIndex: (index: number) => void;
}

export function Scrub({ label, index, count, text, onIndex }: ScrubProps) {
  const to = (next: number) => onIndex(Math.max(0, Math.min(count - 1, next)));
  return (
    <span class="scrub">
      <Tool icon="prev" label={`${label}: one back`} small disabled={index <= 0} onClick={() => to(index - 1)} />
      <input
        type="range"
        aria-label={label}
        aria-valuetext={text}
        min={0}
        max={Math.max(0, count - 1)}
        value={index}
        disabled={count < 2}
        onInput={(event) => to(Number(event.currentTarget.value))}
      />
      <Tool icon="next" label={`${label}: one on`} small disabled={index >= count - 1} onClick={() => to(index + 1)} />
    </span>
  );
}
