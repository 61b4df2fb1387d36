import { describe, expect, it } from 'vitest';
import { applyPlan, liveProblems } from './apply.ts';
import type { Change } from './plan.ts';
import { answerOf, bodyOf, eventsOf, framesOf, MEDIA, planOf, textOf } from './testkit.ts';
import { utf8 } from './text.ts';
import { createTrouble } from './trouble.ts';
import type { Answer } from './types.ts';

const CODECS = ['sse', 'ndjson', 'proto'] as const;
const alter = (answer: Answer, ...changes: readonly Change[]) => applyPlan(answer, planOf(...changes));
const a = (n: number) => ({ type: 'CUSTOM', name: 'x.y', value: n });
const four = [0, 1, 2, 3].map(a);
const sse = (...texts: readonly string[]) => answerOf(texts.map(utf8));
const timesOf = ({ chunks }: Answer) => chunks.map(({ after }) => after);

describe.each(CODECS)('%s: the events change as told, and no other byte', (codec) => {
  const answer = answerOf(framesOf(codec, four), MEDIA[codec]);
  const [f0, f1, f2, f3] = framesOf(codec, four) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  const extra = { type: 'RUN_ERROR', message: 'no' };
  const [fx] = framesOf(codec, [extra]) as [Uint8Array];
  const [changed] = framesOf(codec, [a(9)]) as [Uint8Array];
  const cases: readonly [string, Change, readonly Uint8Array[]][] = [
    ['drop', { do: 'drop', event: 1 }, [f0, f2, f3]],
    ['duplicate', { do: 'duplicate', event: 1, times: 2 }, [f0, f1, f1, f1, f2, f3]],
    ['swap', { do: 'swap', event: 1 }, [f0, f2, f1, f3]],
    ['insert before', { do: 'insert', before: 2, value: extra }, [f0, f1, fx, f2, f3]],
    ['insert after', { do: 'insert', after: { type: 'CUSTOM', nth: -1 }, value: extra }, [f0, f1, f2, f3, fx]],
    ['set', { do: 'set', event: { type: 'CUSTOM', nth: 2 }, field: '/value', value: 9 }, [f0, changed, f2, f3]],
    ['cut', { do: 'cut', after: 1 }, [f0, f1]],
    ['stall', { do: 'stall', after: { type: 'CUSTOM' } }, [f0]],
  ];

  it.each(cases)('%s', (_, change, frames) => {
    for (const cut of [null, 1, 3, 1000]) {
      const whole = bodyOf(answer);
      const chunks = cut === null ? answer.chunks.map(({ bytes }) => bytes) : pieces(whole, cut);
      const altered = alter(answerOf(chunks, MEDIA[codec]), change);
      expect(Buffer.from(bodyOf(altered)).toString('latin1')).toBe(Buffer.concat(frames).toString('latin1'));
      expect(altered.notes).toEqual([]);
    }
  });
});

function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, no) => bytes.slice(no * size, (no + 1) * size));
}

