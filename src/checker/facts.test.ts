/** What `runs/` and the panel are told. */
import { describe, expect, it } from 'vitest';
import { fold, inputsOf } from './testing.ts';
import type { Fact } from './types.ts';

type Event = Record<string, unknown> & { type: string };

const START: Event = { type: 'RUN_STARTED', threadId: 'th', runId: 'r1' };
const FINISH: Event = { type: 'RUN_FINISHED', threadId: 'th', runId: 'r1' };
const open = (id: string, more: object = {}): Event => ({ type: 'TEXT_MESSAGE_START', messageId: id, ...more });
const say = (id: string, delta = 'x', more: object = {}): Event => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta, ...more });
const close = (id: string, more: object = {}): Event => ({ type: 'TEXT_MESSAGE_END', messageId: id, ...more });
const chunk = (more: object): Event => ({ type: 'TEXT_MESSAGE_CHUNK', delta: 'x', ...more });
const call = (id: string, more: object = {}): Event => ({ type: 'TOOL_CALL_START', toolCallId: id, toolCallName: 'pay', ...more });
const called = (id: string): Event => ({ type: 'TOOL_CALL_END', toolCallId: id });
const result = (id: string, more: object = {}): Event => ({ type: 'TOOL_CALL_RESULT', messageId: `res-${id}`, toolCallId: id, content: 'ok', ...more });

describe('facts', () => {
  function factsOf(...events: unknown[]): Fact[] {
    return fold(inputsOf(events, 'open')).results.flatMap(({ facts }) => facts);
  }

  it('tell of a chunk-built message: opened, grown, closed by its lane', () => {
    expect(factsOf(START, chunk({ messageId: 'm1' }), chunk({}), { type: 'CUSTOM', name: 'a.b', value: 1 })).toEqual([
      { kind: 'run-opened', run: 0 },
      { kind: 'item-opened', item: 0, itemKind: 'text', id: 'm1', name: '', owner: null, parent: null, run: 0, form: 'chunk', role: 'assistant' },
      { kind: 'item-grew', item: 0, delta: 'x' },
      { kind: 'item-grew', item: 0, delta: 'x' },
      { kind: 'item-closed', item: 0, how: 'lane' },
    ]);
  });

  it('tell of a call: its parent, its owner, its answer after the close', () => {
    const { results } = fold(inputsOf([START, open('m1', { subagentRunId: 's1' }), call('c1', { parentMessageId: 'm1' }), called('c1'), result('c1')], 'open'));
    expect(results[2]?.facts).toMatchObject([{ kind: 'item-opened', item: 1, itemKind: 'tool', name: 'pay', owner: 's1', parent: 'm1' }]);
    expect(results[4]).toMatchObject({ item: 1, facts: [{ kind: 'item-answered', item: 1 }] });
  });

  it('say how items ended around their run', () => {
    const hows = (...ending: unknown[]) => factsOf(START, open('m1'), ...ending).flatMap((told) => (told.kind === 'item-closed' ? [told.how] : []));
    expect(hows(FINISH)).toEqual(['run-finished']);
    expect(hows({ type: 'RUN_ERROR', message: 'x' })).toEqual(['run-error']);
    expect(hows({ ...START, runId: 'r2' })).toEqual(['cut-off']);
    const { results } = fold(inputsOf([START, open('m1')]));
    expect(results.at(-1)?.facts).toEqual([
      { kind: 'item-closed', item: 0, how: 'lost' },
      { kind: 'run-changed', run: 0 },
    ]);
    const owner = [{ type: 'SUBAGENT_STARTED', subagentRunId: 's1', name: 'a' }, chunk({ messageId: 'm2', subagentRunId: 's1' })];
    expect(factsOf(START, ...owner, { type: 'SUBAGENT_FINISHED', subagentRunId: 's1' })).toContainEqual({ kind: 'item-closed', item: 1, how: 'owner-ended' });
  });

  it('show the text of an orphan under its id', () => {
    expect(factsOf(START, say('m1', 'a'), say('m1', 'b'), close('m1')).filter(({ kind }) => kind.startsWith('item'))).toMatchObject([
      { kind: 'item-opened', id: 'm1' },
      { kind: 'item-grew', delta: 'a' },
      { kind: 'item-grew', delta: 'b' },
      { kind: 'item-closed', how: 'closed' },
    ]);
  });

  it('give every event its run, item and position', () => {
    const { results } = fold(inputsOf([START, { type: 'PING' }, open('m1'), close('m1'), FINISH, open('m2')], 'open'));
    expect(results.map(({ at, type, run, item, stray }) => [at, type, run, item, stray])).toEqual([
      [0, 'RUN_STARTED', 0, -1, false],
      [1, null, 0, -1, false],
      [2, 'TEXT_MESSAGE_START', 0, 0, false],
      [3, 'TEXT_MESSAGE_END', 0, 0, false],
      [4, 'RUN_FINISHED', 0, -1, false],
      [5, 'TEXT_MESSAGE_START', 0, -1, true],
      [-1, null, 0, -1, false],
    ]);
  });
});
