/** An answer as it was recorded or is to be given: bytes at times. Times are ms, sizes are bytes. */
import type { EndHow } from '../capture/types.ts';

export interface AnswerChunk {
  /** ms after the response's head. */
  readonly after: number;
  readonly bytes: Uint8Array;
}

/** What one request is answered with. */
export interface Answer {
  readonly status: number;
  readonly statusText?: string;
  /** Empty for none. */
  readonly contentType: string;
  /** ms from the request to the response's head. */
  readonly wait: number;
  /** False where no answer ever came: then `end` is all there is. */
  readonly answered: boolean;
  readonly chunks: readonly AnswerChunk[];
  /** How it ended, `open` where it had not; ways in which the page ended it leave it open. */
  readonly end: EndHow | 'open';
  /** ms after the response's head. */
  readonly endAfter: number;
}

/** How an answer is ended by the one who gives it; `open` leaves it open for good. */
export type ActEnd = 'complete' | 'network-error' | 'open';

/** Status line and content type, and when they come: ms since the request. */
export interface Head {
  readonly after: number;
  readonly status: number;
  readonly statusText?: string;
  readonly contentType: string;
}

/** One thing to do towards the one who asked, in order. `after` is ms since the request and never goes back. */
export type Act =
  | ({ readonly kind: 'head' } & Head)
  | { readonly kind: 'bytes'; readonly after: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly after: number; readonly how: ActEnd };