describe('what is around an event stays', () => {
  const odd =
    '\ufeff: hello\r\nid: 7\r\nevent: x\r\ndata:{"type":"CUSTOM",\r\ndata: "value":1}\r\nretry: 5\r\n\r\n: ping\r\n\r\n\r\ndata: {"type":"B"}\r\n\r\n';

  it('an SSE frame with another value keeps mark, comments, fields and line ends', () => {
    const altered = alter(sse(odd), { do: 'set', event: 0, field: '/value', value: 2 });
    expect(textOf(altered)).toBe(odd.replace('{"type":"CUSTOM",\r\ndata: "value":1}', '{"type":"CUSTOM","value":2}'));
  });

  it('what is no event passes where it stood, and an inserted frame has the line ends of its neighbour', () => {
    expect(textOf(alter(sse(odd), { do: 'drop', event: 1 }))).toBe(odd.slice(0, odd.indexOf('data: {"type":"B"}')));
    expect(textOf(alter(sse(odd), { do: 'insert', before: 1, value: { type: 'C' } }))).toBe(
      odd.replace('data: {"type":"B"}', 'data: {"type":"C"}\r\n\r\ndata: {"type":"B"}'),
    );
  });

  it('a last frame without its border gets one where something comes behind it', () => {
    const open = 'data: {"type":"A"}\n\ndata: {"type":"B"}';
    expect(textOf(alter(sse(open), { do: 'insert', after: 1, value: { type: 'C' } }))).toBe(`${open}\n\ndata: {"type":"C"}\n\n`);
    expect(textOf(alter(sse(open), { do: 'duplicate', event: 1 }))).toBe(`${open}\n\ndata: {"type":"B"}`);
    expect(eventsOf(alter(sse(open), { do: 'swap', event: 0 }))).toEqual([{ type: 'B' }, { type: 'A' }]);
    const lines = answerOf([utf8('{"type":"A"}\n{"type":"B"}')], MEDIA.ndjson);
    expect(eventsOf(alter(lines, { do: 'swap', event: 0 }))).toEqual([{ type: 'B' }, { type: 'A' }]);
    expect(textOf(alter(lines, { do: 'duplicate', event: 1 }))).toBe('{"type":"A"}\n{"type":"B"}\n{"type":"B"}');
  });

  it('JSON text sequences keep their separators', () => {
    const answer = answerOf([utf8('\u001e{"type":"A", "n":1}\n\u001e{"type":"B"}\n')], 'application/json-seq');
    expect(textOf(alter(answer, { do: 'set', event: 0, field: '/n', value: 2 }, { do: 'insert', after: 1, value: { type: 'C' } }))).toBe(
      '\u001e{"type":"A","n":2}\n\u001e{"type":"B"}\n\u001e{"type":"C"}\n',
    );
  });

  it('a field is added, replaced or removed, deep inside and in arrays', () => {
    const answer = sse('data: {"type":"A","list":[1,{"a/b":2}],"gone":true}\n\n');
    const altered = alter(
      answer,
      { do: 'set', event: 0, field: '/list/1/a~1b', value: null },
      { do: 'set', event: 0, field: '/more', value: { x: 1 } },
      { do: 'remove', event: 0, field: '/gone' },
    );
    expect(eventsOf(altered)).toEqual([{ type: 'A', list: [1, { 'a/b': null }], more: { x: 1 } }]);
    expect(eventsOf(alter(answer, { do: 'set', event: 0, field: '', value: { type: 'Z' } }))).toEqual([{ type: 'Z' }]);
  });
});

