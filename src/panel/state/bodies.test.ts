import { encode as encodeProto } from '@ag-ui/proto';
import { expect, test } from 'vitest';
import { createBodies, rangesOf } from './bodies.ts';
import { frameDecoder } from './decode.ts';
import { createStore, takeMessage } from './store.ts';
import { connectionOf, now, rowsOf, update } from './testkit.ts';

const encode = (text: string) => new TextEncoder().encode(text);

function filled(events: readonly object[]) {
  const frames = events.map((event) => encode(`data: ${JSON.stringify(event)}\n\n`));
  const bytes = new Uint8Array(frames.reduce((n, frame) => n + frame.length, 0));
  let offset = 0;
  const specs = frames.map((frame) => {
    bytes.set(frame, offset);
    offset += frame.length;
    return { type: 'CUSTOM', offset: offset - frame.length, length: frame.length };
  });
  const store = createStore(now);
  takeMessage(store, update({ rows: rowsOf(specs), connections: [connectionOf(0)] }));
  return { store, bytes };
}

test('bodies of many rows are read in few pieces, and once', async () => {
  const { store, bytes } = filled(Array.from({ length: 50 }, (_, n) => ({ type: 'CUSTOM', n })));
  const reads: number[] = [];
  const bodies = createBodies({
    columns: () => store.columns,
    connection: (id) => store.connections[id],
    read: async (_conn, from, length) => {
      reads.push(length);
      return bytes.slice(from, from + length);
    },
  });
  const loaded = await bodies.loadAll([3, 7, 49]);
  expect(loaded.map((body) => (body.value as { n: number }).n)).toEqual([3, 7, 49]);
  expect(reads).toHaveLength(1);
  expect(bodies.peek(7)?.value).toMatchObject({ n: 7 });
  await bodies.load(7);
  expect(reads).toHaveLength(1);
});

test('a row whose bytes are at hand is there at once, without a read; of protobuf it is read', async () => {
  const { store, bytes } = filled([
    { type: 'CUSTOM', n: 1 },
    { type: 'CUSTOM', n: 2 },
  ]);
  let reads = 0;
  const read = async (_conn: number, from: number, length: number) => {
    reads++;
    return bytes.slice(from, from + length);
  };
  const recent = (_conn: number, from: number, length: number) => (from > 0 ? bytes.subarray(from, from + length) : null);
  const source = { columns: () => store.columns, connection: (id: number) => store.connections[id], read, recent };
  const bodies = createBodies(source);
  expect(bodies.peek(1)?.value).toEqual({ type: 'CUSTOM', n: 2 });
  expect((await bodies.load(1)).raw).toEqual(bytes.slice(bytes.length / 2));
  expect(reads).toBe(0);
  expect(bodies.peek(0)).toBeNull();
  expect((await bodies.load(0)).value).toEqual({ type: 'CUSTOM', n: 1 });
  expect(reads).toBe(1);
  const binary = createBodies({ ...source, connection: () => ({ ...connectionOf(0), codec: 'proto' as const }) });
  expect(binary.peek(1)).toBeNull();
  await binary.load(1);
  expect(reads).toBe(2);
});

test('what cannot be read says why, and is tried again when asked to', async () => {
  const { store, bytes } = filled([{ type: 'CUSTOM', n: 1 }]);
  let there = false;
  const read = async () => {
    if (!there) throw new Error('gone');
    return bytes;
  };
  const bodies = createBodies({ columns: () => store.columns, connection: () => undefined, read });
  expect((await bodies.load(0)).trouble).toBe('gone');
  there = true;
  expect((await bodies.load(0)).trouble).toBe('gone');
  bodies.retry();
  expect((await bodies.load(0)).value).toMatchObject({ n: 1 });
});

test('a cleared cache answers those who wait', async () => {
  const { store } = filled([{ type: 'CUSTOM' }]);
  const bodies = createBodies({ columns: () => store.columns, connection: () => undefined, read: () => new Promise(() => undefined) });
  const waiting = bodies.load(0);
  bodies.clear();
  expect((await waiting).trouble).toContain('cleared');
});

test('far rows are read apart', () => {
  const store = createStore(now);
  takeMessage(
    store,
    update({
      rows: rowsOf([
        { type: 'RAW', offset: 0 },
        { type: 'RAW', offset: 20 },
        { type: 'RAW', offset: 900_000 },
      ]),
    }),
  );
  expect(rangesOf(store.columns, [2, 0, 1]).map(({ rows }) => rows)).toEqual([[0, 1], [2]]);
});

test('frames of every codec give their values', async () => {
  const event = { type: 'CUSTOM', name: 'a.b', value: null };
  expect((await frameDecoder('sse'))(encode(`: hi\nevent: x\ndata: ${JSON.stringify(event)}\n\n`)).values).toEqual([event]);
  expect((await frameDecoder('ndjson'))(encode(`${JSON.stringify(event)}\n`)).values).toEqual([event]);
  expect((await frameDecoder('json'))(encode(JSON.stringify(event, null, 2))).values).toEqual([event]);
  expect((await frameDecoder('sse'))(encode('data: {broken\n\n'))).toEqual({ values: [], faults: ['frame-not-json'] });
  const message = encodeProto({ ...event, value: 'b' } as Parameters<typeof encodeProto>[0]);
  const frame = Uint8Array.of(0, 0, 0, message.length, ...message);
  expect((await frameDecoder('proto'))(frame).values).toEqual([{ ...event, value: 'b' }]);
});

test('a frame too large to keep is named, and not read for a row again and again', () => {
  const store = createStore(now);
  takeMessage(store, update({ rows: rowsOf([{ type: 'CUSTOM', offset: 0, length: 50_000_000 }]), connections: [connectionOf(0)] }));
  let reads = 0;
  const read = async () => {
    reads++;
    return null;
  };
  const bodies = createBodies({ columns: () => store.columns, connection: (id) => store.connections[id], read }, (run) => run());
  expect(bodies.peek(0)?.trouble).toContain('50.0 MB');
  expect(bodies.peek(0)?.value).toBeUndefined();
  expect(reads).toBe(0);
});
