/** Events to the clipboard: as JSON, as one JSON value a line, or as a run with its events. Many are read in slices, which can be stopped. */
import type { RunView } from '../../runs/types.ts';
import type { Panel } from '../state/panel.ts';
import type { PanelSession } from '../state/session.ts';
import { beginWork } from '../state/working.ts';
import { curlOf } from '../words/curl.ts';
import { copyText } from './copy.ts';

const SLICE = 1000;

export type CopyForm = 'json' | 'jsonl' | 'run';

/** Values of rows, in order; null when the reader stopped it. What could not be decoded is its text. */
async function valuesOf(panel: Panel, session: PanelSession, rows: readonly number[]): Promise<unknown[] | null> {
  const work = beginWork(panel, `Reading ${panel.formats.count(rows.length)} events`);
  const text = new TextDecoder();
  const values: unknown[] = [];
  try {
    for (let from = 0; from < rows.length && !work.stopped(); from += SLICE) {
      const bodies = await session.bodies.loadAll(rows.slice(from, from + SLICE));
      for (const body of bodies) values.push(body.value === undefined ? (body.trouble ?? text.decode(body.raw)) : body.value);
      work.progress(values.length / rows.length);
    }
  } finally {
    work.end();
  }
  return work.stopped() ? null : values;
}

function textOf(values: readonly unknown[], form: CopyForm, run?: RunView): string {
  if (form === 'jsonl') return `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
  if (form === 'run') return JSON.stringify({ run, events: values }, null, 2);
  return JSON.stringify(values.length === 1 ? values[0] : values, null, 2);
}

/** Copies rows and says how it went. */
export async function copyRows(panel: Panel, session: PanelSession, rows: readonly number[], form: CopyForm, run?: RunView): Promise<void> {
  const values = await valuesOf(panel, session, rows);
  if (values === null) return;
  const done = await copyText(textOf(values, form, run));
  const what = panel.formats.plural(values.length, 'event', 'events');
  panel.notice.value = done
    ? { tone: 'plain', text: `${what} copied${form === 'jsonl' ? ', one a line' : ''}.` }
    : { tone: 'error', text: `${what} could not be copied: the browser refused the clipboard. Export writes a file instead.` };
}

/** Copies the request of a stream as a command line. */
export async function copyCurl(panel: Panel, session: PanelSession, conn: number): Promise<void> {
  const request = session.store.connections[conn]?.request;
  if (!request) {
    panel.notice.value = { tone: 'error', text: 'The request of this stream was not seen, so there is nothing to copy.' };
    return;
  }
  const body = await session.requestBody(conn).catch(() => null);
  const done = await copyText(curlOf(request, body));
  panel.notice.value = done
    ? { tone: 'plain', text: 'The request was copied as cURL. Headers are not captured: a line says where they go.' }
    : { tone: 'error', text: 'The request could not be copied: the browser refused the clipboard.' };
}
