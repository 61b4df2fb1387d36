/** Runs about what the app's user gets to see: snapshots of the conversation, activities, pictures, and a state that breaks on the way. */
import type { RunInput, Scenario, Story } from '../story.ts';
import { script } from '../story.ts';

/** A red dot, 5 by 5 pixels. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO9TXL0Y4OHwAAAABJRU5ErkJggg==';

function snapshots(input: RunInput): Story {
  const s = script(input).started();
  s.says('msg-draft', 'Let me think about that.');
  s.calls('call-plan', 'plan_trip', '{"city":"Lisbon", days:').breaks('tool-args-not-json');
  s.send('TOOL_CALL_RESULT', { messageId: 'call-plan-result', toolCallId: 'call-plan', content: 'planned' });
  s.send('ACTIVITY_SNAPSHOT', { messageId: 'act-1', activityType: 'SEARCH', content: { done: 0, of: 3 } });
  s.send('ACTIVITY_DELTA', { messageId: 'act-1', activityType: 'SEARCH', patch: [{ op: 'replace', path: '/done', value: 3 }] });
  s.send('MESSAGES_SNAPSHOT', {
    messages: [
      {
        id: 'user-photo',
        role: 'user',
        content: [
          { type: 'text', text: 'Where is this?' },
          { type: 'image', source: { type: 'data', value: DOT, mimeType: 'image/png' } },
          { type: 'image', source: { type: 'url', value: 'http://pictures.invalid/lisbon.jpg' } },
        ],
      },
      { id: 'msg-answer', role: 'assistant', content: 'That is the Praça do Comércio in Lisbon.' },
    ],
  });
  s.finished({ result: { place: 'Lisbon', sure: true } });
  return { moves: s.moves, expected: { runs: [{ runId: input.runId, status: 'succeeded' }], findings: s.findings } };
}

function brokenState(input: RunInput): Story {
  const s = script(input)
    .started()
    .send('STATE_SNAPSHOT', { snapshot: { status: 'planning', flights: [{ price: 96 }, { price: 118 }] } });
  s.send('STATE_DELTA', { delta: [{ op: 'replace', path: '/status', value: 'searching' }] });
  s.send('STATE_DELTA', {
    delta: [
      { op: 'replace', path: '/status', value: 'comparing' },
      { op: 'replace', path: '/flights/2/price', value: 104 },
    ],
  });
  s.breaks('state-patch-failed').send('STATE_SNAPSHOT', { snapshot: { status: 'done', flights: [{ price: 96 }] } });
  s.says('msg-1', 'Two flights fit.').finished();
  return { moves: s.moves, expected: { runs: [{ runId: input.runId, status: 'succeeded' }], findings: s.findings } };
}

export const CONVERSATION: readonly Scenario[] = [
  {
    id: 'snapshots',
    group: 'Runs',
    title: 'The conversation sent anew',
    about: 'A snapshot replaces what was streamed before. With a picture, an activity, a result, and arguments that are not JSON.',
    build: snapshots,
  },
  {
    id: 'broken-state',
    group: 'Broken streams',
    title: 'A delta that does not apply',
    about: 'The third change of the state names a flight that is not there. A client skips it and goes on with what it had.',
    build: brokenState,
  },
];
