import { isEventType } from '../../protocol/events.ts';
import type { Row } from '../catalogue/rule.ts';
import type { FileCheck, FileExample } from '../rule-file.ts';
import { isRecord } from '../wording.ts';

export const rule: Row = {
  severity: 'advice',
  reference: 'silent',
  spec: 'passthrough#raw',
  title: 'Standard event wrapped in RAW',
  meaning: 'The payload of this RAW event is itself an AG-UI event; consumers do not look inside RAW, so it has no effect.',
  cause: 'A bridge forwards events of an inner AG-UI agent as raw payloads.',
  fix: 'Emit the inner event itself, and keep RAW for payloads of other systems.',
};

export const check: FileCheck = {
  on: ['RAW'],
  judge(event, _state, report) {
    const inner = event['event'];
    const type = isRecord(inner) ? inner['type'] : undefined;
    if (typeof type !== 'string' || !isEventType(type)) return;
    report({ subject: type, message: `RAW carries a ${type} event, which has no effect there; emit the event itself.` });
  },
};

export const example: FileExample = {
  bad: {
    events: [
      { type: 'RUN_STARTED', threadId: 'thread-1', runId: 'run-1' },
      { type: 'RAW', event: { type: 'STATE_SNAPSHOT', snapshot: { n: 1 } } },
      { type: 'RUN_FINISHED', threadId: 'thread-1', runId: 'run-1' },
    ],
  },
  mended: {
    events: [
      { type: 'RUN_STARTED', threadId: 'thread-1', runId: 'run-1' },
      { type: 'STATE_SNAPSHOT', snapshot: { n: 1 } },
      { type: 'RUN_FINISHED', threadId: 'thread-1', runId: 'run-1' },
    ],
  },
};
