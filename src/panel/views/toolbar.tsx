/** The toolbar: record, clear, filter, kinds, findings, origin, import and export. */
import { useRef } from 'preact/hooks';
import { CHIPS } from '../state/filter.ts';
import { withWord } from '../state/filter-words.ts';
import { usePanel, useSession, useShown } from '../state/panel.ts';
import { importFiles, prepareImport } from '../state/transfer.ts';
import { FilterBox } from './filter-box.tsx';
import { FindingIcon, Icon, KindIcon } from './icons.tsx';
import { stepFinding } from './navigate.tsx';
import { Tool } from './parts.tsx';
import { Sessions } from './sessions.tsx';

export function Toolbar() {
  const panel = usePanel();
  const session = useShown();
  const facts = session.store.facts.value;
  const isFile = session.file !== null;
  const recording = facts?.recording ?? true;
  return (
    <header class="toolbar">
      <h1 class="offscreen">Runlens</h1>
      <div class="bar">
        <Tool
          icon="record"
          label="Record"
          title={isFile ? 'A file is shown: nothing is recorded into it' : recording ? 'Recording: click to stop' : 'Not recording: click to record'}
          pressed={recording && !isFile}
          disabled={isFile}
          onClick={() => void session.link.send({ name: 'record', on: !recording }).catch(told(panel))}
        />
        <Tool
          icon="clear"
          label="Clear"
          title="Clear: forget everything of this tab"
          disabled={isFile}
          onClick={() => void session.link.send({ name: 'clear' }).catch(told(panel))}
        />
        <i class="rule" />
        <label class="check preserve">
          <input
            type="checkbox"
            checked={facts?.preserve ?? false}
            disabled={isFile}
            onChange={(event) => void session.link.send({ name: 'preserve', on: event.currentTarget.checked }).catch(told(panel))}
          />
          Preserve log
        </label>
        <i class="rule after-preserve" />
        <FilterBox />
        <Chips />
        <i class="rule" />
        <Tally />
        <i class="rule" />
        <Sessions />
        <ImportButton />
        <ExportButton />
        {(panel.live.store.facts.value?.closedTabs.length ?? 0) > 0 ? (
          <Tool icon="history" label="Closed tabs" title="Closed tabs: open what was captured of one" onClick={() => (panel.dialog.value = 'closed')} />
        ) : null}
        <Tool icon="help" label="Help" title="Keys (?)" cls="wide-only" onClick={() => (panel.dialog.value = 'help')} />
        <Tool icon="gear" label="Settings" cls="wide-only" onClick={() => (panel.dialog.value = 'settings')} />
      </div>
    </header>
  );
}

function ExportButton() {
  const { dialog } = usePanel();
  const nothing = useSession().store.connections.length === 0;
  const title = 'Export: all of it or a part, as a capture or in other forms, redacted or not';
  return <Tool icon="export" label="Export" title={title} disabled={nothing} onClick={() => (dialog.value = 'export')} />;
}

const told = (panel: ReturnType<typeof usePanel>) => (error: unknown) => {
  panel.notice.value = { tone: 'error', text: error instanceof Error ? error.message : String(error) };
};

/** Asks for files and imports them. */
export function ImportButton({ text }: { text?: string }) {
  const panel = usePanel();
  const input = useRef<HTMLInputElement>(null);
  const open = () => {
    prepareImport();
    input.current?.click();
  };
  return (
    <>
      {text ? (
        <button type="button" class="plain" onClick={open}>
          <Icon name="import" size={14} />
          {text}
        </button>
      ) : (
        <Tool icon="import" label="Import" title="Import: open captures, events or bodies; files can also be dropped anywhere" onClick={open} />
      )}
      <input
        ref={input}
        type="file"
        multiple
        class="offscreen"
        tabIndex={-1}
        aria-label="Capture file"
        data-testid={text ? undefined : 'import-file'}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = '';
          if (files.length > 0) void importFiles(panel, files);
        }}
      />
    </>
  );
}

function Chips() {
  const { settings } = usePanel();
  const hidden = new Set(settings.value.value.hidden);
  const flip = (kind: string) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    settings.set({ hidden: [...next] });
  };
  return (
    <fieldset class="chips" aria-label="Kinds">
      {CHIPS.map(([kind, name]) => (
        <button
          type="button"
          key={kind}
          class={`chip k-${kind} ${hidden.has(kind) ? 'off' : ''}`}
          aria-pressed={!hidden.has(kind)}
          aria-label={name}
          title={name}
          onClick={() => flip(kind)}
        >
          <KindIcon kind={kind} />
          <span>{name}</span>
        </button>
      ))}
    </fieldset>
  );
}

function Tally() {
  const session = useShown();
  const { formats, settings } = usePanel();
  const findings = session.findings.value;
  const count = (severity: string) => findings.reduce((n, finding) => n + (finding.severity === severity ? 1 : 0), 0);
  const only = session.words.value.finding;
  const flip = () => settings.set({ filter: withWord(settings.value.peek().filter, 'has', only ? null : 'finding') });
  return (
    <fieldset class="tally" aria-label="Findings">
      <button
        type="button"
        class={`counts ${only ? 'on' : ''}`}
        aria-pressed={only}
        title={only ? 'Show all events again' : 'Show only events with findings'}
        onClick={flip}
      >
        {(['violation', 'deviation', 'advice'] as const).map((severity) => {
          const n = count(severity);
          return (
            <span key={severity} class={`count f-${severity} ${n > 0 ? '' : 'none'}`} data-testid={`count-${severity}`} data-count={n}>
              <FindingIcon mark={severity} size={13} />
              <b>{formats.count(n)}</b>
              <span class="offscreen">{n === 1 || severity === 'advice' ? severity : `${severity}s`}</span>
            </span>
          );
        })}
      </button>
      <Tool icon="prev" label="Previous finding" title="Previous finding (p)" small disabled={findings.length === 0} onClick={() => stepFinding(session, -1)} />
      <Tool icon="next" label="Next finding" title="Next finding (n)" small disabled={findings.length === 0} onClick={() => stepFinding(session, 1)} />
    </fieldset>
  );
}
