import { describe, expect, it } from 'vitest';
import { buildModel, EPOCH, type RunStory } from '../../timeline/scenes/build.ts';
import { again, follow, type Pace, UNPLACED } from './pace.ts';

const run = (b: number | null, a = 0): RunStory => ({ id: 'r', thread: 't', a, b, status: b === null ? 'active' : 'succeeded' });
const live = (now: number) => buildModel([run(null)], now);
const seconds = (range: { from: number; to: number } | null) => range && [range.from, range.to].map((time) => Math.round((time - EPOCH) / 100) / 10);
const anywhere = { from: EPOCH, to: EPOCH + 10_000 };

/** Paces after some models, and the last window asked for. */
function grown(models: readonly ReturnType<typeof buildModel>[], pace: Pace = UNPLACED, following = true) {
  let range: { from: number; to: number } | null = null;
  let now = pace;
  let shown = anywhere;
  for (const model of models) {
    const step = follow(now, model, following, shown);
    now = step.pace;
    range = step.range;
    shown = step.range ?? shown;
  }
  return { pace: now, range };
}

describe('pace', () => {
  it('shows everything of a short live capture and of any finished one', () => {
    expect(seconds(grown([live(10)]).range)).toEqual([-0.2, 10.3]);
    expect(seconds(grown([live(10), live(40)]).range)).toEqual([-1, 41]);
    expect(seconds(grown([buildModel([run(1000)], 1000)]).range)).toEqual([-25, 1025]);
  });

  it('goes along with the newest once it is long', () => {
    expect(seconds(grown([live(10), live(100)]).range)).toEqual([42.4, 102.4]);
    expect(seconds(grown([live(200)]).range)).toEqual([142.4, 202.4]);
  });

  it('stays where the reader put it, unless asked to go along', () => {
    const { pace } = grown([live(10)]);
    const own = { ...pace, own: true };
    expect(grown([live(20)], own, false).range).toBeNull();
    expect(seconds(grown([live(20)], own, true).range)).toEqual([10.4, 20.4]);
    expect(seconds(grown([live(20)], again(own), true).range)).toEqual([10.4, 20.4]);
  });

  it('stays when nothing is new', () => {
    expect(grown([live(100), live(100)]).range).toBeNull();
  });

  it('places a new capture anew, and leaves a window that was asked for before anything came', () => {
    const { pace } = grown([live(10)]);
    const other = buildModel([run(30, 20)], 30);
    expect(seconds(follow({ ...pace, own: true }, other, false, anywhere).range)).toEqual([19.8, 30.3]);
    expect(follow({ ...UNPLACED, own: true }, other, false, anywhere).range).toBeNull();
    expect(follow(pace, buildModel([], 5), true, anywhere).pace).toEqual(UNPLACED);
  });
});
