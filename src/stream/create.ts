import { newBorderScan } from './borders.ts';
import { newJsonScan } from './json.ts';
import { sniffCodec } from './sniff.ts';
import { MAX_FRAME, type StreamOptions, type StreamState } from './state.ts';

/** A stream before its first byte. `maxFrame` is in characters (bytes for protobuf), 10 Mi unless told. */
export function createStream(options: StreamOptions): StreamState {
  const contentType = options.contentType ?? '';
  return {
    codec: options.codec === 'auto' ? sniffCodec(contentType, new Uint8Array(0)) : options.codec,
    contentType,
    maxFrame: options.maxFrame ?? MAX_FRAME,
    no: 0,
    offset: 0,
    held: new Uint8Array(0),
    heldLength: 0,
    heldChars: -1,
    head: null,
    skipped: 0,
    lastTime: 0,
    border: newBorderScan(),
    json: newJsonScan(),
    stopped: false,
  };
}
