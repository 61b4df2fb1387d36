/** Which session is on show: the live tab or one of the imported files, chosen from a list; and the click that closes a file. */
import { sentenceOf } from '../../export/redaction-told.ts';
import { usePanel, useShown } from '../state/panel.ts';
import { Icon } from './icons.tsx';
import { OriginButton, originName } from './origin.tsx';
import { Tool } from './parts.tsx';

export function Sessions() {
  const panel = usePanel();
  const session = useShown();
  const files = panel.files.value;
  if (files.length === 0) return panel.live.file === null ? <OriginButton /> : null;
  const all = [panel.live, ...files];
  const origin = panel.live.store.facts.value?.origin ?? null;
  const liveName = panel.live.file === null ? `Live: ${origin === null ? 'this tab' : originName(origin)}` : 'Start';
  const redacted = session.redacted.value;
  return (
    <>
      <span class={`sessions ${session.file === null ? '' : 'file'}`}>
        <Icon name={session.file === null ? 'site' : 'file'} size={14} />
        <select
          aria-label="Session"
          title={session.file ?? liveName}
          data-testid="sessions"
          value={String(all.indexOf(session))}
          onChange={(event) => panel.show(all[Number(event.currentTarget.value)] ?? panel.live)}
        >
          {all.map((one, index) => (
            <option key={one.id} value={String(index)}>
              {one === panel.live ? liveName : one.file}
            </option>
          ))}
        </select>
      </span>
      {files.includes(session) ? (
        <Tool icon="close" label={`Close ${session.file}`} title="Close this file" small onClick={() => panel.closeFile(session)} />
      ) : session.file === null ? (
        <OriginButton />
      ) : null}
      {redacted ? (
        <span class="redacted" data-testid="redacted" title={`${sentenceOf(redacted)} Findings that depend on it are shown as they were recorded.`}>
          Redacted
        </span>
      ) : null}
    </>
  );
}
