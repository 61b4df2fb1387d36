/** What leaves, as what, and what is taken out of it; with a preview of exactly that. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { FORMS, type Form, GROUPS, type Group, type Scope } from '../../export/index.ts';
import { connectionsOf, type ExportChoice, exportCapture, fileNameOf, type Preview, previewOf, scopeOfSelection, scopeOfThread } from '../state/export.ts';
import { usePanel, useSession } from '../state/panel.ts';
import { ExportRedact } from './export-redact.tsx';
import { CopyButton } from './parts.tsx';
import { pathOf } from './path.ts';
import { Scroll } from './row.tsx';
import { Sheet } from './sheet.tsx';

const FORM_WORDS: Readonly<Record<Form, readonly [name: string, what: string]>> = {
  capture: ['Runlens capture', 'Everything as it came, with times. Opens here, and in runlens check and serve.'],
  events: ['Events, JSON Lines', 'One event a line, as sent. What other tools read.'],
  raw: ['Raw body', 'The bytes of one response, exactly as received.'],
  fixture: ['Test fixture', 'A TypeScript module of typed events, for Vitest or Jest.'],
  report: ['Report', 'Markdown for an issue: what ran, how it ended, findings with their rules.'],
};

/** Characters of the preview at first; each click on More shows four times as many. */
const SHOWN = 24_000;

type Part = 'all' | 'thread' | 'run' | 'selection';

const newSalt = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))));

export function ExportDialog() {
  const panel = usePanel();
  const session = useSession();
  const { runs } = session.store;
  const selected = scopeOfSelection(session);
  const threads = [...new Set(runs.flatMap((run) => (run ? [run.threadId] : [])))];
  const chosenRun = session.selection.value.kind === 'run' ? session.selection.value.id : (session.onlyRun.value ?? 0);
  const [part, setPart] = useState<Part>('all');
  const [thread, setThread] = useState(0);
  const [run, setRun] = useState(chosenRun);
  const [form, setForm] = useState<Form>('capture');
  const [gzip, setGzip] = useState(false);
  const [body, setBody] = useState<number | null>(null);
  const [groups, setGroups] = useState<ReadonlySet<Group> | null>(null);
  const [salt] = useState(newSalt);

  const partScope: Scope =
    part === 'thread'
      ? scopeOfThread(session, threads[thread] ?? null)
      : part === 'run'
        ? { kind: 'runs', runs: [run] }
        : part === 'selection' && selected
          ? selected
          : { kind: 'all' };
  const conns = connectionsOf(session, partScope);
  const scope: Scope = form === 'raw' ? { kind: 'connections', conns: [body !== null && conns.includes(body) ? body : (conns[0] ?? 0)] } : partScope;
  const choice: ExportChoice = { form, scope, gzip: gzip && form === 'capture', redact: groups ? { groups, salt } : null };
  const others = form === 'capture' || form === 'raw' ? othersOf(session.store.runs, conns, partScope) : 0;

  return (
    <Sheet
      title="Export"
      wide
      foot={
        <>
          <code class="dim name">{fileNameOf(session, choice, new Date())}</code>
          <span class="spacer" />
          <button
            type="button"
            class="primary"
            data-testid="export-file"
            onClick={() => {
              panel.dialog.value = null;
              void exportCapture(panel, session, choice);
            }}
          >
            Export
          </button>
        </>
      }
    >
      <div class="export">
        <div class="export-choices">
          <fieldset>
            <legend>What</legend>
            <Choice name="part" checked={part === 'all'} onPick={() => setPart('all')}>
              Everything
            </Choice>
            <Choice name="part" checked={part === 'thread'} disabled={threads.length === 0} onPick={() => setPart('thread')}>
              Thread
              <Picker
                label="Thread"
                value={thread}
                names={threads.map((id) => id ?? 'without id')}
                onPick={(index) => {
                  setPart('thread');
                  setThread(index);
                }}
              />
            </Choice>
            <Choice name="part" checked={part === 'run'} disabled={runs.length === 0} onPick={() => setPart('run')}>
              Run
              <Picker
                label="Run"
                value={run}
                names={runs.map((one, no) => one?.runId ?? `run ${no + 1}`)}
                onPick={(index) => {
                  setPart('run');
                  setRun(index);
                }}
              />
            </Choice>
            <Choice name="part" checked={part === 'selection'} disabled={selected === null} onPick={() => setPart('selection')}>
              Selection: <span class="dim">{selected === null ? 'nothing is selected' : selectionWord(session.selection.value.kind)}</span>
            </Choice>
            {others > 0 ? (
              <p class="dim note">
                {others === 1 ? 'One more run shares a response with it and leaves too.' : `${others} more runs share a response with it and leave too.`}
              </p>
            ) : null}
          </fieldset>
          <fieldset>
            <legend>As</legend>
            {FORMS.map((one) => (
              <div key={one}>
                <Choice name="form" checked={form === one} onPick={() => setForm(one)}>
                  <span class="form-word">
                    {FORM_WORDS[one][0]}
                    <span class="dim">{FORM_WORDS[one][1]}</span>
                  </span>
                </Choice>
                {one === 'capture' && form === one ? (
                  <label class="check sub">
                    <input type="checkbox" checked={gzip} onChange={(event) => setGzip(event.currentTarget.checked)} />
                    Compress with gzip
                  </label>
                ) : null}
                {one === 'raw' && form === one && conns.length > 1 ? (
                  <span class="sub">
                    <Picker
                      label="Response"
                      value={Math.max(0, conns.indexOf(body ?? conns[0]!))}
                      names={conns.map((conn) => `${conn} ${pathOf(session.store.connections[conn]?.request?.url)}`)}
                      onPick={(index) => setBody(conns[index] ?? null)}
                    />
                  </span>
                ) : null}
              </div>
            ))}
          </fieldset>
          <ExportRedact groups={groups} all={GROUPS} onChange={setGroups} />
        </div>
        <ExportPreview choice={choice} />
      </div>
    </Sheet>
  );
}

