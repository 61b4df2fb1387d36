/** Parts of the State tab: why a delta was refused, and what differs between two moments. */
import diff from 'microdiff';
import { useState } from 'preact/hooks';
import type { Step } from '../state/document.ts';
import { pointer } from '../words/pointer.ts';
import { short } from '../words/summary.ts';
import { FindingIcon } from './icons.tsx';

/** The operations of a refused delta, and the way of the failing path through the state, with what stood at each place. */
export const Refused = ({ step }: { step: Step }) => {
  const failed = step.failed!;
  return (
    <div class="refused" data-testid="refused">
      <p>
        <FindingIcon mark="deviation" /> <b>Refused:</b> {failed.why} A patch applies whole or not at all.
      </p>
      {failed.walk.length > 0 ? (
        <ol class="walk" aria-label="Way of the path">
          {failed.walk.map((stop, i) => (
            <li key={i} class={stop.state}>
              <code>{stop.key}</code>
              <span dir="auto">{stop.what}</span>
            </li>
          ))}
        </ol>
      ) : null}
      <div class="ops-list">
        {step.ops.map((op, i) => (
          <div key={i} class={`op ${i === failed.at ? 'bad' : i > failed.at ? 'skip' : ''}`}>
            <span class="n">{step.places[i]}</span>
            <span class="verb">{op.op}</span>
            <code>{op.from === undefined ? op.path || '/' : `${op.from || '/'} → ${op.path || '/'}`}</code>
            {op.value === undefined ? null : (
              <>
                <span class="arrow">{op.op === 'test' ? '=' : '→'}</span>
                <span class="val">{short(op.value)}</span>
              </>
            )}
            <span class="verdict">{i === failed.at ? 'fails' : i > failed.at ? 'not tried' : 'would apply'}</span>
          </div>
        ))}
      </div>
    </div>
  );
};

/** Differences drawn at first. */
const SHOWN = 500;

export interface Line {
  readonly path: string;
  readonly sign: '+' | '~' | '−';
  readonly value: unknown;
  readonly was: unknown;
}

/** What differs between two values, place by place. */
export function differences(before: unknown, after: unknown): Line[] {
  const wrap = (value: unknown) => ({ state: value ?? null });
  return diff(wrap(before), wrap(after)).map((one) => ({
    path: one.path.slice(1).reduce<string>((path, key) => pointer(path, `${key}`), ''),
    sign: one.type === 'CREATE' ? '+' : one.type === 'CHANGE' ? '~' : '−',
    value: one.type === 'REMOVE' ? undefined : one.value,
    was: one.type === 'CREATE' ? undefined : one.oldValue,
  }));
}

const CLASS = { '+': 'add', '~': 'change', '−': 'remove' } as const;

/** A value of a difference: small ones whole, big ones as JSON that can be opened. */
const Value = ({ value }: { value: unknown }) => {
  const [open, setOpen] = useState(false);
  if (typeof value !== 'object' || value === null) return <bdi>{short(value)}</bdi>;
  if (open) return <code class="whole">{JSON.stringify(value)}</code>;
  return (
    <button type="button" class="link" title="Show it whole" onClick={() => setOpen(true)}>
      {short(value)}
    </button>
  );
};

export function Difference({ before, after }: { before: unknown; after: unknown }) {
  const [all, setAll] = useState(false);
  const list = differences(before, after);
  if (list.length === 0) return <p class="hollow-pane">Nothing differs.</p>;
  return (
    <div class="diff" data-testid="difference">
      {(all ? list : list.slice(0, SHOWN)).map(({ path, sign, value, was }) => (
        <div key={path} class={`node ${CLASS[sign]}`}>
          <span class="sign">{sign}</span>
          <code>{path || '/'}</code>
          {sign === '−' ? null : (
            <span class="str">
              <Value value={value} />
            </span>
          )}
          {sign === '+' ? null : (
            <span class="was">
              was <Value value={was} />
            </span>
          )}
        </div>
      ))}
      {list.length > SHOWN && !all ? (
        <button type="button" class="link more-nodes" onClick={() => setAll(true)}>
          {list.length - SHOWN} more
        </button>
      ) : null}
    </div>
  );
}