describe('times and pieces', () => {
  const answer = answerOf(framesOf('sse', four));

  it('a delay moves what is behind it, the end too', () => {
    const altered = alter(answer, { do: 'delay', from: 2, ms: 1000 });
    expect(timesOf(altered)).toEqual([10, 20, 1030, 1040]);
    expect(altered).toMatchObject({ wait: 5, end: 'complete', endAfter: 1060 });
    expect(timesOf(alter(answer, { do: 'delay', from: { byte: 0 }, ms: 7 }))).toEqual([17, 27, 37, 47]);
  });

  it('a slow line gives no more bytes a second than told, and all of them', () => {
    const altered = alter(answer, { do: 'slow', bytesPerSecond: 100 });
    expect(bodyOf(altered)).toEqual(bodyOf(answer));
    let sent = 0;
    for (const { after, bytes } of altered.chunks) {
      sent += bytes.length;
      expect(bytes.length).toBeLessThanOrEqual(10);
      expect(sent).toBeLessThanOrEqual((after - 10) / 10 + 0.001);
    }
    expect(altered.endAfter).toBeCloseTo(10 + bodyOf(answer).length * 10);
    const late = alter(answer, { do: 'slow', bytesPerSecond: 100, from: 3 });
    expect(timesOf(late).slice(0, 3)).toEqual([10, 20, 30]);
    expect(late.chunks.length).toBeGreaterThan(6);
  });

  it('split cuts everything into pieces, also in the middle of a character', () => {
    const altered = alter(sse('data: {"a":"ü"}\n\n'), { do: 'split', every: 5, pause: 2 });
    expect(altered.chunks.map(({ bytes }) => bytes.length)).toEqual([5, 5, 5, 3]);
    expect(timesOf(altered)).toEqual([10, 12, 14, 16]);
  });

  it('split cuts one frame at an offset, and leaves the chunks of the others', () => {
    const text = 'data: {"type":"A"}\n\ndata: {"type":"B"}\n\ndata: {"type":"C"}\n\n';
    const altered = alter(sse(text), { do: 'split', event: 1, offset: 3 });
    expect(altered.chunks.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual([text.slice(0, 23), text.slice(23)]);
    expect(timesOf(alter(sse(text), { do: 'split', event: 1, offset: 3, pause: 50 }))).toEqual([10, 60]);
  });

  it('untouched chunks stay as they were, in bytes, pieces and time', () => {
    const altered = alter(answer, { do: 'drop', event: 3 });
    expect(altered.chunks).toEqual(answer.chunks.slice(0, 3));
    expect(alter(answer, { do: 'drop', event: 0 }).chunks).toEqual(answer.chunks.slice(1));
  });

  it('a frame that waits for its end keeps the pieces it came in', () => {
    const whole = utf8('data: {"type":"A"}\n\ndata: {"type":"B"}\n\n');
    const altered = alter(answerOf([whole.subarray(0, 10), whole.subarray(10)]), { do: 'drop', event: 1 });
    expect(altered.chunks.map(({ bytes }) => bytes.length)).toEqual([10, 10]);
  });

  it('cuts and stalls behind a byte, wherever it lies', () => {
    const whole = textOf(answer);
    for (const byte of [0, 1, 30, whole.length]) {
      const altered = alter(answer, { do: 'cut', after: { byte }, end: 'complete' });
      expect([textOf(altered), altered.end, altered.notes]).toEqual([whole.slice(0, byte), 'complete', []]);
    }
    expect(alter(answer, { do: 'stall', after: { byte: 30 } })).toMatchObject({ end: 'open', endAfter: 10 });
  });
});

describe('ends', () => {
  const answer = answerOf(framesOf('sse', four));

  it('a cut breaks off or ends cleanly when its event came', () => {
    expect(alter(answer, { do: 'cut', after: 1 })).toMatchObject({ end: 'network-error', endAfter: 20 });
    expect(alter(answer, { do: 'cut', after: 1, end: 'complete' })).toMatchObject({ end: 'complete', endAfter: 20 });
  });

  it('what a broken connection left unfinished is no event', () => {
    const text = 'data: {"type":"A"}\n\ndata: {"type":"B"}';
    const altered = alter({ ...sse(text), end: 'network-error' }, { do: 'drop', event: 1 });
    expect([textOf(altered), altered.notes.length]).toEqual([text, 1]);
    expect(textOf(alter(sse(text), { do: 'drop', event: 1 }))).toBe(text.slice(0, 20));
  });

  it('an answer that the page ended stays so, one that the plan stalls is open', () => {
    const left = { ...answer, end: 'aborted' as const };
    expect(alter(left, { do: 'drop', event: 0 }).end).toBe('aborted');
    expect(alter(left, { do: 'stall', after: 1 }).end).toBe('open');
  });

  it('another response stands in for the stream, also where none ever came', () => {
    const change: Change = { do: 'answer', status: 429, body: { error: 'slow down' } };
    const altered = alter({ ...answer, statusText: 'OK' }, change);
    expect(altered).toMatchObject({ status: 429, contentType: 'application/json', wait: 5, end: 'complete', endAfter: 0, notes: [] });
    expect(altered.statusText).toBeUndefined();
    expect(textOf(altered)).toBe('{"error":"slow down"}');
    const none = { ...answer, answered: false, chunks: [], end: 'network-error' as const };
    expect(alter(none, change)).toMatchObject({ answered: true, status: 429 });
    expect(alter(none, { do: 'drop', event: 0 })).toMatchObject({ answered: false, end: 'network-error', chunks: [] });
  });
});

describe('what was not made is told', () => {
  const answer = answerOf(framesOf('sse', four));
  const cases: readonly [string, Change, RegExp][] = [
    ['no such event', { do: 'drop', event: 9 }, /^Change 1 \(drop\) was not made: there was no event 9, only 4 of them \(counted from 0\)\.$/],
    ['no such type', { do: 'drop', event: { type: 'RAW' } }, /there was no RAW/],
    ['too few of it', { do: 'drop', event: { type: 'CUSTOM', nth: -5 } }, /there were only 4 CUSTOM, not 5/],
    ['no such byte', { do: 'cut', after: { byte: 9999 } }, /only \d+ bytes were sent/],
    ['nothing behind', { do: 'swap', event: 3 }, /no event follows/],
    ['no such field', { do: 'remove', event: 0, field: '/nope' }, /there is nothing at \/nope/],
    ['nothing to hold it', { do: 'set', event: 0, field: '/no/where', value: 1 }, /nothing at \/no/],
    ['an offset past the frame', { do: 'split', event: 0, offset: 9999 }, /frame has only \d+ bytes/],
  ];
  it.each(cases)('%s', (_, change, words) => {
    const altered = alter(answer, change);
    expect(altered.notes).toEqual([expect.stringMatching(words)]);
    expect(bodyOf(altered)).toEqual(bodyOf(answer));
  });

  it('events behind a cut, and beside another answer', () => {
    expect(alter(answer, { do: 'cut', after: 1 }, { do: 'drop', event: 2 }).notes).toEqual([
      expect.stringMatching(/only 2 of them .* before the answer ended/),
    ]);
    expect(alter(answer, { do: 'drop', event: 2 }, { do: 'answer', status: 500 }).notes).toEqual([expect.stringMatching(/answers with another response/)]);
  });

  it('a JSON document is cut and changed, never added to', () => {
    const text = '[{"type":"A","n":1}, {"type":"B"}]';
    const body = answerOf([utf8(text)], MEDIA.json);
    expect(textOf(alter(body, { do: 'set', event: 0, field: '/n', value: 2 }))).toBe(text.replace('1', '2'));
    expect(alter(body, { do: 'drop', event: 0 })).toMatchObject({ notes: [expect.stringMatching(/one document/)] });
  });

  it('protobuf cannot carry everything', () => {
    const altered = alter(answerOf(framesOf('proto', four), MEDIA.proto), { do: 'insert', before: 1, value: { type: 'NO_SUCH' } });
    expect(altered.notes).toEqual([expect.stringMatching(/protobuf has no such event/)]);
    expect(eventsOf(altered)).toEqual(four);
    const unknown = alter(answerOf(framesOf('proto', four), MEDIA.proto), { do: 'set', event: 1, field: '/nowhere', value: 1 });
    expect(unknown.notes).toEqual([expect.stringMatching(/protobuf cannot carry the event so changed/)]);
  });
});

describe('live', () => {
  const time = { start: 100, step: 10 };
  const live = (chunks: readonly Uint8Array[], ...changes: readonly Change[]) => {
    const trouble = createTrouble(planOf(...changes), MEDIA.sse);
    const acts = [trouble.head({ after: time.start, status: 200, contentType: MEDIA.sse })];
    for (const [no, bytes] of chunks.entries()) acts.push(trouble.take(bytes, time.start + time.step * (no + 1)));
    acts.push(trouble.end('complete', time.start + time.step * (chunks.length + 1)));
    return { acts, trouble };
  };

  it('gives each chunk when it comes', () => {
    const { acts } = live(framesOf('sse', four), { do: 'drop', event: 1 });
    expect(acts.map((list) => list.map(({ kind, after }) => [kind, after]))).toEqual([
      [['head', 100]],
      [['bytes', 110]],
      [],
      [['bytes', 130]],
      [['bytes', 140]],
      [['end', 150]],
    ]);
  });

  it('is over when the plan has ended it', () => {
    const { acts, trouble } = live(framesOf('sse', four), { do: 'cut', after: 0 });
    expect([acts.map((list) => list.length), trouble.isOver()]).toEqual([[1, 2, 0, 0, 0, 0], true]);
  });

  it('cannot count from the end, and says so before and after', () => {
    const change: Change = { do: 'drop', event: { type: 'CUSTOM', nth: -1 } };
    expect(liveProblems(planOf({ do: 'drop', event: 0 }, change))).toEqual([
      expect.stringMatching(/^Change 2 \(drop\) counts from the end, which a live stream/),
    ]);
    expect(live(framesOf('sse', four), change).trouble.notes()).toEqual([expect.stringMatching(/not known while the stream runs/)]);
  });

  it('lets pass what can hold no event any more: a frame past all limits, and what follows bytes that are no protobuf', () => {
    const trouble = createTrouble(planOf({ do: 'drop', event: 9 }), MEDIA.proto);
    const bad = Uint8Array.of(0, 0, 0, 2, 1, 2, 9, 9);
    expect([trouble.take(bad, 1), trouble.take(bad, 2)]).toEqual([[{ kind: 'bytes', after: 1, bytes: bad }], [{ kind: 'bytes', after: 2, bytes: bad }]]);
    const large = createTrouble(planOf({ do: 'drop', event: 9 }), MEDIA.proto);
    const head = Uint8Array.of(9, 0, 0, 0, 1);
    expect(large.take(head, 1)).toEqual([{ kind: 'bytes', after: 1, bytes: head }]);
  });

  it('lets half a frame through once nothing waits for it any more', () => {
    const bytes = utf8('data: {"type":"A"}\n\ndata: {"ty');
    expect(live([bytes], { do: 'delay', from: 0, ms: 5 }).acts[1]).toEqual([{ kind: 'bytes', after: 115, bytes }]);
  });
});
