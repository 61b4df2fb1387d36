/** A sign of the timeline as SVG, for the tooltip. */
import type { JSX } from 'preact';
import type { IconName } from '../../timeline/index.ts';
import { ICONS } from './icons.ts';

export function Icon({ name, size, tone }: { readonly name: IconName; readonly size: number; readonly tone: string }): JSX.Element {
  const colour = { ink: `var(--${tone})`, fill: `var(--${tone}-fill, var(--surface))`, surface: 'var(--surface-raised)' } as const;
  return (
    <svg viewBox="0 0 12 12" width={size} height={size} aria-hidden="true">
      {(ICONS[name] ?? []).map((part) => (
        <path
          key={part.d}
          d={part.d}
          fill={part.fill ? colour[part.fill] : 'none'}
          stroke={part.stroke ? colour[part.stroke] : 'none'}
          stroke-width={part.width}
          stroke-linecap="round"
          stroke-linejoin="round"
        />
      ))}
    </svg>
  );
}
