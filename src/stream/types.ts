/** Bytes in, frames out. States are plain, structured-cloneable data; the functions that use them never throw on input. */

export type Codec = 'sse' | 'ndjson' | 'json' | 'proto';

/** Framing faults, each the transport rule of the same name in the catalogue (`transport-*`). */
export type FrameFault =
  | 'frame-not-json'
  | 'frame-not-one-event'
  | 'line-endings'
  | 'unterminated-frame'
  | 'frame-too-large'
  | 'proto-undecodable'
  | 'proto-unknown-arm';

/** One SSE message, NDJSON line, protobuf frame or array element. Frames that carry no data (comments, retry) are not reported. */
export interface Frame {
  /** 0-based among the data-bearing frames of the connection. */
  readonly no: number;
  /** Where its bytes lie in the connection's byte stream. */
  readonly offset: number;
  readonly length: number;
  /** When its last byte came. */
  readonly time: number;
  /** Decoded JSON values: one for a good frame, several for a frame that held several, none for a bad one. */
  readonly values: readonly unknown[];
  readonly faults: readonly FrameFault[];
  /** The payload text of a frame that did not parse, cut at 2,000 characters. */
  readonly text?: string;
}
