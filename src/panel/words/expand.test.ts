import { expect, test } from 'vitest';
import { spanOf } from '../state/testkit.ts';
import { expandChunk } from './expand.ts';

const span = spanOf(0, { firstRow: 3, lastRow: 5, how: 'lane' });

test('a chunk stands for what a client makes of it', () => {
  expect(expandChunk('TEXT_MESSAGE_CHUNK', { delta: 'a' }, 3, span)).toEqual({ types: ['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT'], closes: null });
  expect(expandChunk('TOOL_CALL_CHUNK', { toolCallId: 'c' }, 3, span)).toEqual({ types: ['TOOL_CALL_START'], closes: null });
  expect(expandChunk('REASONING_MESSAGE_CHUNK', { delta: 'a' }, 5, span)).toEqual({ types: ['REASONING_MESSAGE_CONTENT'], closes: 'REASONING_MESSAGE_END' });
  expect(expandChunk('TEXT_MESSAGE_CHUNK', { delta: '' }, 4, span)).toEqual({ types: [], closes: null });
  expect(expandChunk('TEXT_MESSAGE_CHUNK', { delta: 'a' }, 5, spanOf(0, { firstRow: 3, lastRow: 5, end: null, how: null }))?.closes).toBeNull();
  expect(expandChunk('TEXT_MESSAGE_CONTENT', { delta: 'a' }, 3, span)).toBeNull();
});
