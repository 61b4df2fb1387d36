/** Sentences between toolbar and timeline: what was dropped, what went wrong, what is being done. */
import { useEffect, useState } from 'preact/hooks';
import { usePanel, useSession } from '../state/panel.ts';
import type { Work } from '../state/working.ts';
import { FindingIcon, StatusIcon } from './icons.tsx';
import { Tool } from './parts.tsx';

/** A worker that was stopped is back at once; only a longer silence is told, ms. */
const SILENCE = 3000;

function useSilence(connected: boolean): boolean {
  const [silent, setSilent] = useState(false);
  useEffect(() => {
    setSilent(false);
    if (connected) return;
    const timer = setTimeout(() => setSilent(true), SILENCE);
    return () => clearTimeout(timer);
  }, [connected]);
  return silent;
}

function Progress({ work }: { work: Work }) {
  const done = work.done.value;
  if (done === null) return null;
  return (
    <>
      <progress class="progress-bar" max={100} value={Math.round(done * 100)} aria-label={work.text} />
      <span class="num dim">{Math.floor(done * 100)} %</span>
    </>
  );
}

export function Notices() {
  const panel = usePanel();
  const session = useSession();
  const facts = session.store.facts.value;
  const notice = panel.notice.value;
  const work = panel.work.value;
  const silent = useSilence(session.link.connected.value);
  const dropped = facts?.dropped.filter((one) => one.count > 0) ?? [];
  return (
    <>
      {silent && session.store.columns.count > 0 ? (
        <div class="notice error" role="alert">
          <StatusIcon status="truncated" />
          <span class="said">
            The extension does not answer; what is shown is what came before. If it was updated: close DevTools, open it again and reload the page.
          </span>
        </div>
      ) : null}
      {facts?.unheard && session.file === null ? (
        <output class="notice" data-testid="unheard">
          <FindingIcon mark="deviation" />
          <span class="said">
            <b>Runlens does not see this page.</b> It was loaded before Runlens was enabled here or updated.{' '}
            {panel.platform.reload ? (
              <button type="button" class="link" onClick={panel.platform.reload}>
                Reload the page
              </button>
            ) : (
              'Reload the page.'
            )}
          </span>
        </output>
      ) : null}
      {work ? (
        <div class="notice" role="status" data-testid="work">
          <span class="said">{work.text}…</span>
          <Progress work={work} />
          <button type="button" class="link" onClick={work.cancel}>
            Stop
          </button>
        </div>
      ) : null}
      {notice ? (
        <div class={`notice ${notice.tone}`} role={notice.tone === 'error' ? 'alert' : 'status'} data-testid="notice">
          {notice.tone === 'error' ? <StatusIcon status="failed-by-report" /> : null}
          <span class="said">
            {notice.text}
            {notice.lines && notice.lines.length > 0 ? (
              <details>
                <summary>{notice.lines.length} more</summary>
                {notice.lines.map((line) => (
                  <span key={line} class="block">
                    {line}
                  </span>
                ))}
              </details>
            ) : null}
          </span>
          <span class="spacer" />
          <Tool icon="close" label="Close notice" small onClick={() => (panel.notice.value = null)} />
        </div>
      ) : null}
      {facts?.trouble ? (
        <div class="notice error" role="alert">
          <StatusIcon status="failed-by-report" />
          <span class="said">{facts.trouble}</span>
        </div>
      ) : null}
      {dropped.length > 0 ? (
        <output class="notice" data-testid="dropped">
          <FindingIcon mark="deviation" />
          <span class="said">
            <b>Not everything was kept.</b> {dropped.map((one) => `${panel.formats.count(one.count)} ${one.what}`).join('; ')}.
          </span>
        </output>
      ) : null}
    </>
  );
}
