/** Steps (rules.md §6 no. 22): by owner and name. Exact findings with their positions, and what the panel is told of each step. */
import { describe, expect, it } from 'vitest';
import { findingsOf } from './index.ts';
import { briefly, fold, foldEvents, inputsOf } from './testing.ts';
import type { CheckerOptions } from './types.ts';

type Event = Record<string, unknown> & { type: string };

const START: Event = { type: 'RUN_STARTED', threadId: 'th', runId: 'r1' };
const FINISH: Event = { type: 'RUN_FINISHED', threadId: 'th', runId: 'r1' };
const by = (owner?: string) => (owner === undefined ? {} : { subagentRunId: owner });
const begin = (owner?: string, stepName: unknown = 'a'): Event => ({ type: 'STEP_STARTED', stepName, ...by(owner) });
const end = (owner?: string, stepName: unknown = 'a'): Event => ({ type: 'STEP_FINISHED', stepName, ...by(owner) });
const nameless = (type: string): Event => ({ type });
const chunk = (owner?: string): Event => ({ type: 'TEXT_MESSAGE_CHUNK', messageId: `m-${owner}`, delta: 'x', ...by(owner) });

/** Position, related events and repeats of each finding. */
function found(events: readonly unknown[], options: CheckerOptions = {}) {
  return findingsOf(foldEvents(events, 'closed', options)).map(({ rule, at, related, repeats }) => ({ rule, at, related, repeats }));
}

const inRun = (...events: unknown[]) => found([START, ...events, FINISH]);
/** The facts an input gave, input by input. */
const factsOf = (...events: unknown[]) => fold(inputsOf(events, 'open')).results.map(({ facts }) => facts);

describe('a finish under a wrong owner', () => {
  it('names the open one and forgives it: that step is shown as closed and not listed at the end', () => {
    const events = [START, begin('s1'), end(), FINISH];
    expect(found(events)).toEqual([{ rule: 'step-finish-wrong-owner', at: 2, related: [1], repeats: 0 }]);
    expect(findingsOf(foldEvents(events))[0]?.message).toBe(
      'STEP_FINISHED for step "a" comes from the parent agent, but the step is open under subagent "s1"; finish it with the tag it was started with.',
    );
    expect(factsOf(...events)[2]).toEqual([
      { kind: 'run-changed', run: 0 },
      { kind: 'item-closed', item: 0, how: 'closed' },
    ]);
    expect(fold(inputsOf(events)).results[2]?.item).toBe(0);
  });

  it('is one finding however often it is sent, and one for each owner that sends it', () => {
    expect(inRun(begin('s1'), end(), end(), end('s2'))).toEqual([
      { rule: 'step-finish-wrong-owner', at: 2, related: [1], repeats: 1 },
      { rule: 'step-finish-wrong-owner', at: 4, related: [1], repeats: 0 },
    ]);
    expect(
      factsOf(START, begin('s1'), end(), end('s2'))
        .flat()
        .filter(({ kind }) => kind === 'item-closed'),
    ).toHaveLength(1);
  });

  it('names all that are open, and closes none of them for the reader', () => {
    const events = [START, begin('s1'), begin('s2'), end()];
    expect(found([...events, FINISH])).toEqual([
      { rule: 'step-finish-wrong-owner', at: 3, related: [1, 2], repeats: 0 },
      { rule: 'run-finished-with-open-items', at: 4, related: [2], repeats: 0 },
    ]);
    expect(factsOf(...events)[3]?.filter(({ kind }) => kind === 'item-closed')).toEqual([]);
    expect(fold(inputsOf(events)).results[3]?.item).toBe(-1);
  });

  it('forgives one open step each', () => {
    expect(inRun(begin('s1'), begin('s2'), begin('s3'), end(), end('s4'))).toEqual([
      { rule: 'step-finish-wrong-owner', at: 4, related: [1, 2, 3], repeats: 0 },
      { rule: 'step-finish-wrong-owner', at: 5, related: [1, 2, 3], repeats: 0 },
      { rule: 'run-finished-with-open-items', at: 6, related: [3], repeats: 0 },
    ]);
  });

  it('excuses the step that is started after it under that owner', () => {
    expect(inRun(begin('s1'), end(), begin(), end('s1'))).toEqual([{ rule: 'step-finish-wrong-owner', at: 2, related: [1], repeats: 0 }]);
  });

  it('counts the steps that are open still: one owner closing its own leaves the other’s open', () => {
    expect(inRun(begin(), begin('s1'), end(), end('s2'), end('s1'))).toEqual([{ rule: 'step-finish-wrong-owner', at: 4, related: [2], repeats: 0 }]);
    expect(inRun(begin(), begin('s1'), end(), end('s1'), end('s2'))).toEqual([{ rule: 'step-not-open', at: 5, related: [], repeats: 0 }]);
  });

  it('is a wrong owner too where the finish’s own step of that name was closed before', () => {
    expect(inRun(begin(), end(), begin('s1'), end(), end('s1'))).toEqual([{ rule: 'step-finish-wrong-owner', at: 4, related: [3], repeats: 0 }]);
  });

  it('lists at most 100 owners', () => {
    const owners = Array.from({ length: 101 }, (_, i) => `s${i}`);
    const [finding] = found([START, ...owners.map((owner) => begin(owner)), end(), ...owners.map((owner) => end(owner)), FINISH]);
    expect(finding).toMatchObject({ rule: 'step-finish-wrong-owner', at: 102 });
    expect(finding?.related).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  });
});

