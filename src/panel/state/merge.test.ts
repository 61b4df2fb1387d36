import { describe, expect, test } from 'vitest';
import type { Turn } from './conversation.ts';
import { newMessages, turnsOf } from './conversation.ts';
import { merge } from './merge.ts';
import { contentText, partsOf } from './message.ts';
import { createStore, takeMessage } from './store.ts';
import { now, rowsOf, runOf, spanOf, update } from './testkit.ts';

const said = (turn: Turn): string => {
  const fate = 'fate' in turn && turn.fate ? ` ${turn.fate.kind} by ${turn.fate.row}` : '';
  if (turn.kind === 'asked') return `asked ${turn.asked.id}${fate}`;
  if (turn.kind === 'span') return `${turn.span.kind} ${turn.span.itemId}${fate}`;
  if (turn.kind === 'message') return `message ${turn.message.id}${fate}`;
  if (turn.kind === 'activity') return `activity ${turn.id} ${JSON.stringify(turn.content)}${fate}`;
  if (turn.kind === 'snapshot') return `snapshot ${turn.row}: ${turn.total} in all, ${turn.fresh} new, ${turn.dropped} dropped`;
  return turn.kind === 'result' ? `result ${JSON.stringify(turn.value)}` : turn.kind;
};

const EVENTS: Record<number, unknown> = {
  3: { type: 'ACTIVITY_SNAPSHOT', messageId: 'a1', activityType: 'PLAN', content: { done: 0 } },
  4: { type: 'ACTIVITY_DELTA', messageId: 'a1', activityType: 'PLAN', patch: [{ op: 'replace', path: '/done', value: 2 }] },
  5: {
    type: 'MESSAGES_SNAPSHOT',
    messages: [
      { id: 'u1', role: 'user', content: 'changed' },
      { id: 'm2', role: 'assistant', toolCalls: [{ id: 'c1', function: { name: 'f', arguments: '{}' } }] },
      { id: 't1', role: 'tool', toolCallId: 'c1', content: 'ok' },
      { id: 'new', role: 'assistant', content: 'Hello' },
    ],
  },
  9: { type: 'RUN_FINISHED', result: { ok: true } },
};

function turns(until: number): string[] {
  const store = createStore(now);
  takeMessage(
    store,
    update({
      rows: rowsOf(Array.from({ length: 10 }, () => ({ type: 'CUSTOM' }))),
      runs: [runOf(0, { hasResult: true })],
      spans: [
        spanOf(0, { itemId: 'm1', firstRow: 0, start: 1000 }),
        spanOf(1, { kind: 'reasoning', itemId: 'r1', firstRow: 1, start: 1010 }),
        spanOf(2, { kind: 'tool', itemId: 'c1', firstRow: 2, start: 1020 }),
      ],
      ticks: [
        { row: 3, run: 0, kind: 'activity', time: 1030, owner: null },
        { row: 4, run: 0, kind: 'activity', time: 1040, owner: null },
        { row: 5, run: 0, kind: 'messages', time: 1050, owner: null },
      ],
    }),
  );
  const asked = newMessages(JSON.stringify({ messages: [{ id: 'u1', role: 'user', content: 'as asked' }] }), new Set());
  const run = store.runs[0]!;
  const read = (row: number) => EVENTS[row];
  const list = [{ run, turns: turnsOf(store, run, asked, until, { reasoning: true, tools: true }, read) }];
  return merge(list, read).flatMap((one) => one.turns.map(said));
}

describe('the conversation', () => {
  test('a snapshot restates, drops and adds; reasoning, activities and calls it knows stay', () => {
    expect(turns(2000)).toEqual([
      'asked u1 restated by 5',
      'text m1 dropped by 5',
      'reasoning r1',
      'tool c1',
      'activity a1 {"done":2}',
      'snapshot 5: 4 in all, 1 new, 1 dropped',
      'message new',
      'result {"ok":true}',
    ]);
  });

  test('at an earlier moment nothing is known of what came later', () => {
    expect(turns(1035)).toEqual(['asked u1', 'text m1', 'reasoning r1', 'tool c1', 'activity a1 {"done":0}']);
    expect(turns(1005)).toEqual(['asked u1', 'text m1']);
  });
});

describe('parts of a message', () => {
  const image = (source: object) => partsOf([{ type: 'image', source }])[0];
  test('an image that is all there is shown, any other is named and never fetched', () => {
    expect(image({ type: 'data', value: 'AAAA', mimeType: 'image/png' })).toMatchObject({ kind: 'image', src: 'data:image/png;base64,AAAA' });
    expect(image({ type: 'url', value: 'data:image/gif;base64,AAAA' })).toMatchObject({ kind: 'image', src: 'data:image/gif;base64,AAAA' });
    expect(image({ type: 'url', value: 'https://example.com/a.png' })).toEqual({
      kind: 'named',
      what: 'image',
      where: 'at https://example.com/a.png, not fetched',
    });
    expect(image({ type: 'data', value: '"><script>', mimeType: 'image/png' })).toMatchObject({ kind: 'named' });
    expect(image({ type: 'data', value: 'AAAA', mimeType: 'text/html' })).toMatchObject({ kind: 'named', where: 'text/html, 1 kB' });
    expect(partsOf([{ type: 'binary', mimeType: 'application/pdf', filename: 'fare.pdf', data: 'AAAA' }])[0]).toMatchObject({ what: 'fare.pdf' });
  });
  test.each([
    [undefined, ''],
    ['plain', 'plain'],
    [[{ type: 'text', text: 'a' }, 'b', null, 7], 'a b null 7'],
    [{ odd: 1 }, '{"odd":1}'],
  ])('%j in words', (content, words) => expect(contentText(content)).toBe(words));
});
