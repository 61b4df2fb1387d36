/** What was captured of one exchange, before anything is made of it. Times are ms since the Unix epoch (0.1 ms tick), sizes are bytes. */

export type Carrier = 'fetch' | 'eventsource' | 'xhr' | 'websocket' | 'network-log' | 'file';

/**
 * How an exchange ended. `complete`: clean end of body. `network-error`: reset, or never answered. `aborted`: the page's
 * AbortSignal. `cancelled`: the page's reader. `closed`: the page closed an EventSource or socket. `navigated`: its document
 * went away. An HTTP error status ends like any other body; the status tells.
 */
export type EndHow = 'complete' | 'network-error' | 'aborted' | 'cancelled' | 'closed' | 'navigated';

export interface RequestBody {
  /** `text` holds UTF-8 text; the others say what was sent without its content. */
  readonly kind: 'none' | 'text' | 'bytes' | 'form' | 'stream' | 'unreadable';
  readonly text?: string;
  /** Bytes of the whole body, when known. */
  readonly size?: number;
  /** True when `text` was cut at the cap. */
  readonly cut?: boolean;
}

export interface RequestRecord {
  readonly url: string;
  readonly method: string;
  /** When the page called. */
  readonly time: number;
  readonly body?: RequestBody;
  /** The page's call stack at the call, our own frames removed. */
  readonly stack?: string;
}

export interface ResponseRecord {
  readonly time: number;
  readonly status: number;
  readonly statusText?: string;
  readonly contentType: string;
  /** After redirects. */
  readonly url?: string;
}

export interface EndRecord {
  readonly time: number;
  readonly how: EndHow;
  readonly message?: string;
}

/** The document an exchange belongs to. */
export interface DocumentInfo {
  /** Unique per document load, made by the relay. */
  readonly doc: string;
  readonly url: string;
  readonly frame: number;
  /** When the document began (performance.timeOrigin). */
  readonly time: number;
}

/** Chunks that were lost between page and journal, told instead of silently skipped. */
export interface Gap {
  readonly time: number;
  readonly bytes: number;
  readonly chunks: number;
  readonly why: string;
}

/** The answer was Runlens' own, or Runlens made trouble on it. */
export interface ReplayRecord {
  readonly time: number;
  /** What was replayed, in words; empty where trouble was made on a live stream. */
  readonly of: string;
  /** The plan it ran under, as its JSON text. */
  readonly plan?: string;
}

/** One HTTP response, EventSource connection, XHR or socket. `id` counts from 0 within a session, in order of appearance. */
export interface Connection {
  readonly id: number;
  readonly carrier: Carrier;
  readonly document: DocumentInfo | null;
  readonly request: RequestRecord | null;
  readonly response: ResponseRecord | null;
  readonly end: EndRecord | null;
  /** Bytes and chunks received so far. */
  readonly bytes: number;
  readonly chunks: number;
  readonly gaps: readonly Gap[];
  /** Set where what was received is not, or not all, the agent's. */
  readonly replay?: ReplayRecord | null;
}

/** Bytes as they arrived. `asked` is when the page's read began, `came` when it was answered. */
export interface Chunk {
  readonly asked: number;
  readonly came: number;
  readonly bytes: Uint8Array;
}

/** A finding as it was recorded before its content was redacted. Positions and `run` count as in the checker's findings. */
export interface RecordedFinding {
  readonly rule: string;
  readonly at: number;
  readonly frame?: number;
  readonly related: readonly number[];
  readonly run: number | null;
  readonly message: string;
  readonly repeats: number;
}

/**
 * One thing that happened to one connection, in the order it happened in the session: the only input of `session/`. The journal
 * keeps these, a capture file holds these, replaying them gives the same rows, runs and findings.
 */
export type CaptureRecord =
  | { readonly kind: 'request'; readonly conn: number; readonly carrier: Carrier; readonly document: DocumentInfo | null; readonly request: RequestRecord }
  | { readonly kind: 'body'; readonly conn: number; readonly body: RequestBody }
  | { readonly kind: 'response'; readonly conn: number; readonly response: ResponseRecord }
  | ({ readonly kind: 'chunk'; readonly conn: number } & Chunk)
  | { readonly kind: 'gap'; readonly conn: number; readonly gap: Gap }
  | { readonly kind: 'replay'; readonly conn: number; readonly replay: ReplayRecord }
  | { readonly kind: 'end'; readonly conn: number; readonly end: EndRecord }
  /**
   * Of a redacted capture, behind the request: `rules` depend on content that is gone and are not judged, `findings` stand in for them.
   * `protocol` names the other protocol that the stream was recognised as, which takes its content too.
   */
  | {
      readonly kind: 'findings';
      readonly conn: number;
      readonly protocol?: string;
      readonly rules: readonly string[];
      readonly findings: readonly RecordedFinding[];
    };
