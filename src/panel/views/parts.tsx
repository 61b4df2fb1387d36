/** Small pieces that many views use: icon buttons, status words, links to rows, the boundary around a pane. */
import type { ComponentChildren } from 'preact';
import { useErrorBoundary, useState } from 'preact/hooks';
import type { RunStatus } from '../../checker/types.ts';
import type { ConnectionView } from '../../session/types.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { typeOfRow } from '../state/store.ts';
import { replayWords } from '../words/replay.ts';
import { numberOf, STATUS_KEY, STATUS_WORD } from '../words/status.ts';
import { copyText } from './copy.ts';
import { Icon, StatusIcon, type UiIcon } from './icons.tsx';

interface ToolProps {
  readonly icon: UiIcon;
  readonly label: string;
  readonly onClick: () => void;
  readonly small?: boolean;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  readonly title?: string;
  readonly cls?: string;
}

/** A button that is an icon; its name is its label. */
export const Tool = ({ icon, label, onClick, small, pressed, disabled, title, cls = '' }: ToolProps) => (
  <button
    type="button"
    class={`tool ${small ? 'small' : ''} ${pressed ? 'on' : ''} ${cls}`}
    aria-label={label}
    title={title ?? label}
    aria-pressed={pressed}
    disabled={disabled}
    onClick={onClick}
  >
    <Icon name={icon} size={small ? 14 : 16} />
  </button>
);

export const StatusWord = ({ status }: { status: RunStatus }) => (
  <span class="status">
    <StatusIcon status={status} size={13} />
    <b class={`st-${STATUS_KEY[status]}`}>{STATUS_WORD[status]}</b>
  </span>
);

/** Says that a stream's answer was Runlens' own; nothing for any other. `small` is a sign alone, for a narrow cell. */
export const Replayed = ({ of, small = false }: { of: ConnectionView | undefined; small?: boolean }) => {
  if (!of?.replay) return null;
  const word = of.replay.of === '' ? 'altered' : 'replayed';
  return (
    <span class="replayed" data-testid="replayed" title={`${word} by Runlens: ${replayWords(of.replay)}`}>
      {small ? <Icon name="replay" size={12} /> : word}
      {small ? <span class="offscreen">{word}</span> : null}
    </span>
  );
};

/** `#560`, which selects that row. */
export const RowLink = ({ row }: { row: number }) => {
  const session = useSession();
  return (
    <button type="button" class="link" title={typeOfRow(session.store, row)} onClick={() => session.select({ kind: 'row', row })}>
      #{numberOf(row)}
    </button>
  );
};

export const RunLink = ({ id }: { id: number }) => {
  const session = useSession();
  const run = session.store.runs[id];
  return (
    <button type="button" class="link" onClick={() => session.select({ kind: 'run', id })}>
      <bdi>{run?.runId ?? `run ${id + 1}`}</bdi>
    </button>
  );
};

/** A time in the form the reader chose. */
export const Clock = ({ time, tenths }: { time: number; tenths?: boolean }) => {
  const { formats, settings, shown } = usePanel();
  const zero = shown.value.zero.value;
  if (settings.value.value.time === 'absolute') return <>{formats.wall(time)}</>;
  return <>{tenths ? formats.clockShort(time - zero) : formats.clock(time - zero)}</>;
};

export const CopyButton = ({ label, text, small = true }: { label: string; text: () => string | Promise<string>; small?: boolean }) => {
  const [done, setDone] = useState(false);
  const copy = async () => {
    const ok = await copyText(await text());
    setDone(ok);
    if (ok) setTimeout(() => setDone(false), 1500);
  };
  return <Tool icon="copy" label={label} title={done ? 'Copied' : label} small={small} cls={done ? 'done' : ''} onClick={() => void copy()} />;
};

/** One pane's fence: an error inside shows here, with a way to copy it and to try again; the other panes stay. */
export const Pane = ({ name, children }: { name: string; children: ComponentChildren }) => {
  const [error, reset] = useErrorBoundary();
  if (!error) return <>{children}</>;
  const text = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error);
  return (
    <section class="broken" role="alert" aria-label={`${name}: error`}>
      <h2>{name} could not be drawn.</h2>
      <p>The capture is not touched: it is kept by the extension, not by this view.</p>
      <pre>{error instanceof Error ? error.message : text}</pre>
      <p class="buttons">
        <button type="button" class="plain" onClick={() => void copyText(`${name}\n${text}`)}>
          Copy error
        </button>
        <button type="button" class="plain" onClick={reset}>
          Reset
        </button>
      </p>
    </section>
  );
};
