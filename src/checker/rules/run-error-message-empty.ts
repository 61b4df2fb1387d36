import type { Row } from '../catalogue/rule.ts';
import type { FileCheck, FileExample } from '../rule-file.ts';
import { text } from '../wording.ts';

export const rule: Row = {
  severity: 'advice',
  reference: 'silent',
  spec: 'lifecycle#run_error',
  title: 'RUN_ERROR without a message',
  meaning: 'The message is what a person reads to learn why the run failed. Here it is blank.',
  cause: 'An exception without a message is turned into text.',
  fix: 'Say what failed; fall back to the name of the exception.',
};

export const check: FileCheck = {
  on: ['RUN_ERROR'],
  judge(event, _state, report) {
    if (text(event['message'])?.trim() === '') report({ message: 'RUN_ERROR has an empty message; say what failed.' });
  },
};

export const example: FileExample = {
  bad: {
    events: [
      { type: 'RUN_STARTED', threadId: 'thread-1', runId: 'run-1' },
      { type: 'RUN_ERROR', message: '' },
    ],
  },
  mended: {
    events: [
      { type: 'RUN_STARTED', threadId: 'thread-1', runId: 'run-1' },
      { type: 'RUN_ERROR', message: 'The model did not answer.' },
    ],
  },
};