describe('a finish that something earlier explains is no wrong owner', () => {
  it('the second close of a step that was started twice', () => {
    expect(inRun(begin('s1'), begin(), begin(), end(), end(), end('s1'))).toEqual([{ rule: 'step-already-open', at: 3, related: [2], repeats: 1 }]);
    expect(inRun(begin(), begin(), end(), end(), end())).toEqual([
      { rule: 'step-already-open', at: 2, related: [1], repeats: 1 },
      { rule: 'step-not-open', at: 5, related: [3], repeats: 0 },
    ]);
  });

  it('the close of a step whose start had no name, once', () => {
    const missing = { rule: 'schema-missing-field', at: 2, related: [], repeats: 0 };
    expect(inRun(begin('s1'), nameless('STEP_STARTED'), end(), end('s1'))).toEqual([missing]);
    expect(inRun(begin('s1'), nameless('STEP_STARTED'), end(), end('s2'), end('s1'))).toEqual([
      missing,
      { rule: 'step-finish-wrong-owner', at: 4, related: [1], repeats: 0 },
    ]);
    expect(inRun(nameless('STEP_STARTED'), end(), end())).toEqual([
      { rule: 'schema-missing-field', at: 1, related: [], repeats: 0 },
      { rule: 'step-not-open', at: 3, related: [2], repeats: 0 },
    ]);
  });

  it('the belated close of a step that the run before left open', () => {
    const second = [{ ...START, runId: 'r2' }, begin('s1'), end(), end('s1'), { ...FINISH, runId: 'r2' }];
    expect(found([START, begin(), FINISH, ...second])).toEqual([{ rule: 'run-finished-with-open-items', at: 2, related: [1], repeats: 1 }]);
  });

  it('a close in the middle of a stream whose beginning was not seen', () => {
    const opening = { rule: 'stream-opening-event', at: 0, related: [] };
    expect(found([begin('s1'), end(), end('s1'), FINISH])).toEqual([{ ...opening, repeats: 1 }]);
    expect(found([begin(), end(), begin('s1'), end(), end('s1'), FINISH])).toEqual([
      { ...opening, repeats: 0 },
      { rule: 'step-finish-wrong-owner', at: 3, related: [2], repeats: 0 },
    ]);
    expect(factsOf(end()).flat()).toEqual([
      { kind: 'run-opened', run: 0 },
      { kind: 'run-changed', run: 0 },
      { kind: 'item-opened', item: 0, itemKind: 'step', id: 'a', name: '', owner: null, parent: null, run: 0, form: 'explicit' },
      { kind: 'item-closed', item: 0, how: 'closed' },
    ]);
  });
});

describe('names and owners that are not told', () => {
  it('a finish without a name closes one step, whichever', () => {
    expect(inRun(begin(), nameless('STEP_FINISHED'))).toEqual([{ rule: 'schema-missing-field', at: 2, related: [], repeats: 0 }]);
    expect(inRun(begin(), begin(undefined, 'b'), nameless('STEP_FINISHED'))).toEqual([
      { rule: 'schema-missing-field', at: 3, related: [], repeats: 0 },
      { rule: 'run-finished-with-open-items', at: 4, related: [1, 2], repeats: 0 },
    ]);
  });

  it('a step started again after a finish without a name shares its name with nobody', () => {
    const rules = { 'step-name-shared-across-owners': true };
    expect(found([START, begin(), nameless('STEP_FINISHED'), begin(), end(), FINISH], { rules })).toEqual([
      { rule: 'schema-missing-field', at: 2, related: [], repeats: 0 },
    ]);
  });

  it('a finish with a malformed owner closes the step of that name', () => {
    const odd = { ...end(), subagentRunId: 7 };
    expect(inRun(begin('s1'), odd)).toEqual([{ rule: 'schema-malformed-value', at: 2, related: [], repeats: 0 }]);
  });
});

it('a step may be started again after its close', () => {
  expect(inRun(begin(), end(), begin(), end())).toEqual([]);
});

it('a shared name is told with the starts of the others, once', () => {
  const rules = { 'step-name-shared-across-owners': true };
  const events = [START, begin(), begin('s1'), begin('s2'), end('s2'), end('s1'), end(), FINISH];
  expect(found(events, { rules })).toEqual([{ rule: 'step-name-shared-across-owners', at: 2, related: [1], repeats: 1 }]);
  expect(findingsOf(foldEvents(events, 'closed', { rules }))[0]?.message).toBe(
    'Step "a" is open under the parent agent as well; give it another name if your consumers match steps by name alone.',
  );
  expect(briefly(foldEvents(events))).toEqual([]);
});

describe('what the panel is told', () => {
  it('a step with its owner, and its close', () => {
    expect(factsOf(START, begin('s1'), end('s1')).slice(1, 3)).toEqual([
      [{ kind: 'item-opened', item: 0, itemKind: 'step', id: 'a', name: 'a', owner: 's1', parent: null, run: 0, form: 'explicit' }],
      [{ kind: 'item-closed', item: 0, how: 'closed' }],
    ]);
  });

  it.each([undefined, 's1'])('its start and its end close the chunk stream of their own owner and no other (%s)', (owner) => {
    const other = owner === undefined ? 's1' : undefined;
    const closed = { kind: 'item-closed', item: 0, how: 'lane' };
    expect(factsOf(START, chunk(owner), begin(owner))[2]?.[0]).toEqual(closed);
    expect(factsOf(START, begin(owner), chunk(owner), end(owner))[3]).toContainEqual({ ...closed, item: 1 });
    expect(factsOf(START, chunk(owner), begin(other), end(other)).flat()).not.toContainEqual(closed);
  });
});
