/** A border between two panes that pointer and arrow keys move. */

interface SplitterProps {
  readonly label: string;
  /** `horizontal`: the line lies flat and moves up and down. */
  readonly flat: boolean;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** New value after the line moved by some px, right or down. */
  readonly onMove: (px: number) => void;
  readonly onSet: (value: number) => void;
  readonly valueText: string;
  readonly controls?: string;
}

const STEP = 16;

export function Splitter({ label, flat, value, min, max, onMove, onSet, valueText }: SplitterProps) {
  const onPointerDown = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    let at = flat ? event.clientY : event.clientX;
    const move = (next: PointerEvent) => {
      const to = flat ? next.clientY : next.clientX;
      if (to !== at) onMove(to - at);
      at = to;
    };
    const up = () => {
      handle.removeEventListener('pointermove', move);
      handle.removeEventListener('pointerup', up);
      handle.removeEventListener('pointercancel', up);
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', up);
    handle.addEventListener('pointercancel', up);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [less, more] = flat ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight'];
    if (event.key === less) onMove(-STEP);
    else if (event.key === more) onMove(STEP);
    else if (event.key === 'Home') onSet(min);
    else if (event.key === 'End') onSet(max);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr takes no focus and has no value
    <div
      class={`splitter ${flat ? 'flat' : 'upright'}`}
      role="separator"
      aria-label={label}
      aria-orientation={flat ? 'horizontal' : 'vertical'}
      aria-valuenow={Math.round(value)}
      aria-valuemin={Math.round(min)}
      aria-valuemax={Math.round(max)}
      aria-valuetext={valueText}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
    />
  );
}
