/** The page's records in the session's words. Lengths are capped: a page may send what it likes. */
import type { CaptureRecord, Carrier, DocumentInfo, RequestBody } from '../capture/types.ts';
import {
  FIELDS,
  type PageBatch,
  type PageBody,
  type PageEnd,
  type PageLost,
  type PageRecordKind,
  type PageReplay,
  type PageRequest,
  type PageResponse,
} from '../wire/page-to-relay.ts';

/** One record of a batch: a page's connection number, and the record but for its connection id. */
export interface PageRecord {
  readonly pageConn: number;
  readonly make: (conn: number) => CaptureRecord;
  readonly kind: CaptureRecord['kind'];
}

const LONGEST_URL = 65_536;
const LONGEST_WORD = 200;
const LONGEST_TEXT = 2_000;
const LONGEST_PLAN = 1_000_000;
const LONGEST_STACK = 20_000;
const LONGEST_BODY = 8 * 1024 * 1024;

/** The records of a batch that `isPageBatch` has passed. */
export function* recordsOfBatch(batch: PageBatch, document: DocumentInfo): Generator<PageRecord> {
  let start = 0;
  for (let at = 0; at < batch.meta.length; at += FIELDS) {
    const [pageConn, kind, time, asked, payload] = batch.meta.slice(at, at + FIELDS) as [number, PageRecordKind, number, number, unknown];
    if (kind === 'chunk') {
      const length = payload as number;
      const bytes = batch.bytes.subarray(start, start + length);
      start += length;
      yield { pageConn, kind, make: (conn) => ({ kind, conn, asked, came: time, bytes }) };
    } else yield { pageConn, ...translate(kind, time, payload, document) };
  }
}

function translate(kind: Exclude<PageRecordKind, 'chunk'>, time: number, payload: unknown, document: DocumentInfo): Omit<PageRecord, 'pageConn'> {
  switch (kind) {
    case 'request': {
      const { carrier, url, method, stack } = payload as PageRequest;
      const request = {
        url: cut(url, LONGEST_URL),
        method: cut(method, LONGEST_WORD),
        time,
        ...(stack === undefined ? {} : { stack: cut(stack, LONGEST_STACK) }),
      };
      return { kind, make: (conn) => ({ kind, conn, carrier: carrier satisfies Carrier, document, request }) };
    }
    case 'body': {
      const body = bodyOf(payload as PageBody);
      return { kind, make: (conn) => ({ kind, conn, body }) };
    }
    case 'response': {
      const { status, statusText, contentType, url } = payload as PageResponse;
      const response = { time, status, statusText: cut(statusText, LONGEST_WORD), contentType: cut(contentType, LONGEST_WORD), url: cut(url, LONGEST_URL) };
      return { kind, make: (conn) => ({ kind, conn, response }) };
    }
    case 'end': {
      const { how, message } = payload as PageEnd;
      const end = { time, how, ...(message === undefined ? {} : { message: cut(message, LONGEST_TEXT) }) };
      return { kind, make: (conn) => ({ kind, conn, end }) };
    }
    case 'replay': {
      const { of, plan } = payload as PageReplay;
      // a plan that was cut is no plan
      const kept = plan === '' || plan.length > LONGEST_PLAN ? {} : { plan };
      return { kind, make: (conn) => ({ kind, conn, replay: { time, of: cut(of, LONGEST_TEXT), ...kept } }) };
    }
    case 'lost': {
      const { bytes, chunks, why } = payload as PageLost;
      return { kind: 'gap', make: (conn) => ({ kind: 'gap', conn, gap: { time, bytes, chunks, why: cut(why, LONGEST_WORD) } }) };
    }
  }
}

function bodyOf({ kind, text, size, cut: wasCut }: PageBody): RequestBody {
  const tooLong = text !== undefined && text.length > LONGEST_BODY;
  return {
    kind,
    ...(text === undefined ? {} : { text: cut(text, LONGEST_BODY) }),
    ...(size === undefined ? {} : { size }),
    ...(wasCut || tooLong ? { cut: true } : {}),
  };
}

function cut(text: string, most: number): string {
  return text.length > most ? text.slice(0, most) : text;
}
