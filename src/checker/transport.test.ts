import { describe, expect, it } from 'vitest';
import type { FrameFault } from '../stream/types.ts';
import { findingsOf, referenceStopsAt, runsOf } from './index.ts';
import { briefly, fold, inputsOf, statusesOf } from './testing.ts';
import type { CheckerInput, CheckerOptions } from './types.ts';

const START = { type: 'RUN_STARTED', threadId: 'th', runId: 'r1' };
const FINISH = { type: 'RUN_FINISHED', threadId: 'th', runId: 'r1' };
const END: CheckerInput = { kind: 'end', end: 'closed', time: 0 };

let frames = 0;
const event = (value: unknown, time = 0, asked?: number): CheckerInput => ({
  kind: 'event',
  value,
  frame: frames++,
  time,
  ...(asked === undefined ? {} : { asked }),
});
const fault = (name: FrameFault, frame = frames, text?: string): CheckerInput => ({
  kind: 'fault',
  fault: name,
  frame,
  time: 0,
  ...(text === undefined ? {} : { text }),
});
const response = (contentType: string, status = 200): CheckerInput => ({ kind: 'response', status, contentType, time: 0 });

function judged(inputs: readonly CheckerInput[], options: CheckerOptions = {}): string[] {
  return briefly(fold(inputs, options).state);
}

describe('transport', () => {
  it('content types', () => {
    for (const type of ['text/event-stream', 'Text/Event-Stream; charset=utf-8', 'application/vnd.ag-ui.event+proto']) {
      expect(judged([response(type), event(START), event(FINISH), END])).toEqual([]);
    }
    for (const type of ['application/json', '', 'application/vnd.ag-ui.event+proto; v=1']) {
      expect(judged([response(type), event(START), event(FINISH), END])).toEqual(['transport-content-type@-1']);
    }
    expect(judged([response('application/json'), event(START), event(FINISH), END], { framingHidden: true })).toEqual([]);
  });

  it('a frame that is not JSON rejects the run it meets, and is told until a good one comes', () => {
    const inputs = [event(START), fault('frame-not-json', 9, 'oops'), fault('frame-not-json', 10), event(FINISH), fault('frame-not-json', 11, '[DONE]'), END];
    const { state } = fold(inputs);
    expect(briefly(state)).toEqual(['transport-frame-not-json@1', 'transport-frame-not-json@2']);
    expect(findingsOf(state)[0]).toMatchObject({ frame: 9, run: 0, repeats: 1 });
    expect(statusesOf(state)).toEqual([{ runId: 'r1', status: 'rejected-by-violation' }]);
  });

  it('a bad first frame is the connection’s, and the next run came after it', () => {
    const { state } = fold([fault('frame-not-json'), event(START), event(FINISH), END]);
    expect(findingsOf(state)[0]).toMatchObject({ at: 0, run: null });
    expect(runsOf(state)[0]).toMatchObject({ afterRejection: true, rejectedAt: null });
  });

  it('line endings are told once, at the first frame concerned', () => {
    expect(judged([event(START), fault('line-endings'), event(FINISH), fault('line-endings'), event({ type: 'RUN_ERROR', message: 'x' }), END])).toEqual([
      'transport-line-endings@1',
    ]);
  });

  it('the remaining faults', () => {
    const all: FrameFault[] = ['frame-not-one-event', 'frame-too-large', 'proto-undecodable', 'proto-unknown-arm'];
    expect(judged([event(START), ...all.map((name) => fault(name)), event(FINISH), END])).toEqual([
      'transport-frame-not-one-event@1',
      'transport-proto-undecodable@1',
      'transport-proto-unknown-arm@1',
      'transport-frame-too-large@1',
    ]);
    expect(judged([event(START), ...all.map((name) => fault(name)), event(FINISH), END], { framingHidden: true })).toEqual([]);
  });

  it('a last frame without its blank line', () => {
    expect(judged([event(START), fault('unterminated-frame'), event(FINISH), END])).toEqual(['transport-unterminated-frame@2']);
    expect(judged([event(START), event(FINISH), fault('unterminated-frame'), END])).toEqual(['transport-unterminated-frame@2']);
    const { state } = fold([event(START), fault('unterminated-frame'), END]);
    expect(briefly(state)).toEqual(['run-truncated@0']);
    expect(referenceStopsAt(state)).toBe(1);
    expect(judged([event(START), fault('unterminated-frame'), { kind: 'end', end: 'aborted', time: 0 }])).toEqual([]);
    expect(judged([fault('unterminated-frame'), END])).toEqual(['transport-unterminated-frame@0']);
  });

  it('a response left open after the last run', () => {
    const tick = (time: number): CheckerInput => ({ kind: 'tick', time });
    const inputs = [event(START, 0), tick(60_000), event(FINISH, 61_000), tick(70_999), tick(71_000), tick(90_000)];
    expect(judged(inputs)).toEqual(['transport-left-open@1']);
    expect(judged([event(START), event(FINISH), END, tick(90_000)])).toEqual([]);
  });

  it('silence counts only while the page waits', () => {
    expect(judged([event(START, 0, 0), event(FINISH, 30_001, 0), END])).toEqual(['transport-silent-gap@1']);
    expect(judged([event(START, 0, 0), event(FINISH, 60_000, 40_000), END])).toEqual([]);
    expect(judged([event(START, 0), event(FINISH, 60_000), END])).toEqual([]);
  });

  it('a stream that comes in one burst', () => {
    const tick = (time: number) => event({ type: 'CUSTOM', name: 'com.example.tick', value: time }, time);
    const burst = Array.from({ length: 25 }, (_, i) => tick(3_000 + i));
    expect(judged([event(START, 0), ...burst, event(FINISH, 3_030), END])).toEqual(['transport-buffered@-1']);
    const spread = Array.from({ length: 25 }, (_, i) => tick(i * 200));
    expect(judged([event(START, 0), ...spread, event(FINISH, 5_000), END])).toEqual([]);
  });

  it('how a run was lost', () => {
    const lost = (end: 'closed' | 'error' | 'aborted') => runsOf(fold(inputsOf([START], end)).state)[0]?.lostWhy;
    expect([lost('closed'), lost('error'), lost('aborted')]).toEqual(['eof', 'dropped', 'consumer-abort']);
  });
});
