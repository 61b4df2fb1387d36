import type { Row } from '../catalogue/rule.ts';
import type { FileCheck, FileExample } from '../rule-file.ts';
import { isRecord } from '../wording.ts';

export const rule: Row = {
  severity: 'advice',
  reference: 'silent',
  spec: null,
  title: 'Successful run without content',
  meaning: 'The run reports success and delivered no message, call, result, activity, custom or raw event and no changed state.',
  cause: 'A failed model call is swallowed by the adapter.',
  fix: 'Report the failure with RUN_ERROR; ignore this where empty runs are meant.',
  off: true,
};

export const check: FileCheck = {
  on: ['RUN_FINISHED'],
  judge(event, { run, document }, report) {
    const outcome = isRecord(event['outcome']) ? event['outcome']['type'] : undefined;
    if (outcome === 'interrupt' || outcome === 'cancelled' || run.delivered || document.changes !== run.changesBefore) return;
    report({
      related: [run.startedAt],
      message: 'The run reports success and delivered nothing; report a failure with RUN_ERROR if there was one.',
    });
  },
};

export const example: FileExample = {
  bad: {
    events: [
      { type: 'RUN_STARTED', threadId: 'thread-1', runId: 'run-1' },
      { type: 'RUN_FINISHED', threadId: 'thread-1', runId: 'run-1' },
    ],
  },
  mended: {
    events: [
      { type: 'RUN_STARTED', threadId: 'thread-1', runId: 'run-1' },
      { type: 'TEXT_MESSAGE_START', messageId: 'answer', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'answer', delta: 'Hello' },
      { type: 'TEXT_MESSAGE_END', messageId: 'answer' },
      { type: 'RUN_FINISHED', threadId: 'thread-1', runId: 'run-1' },
    ],
  },
};
