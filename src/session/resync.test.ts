import { describe, expect, it } from 'vitest';
import { seekBorder } from './resync.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('the search for a frame border', () => {
  it('stops behind the first blank line', () => {
    expect(seekBorder(0, 2, bytes('rest"}\n\ndata: {}\n\n'))).toEqual({ skipped: 8, seeking: null });
    expect(seekBorder(0, 2, bytes('rest"}\r\n\r\ndata: {}'))).toEqual({ skipped: 10, seeking: null });
  });

  it('goes on over chunks', () => {
    const first = seekBorder(0, 2, bytes('a\nb\n'));
    expect(first).toEqual({ skipped: 4, seeking: 1 });
    expect(seekBorder(first.seeking ?? 0, 2, bytes('\ndata'))).toEqual({ skipped: 1, seeking: null });
  });

  it('needs one line end for lines', () => {
    expect(seekBorder(0, 1, bytes('rest}\n{"type"'))).toEqual({ skipped: 6, seeking: null });
  });
});
