import { describe, expect, it } from 'vitest';
import type { PageBatch } from '../wire/page-to-relay.ts';
import { createStore } from './store.ts';

const chunk = (no: number, size: number): PageBatch => ({ no, meta: [1, 'chunk', 10, 9, size], bytes: new Uint8Array(size) });
const body = (no: number, size: number): PageBatch => ({ no, meta: [1, 'body', 10, 0, { kind: 'text', text: 'x'.repeat(size) }], bytes: new Uint8Array(0) });
const numbers = (message: { batches: PageBatch[] } | undefined) => message?.batches.map(({ no }) => no);

describe('createStore', () => {
  it('sends in order, once, and again after a rewind until acknowledged', () => {
    const store = createStore();
    for (const no of [1, 2, 3]) store.add(chunk(no, 1));
    expect(numbers(store.next())).toEqual([1, 2, 3]);
    expect(store.next()).toBeUndefined();
    store.ack(2);
    store.add(chunk(4, 1));
    expect(numbers(store.next())).toEqual([4]);
    store.rewind();
    expect(numbers(store.next())).toEqual([3, 4]);
    store.ack(4);
    store.rewind();
    expect([store.next(), store.size(), store.waiting()]).toEqual([undefined, 0, 0]);
  });

  it('takes a batch once, also after it was acknowledged', () => {
    const store = createStore();
    expect(store.add(chunk(1, 1))).toBe(true);
    expect(store.add(chunk(1, 1))).toBe(false);
    store.ack(1);
    expect(store.add(chunk(1, 1))).toBe(false);
  });

  it('an acknowledgement of what was not sent yet loses nothing that follows', () => {
    const store = createStore();
    for (const no of [1, 2, 3]) store.add(chunk(no, 1));
    store.ack(1);
    expect(numbers(store.next())).toEqual([2, 3]);
    store.ack(0);
    expect(store.size()).toBe(2);
  });

  it('keeps a message small: so many batches, so many bytes, but always one', () => {
    const store = createStore(1 << 30);
    for (let no = 1; no <= 100; no += 1) store.add(chunk(no, 1));
    expect(store.next()?.batches).toHaveLength(64);
    expect(store.next()?.batches).toHaveLength(36);
    store.add(chunk(101, 20 << 20));
    store.add(chunk(102, 1));
    expect(numbers(store.next())).toEqual([101]);
    expect(numbers(store.next())).toEqual([102]);
  });

  it('over the cap the oldest bytes go first, and the record of them stays under the same number', () => {
    const store = createStore(100);
    for (const no of [1, 2, 3]) store.add(chunk(no, 40));
    const message = store.next();
    expect(numbers(message)).toEqual([1, 2, 3]);
    expect(message?.lost).toBeUndefined();
    expect(message?.batches.map(({ bytes }) => bytes.byteLength)).toEqual([0, 40, 40]);
    expect(message?.batches[0]?.meta).toEqual([1, 'lost', 10, 0, { bytes: 40, chunks: 1, why: expect.any(String) }]);
  });

  it('when no bytes are left whole batches go, and are counted once', () => {
    const store = createStore(100);
    store.add(chunk(1, 90));
    for (const no of [2, 3, 4]) store.add(body(no, 60));
    const message = store.next();
    expect(numbers(message)).toEqual([4]);
    // the first was cut down before it went: what it told as lost is told still
    expect(message?.lost).toEqual({ bytes: 90, chunks: 1, batches: 3 });
    store.rewind();
    expect(store.next()?.lost).toBeUndefined();
  });
});
