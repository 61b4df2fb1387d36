import type { Row } from '../catalogue/rule.ts';
import type { FileCheck, FileExample } from '../rule-file.ts';
import { quote, text } from '../wording.ts';

export const rule: Row = {
  severity: 'advice',
  reference: 'silent',
  spec: 'passthrough#custom',
  title: 'CUSTOM name without a prefix',
  meaning: 'Names without a vendor or application prefix are kept for the protocol itself, so this one may collide with a future version.',
  cause: 'A short private name was chosen, such as "progress".',
  fix: 'Name it after its owner, for example "com.example.progress".',
};

export const check: FileCheck = {
  on: ['CUSTOM'],
  judge(event, _state, report) {
    const name = text(event['name']);
    if (name === undefined || /[.:/]/.test(name)) return;
    report({
      subject: name,
      message: `The CUSTOM name ${quote(name)} has no prefix of its owner; name it for example "com.example.${name.slice(0, 40)}".`,
    });
  },
};

export const example: FileExample = {
  bad: {
    events: [
      { type: 'RUN_STARTED', threadId: 'thread-1', runId: 'run-1' },
      { type: 'CUSTOM', name: 'progress', value: 40 },
      { type: 'RUN_FINISHED', threadId: 'thread-1', runId: 'run-1' },
    ],
  },
  mended: {
    events: [
      { type: 'RUN_STARTED', threadId: 'thread-1', runId: 'run-1' },
      { type: 'CUSTOM', name: 'com.example.progress', value: 40 },
      { type: 'RUN_FINISHED', threadId: 'thread-1', runId: 'run-1' },
    ],
  },
};