/** Runs that leave only because they share a response with those that were asked for. */
function othersOf(runs: readonly ({ readonly id: number; readonly conn: number } | undefined)[], conns: readonly number[], scope: Scope): number {
  if (scope.kind !== 'runs') return 0;
  return runs.filter((run) => run && conns.includes(run.conn) && !scope.runs.includes(run.id)).length;
}

const selectionWord = (kind: string): string =>
  ({ row: 'one event', span: 'the events of one item', run: 'one run', finding: 'the events of one finding', connection: 'one response' })[kind] ?? '';

interface ChoiceProps {
  readonly name: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onPick: () => void;
  readonly children: ComponentChildren;
}

const Choice = ({ name, checked, disabled, onPick, children }: ChoiceProps) => (
  <label class={`check radio ${disabled ? 'off' : ''}`}>
    <input type="radio" name={`export-${name}`} checked={checked} disabled={disabled} onChange={onPick} />
    {children}
  </label>
);

interface PickerProps {
  readonly label: string;
  readonly value: number;
  readonly names: readonly string[];
  readonly onPick: (index: number) => void;
}

const Picker = ({ label, value, names, onPick }: PickerProps) => (
  <span class="picker">
    <select aria-label={label} value={String(value)} disabled={names.length === 0} onChange={(event) => onPick(Number(event.currentTarget.value))}>
      {names.map((name, index) => (
        <option key={index} value={String(index)}>
          {name}
        </option>
      ))}
    </select>
  </span>
);

function ExportPreview({ choice }: { choice: ExportChoice }) {
  const panel = usePanel();
  const session = useSession();
  const [most, setMost] = useState(SHOWN);
  const [preview, setPreview] = useState<Preview | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const { form, scope, redact } = choice;
  const key = JSON.stringify([form, scope, redact && [...redact.groups], most, session.id]);
  useEffect(() => {
    let stopped = false;
    previewOf(panel, session, choice, most, () => stopped).then(
      (made) => {
        if (stopped) return;
        setPreview(made);
        setTrouble(null);
      },
      (error: unknown) => {
        if (!stopped) setTrouble(error instanceof Error ? error.message : String(error));
      },
    );
    return () => {
      stopped = true;
    };
  }, [key]);
  return (
    <section class="export-preview" aria-label="Preview">
      <div class="preview-head">
        <b>What leaves</b>
        <span class="dim">{preview === null ? '' : preview.whole ? 'all of it' : `the first ${panel.formats.count(most)} characters`}</span>
        <span class="spacer" />
        {preview && !preview.whole ? (
          <button type="button" class="link" onClick={() => setMost(most * 4)}>
            More
          </button>
        ) : null}
        {preview?.whole && form !== 'raw' ? <CopyButton label="Copy all" text={() => preview.text} /> : null}
      </div>
      {trouble !== null ? <p class="note">{trouble}</p> : null}
      <Scroll cls="preview-text" label="Beginning of the file">
        <pre data-testid="preview" data-whole={preview?.whole}>
          {preview?.text ?? ''}
        </pre>
      </Scroll>
    </section>
  );
}
