/**
 * Side leg: the devtools page tells the worker which document its tab shows, keeps it awake while DevTools is open, and hands it the
 * exchanges that only DevTools' network log has seen. Of these each message is sent again until the worker has journaled it.
 */
import type { CaptureRecord } from '../capture/types.ts';
import { isCaptureRecord } from './panel-message.ts';

/**
 * What the network log knows of an exchange by now, as records from its request on (their `conn` means nothing): told once while it
 * is open, and once when it has ended.
 */
export interface LoggedExchange {
  readonly kind: 'exchange';
  /** Names the message in its acknowledgement. */
  readonly no: number;
  /** The same in all messages of one exchange. */
  readonly key: string;
  readonly records: readonly CaptureRecord[];
}

/** Worker → devtools page: that message is journaled. */
export interface LoggedAck {
  readonly kind: 'journaled';
  readonly no: number;
}

export type DevtoolsMessage =
  | { readonly kind: 'ping' }
  | LoggedExchange
  | {
      readonly kind: 'page';
      readonly url: string;
      /** When the document came on show (see RelayMessage; ms since the epoch), null where our content scripts do not run. */
      readonly timeOrigin: number | null;
      /** Whether our content scripts run there, as far as was found out; of the browser's own pages nothing is asked. */
      readonly heard: boolean | null;
      /** False when DevTools was opened on a document that was there already. */
      readonly navigated: boolean;
    };

/** Whether a value is a message of the devtools page. Never throws. */
export function isDevtoolsMessage(value: unknown): value is DevtoolsMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, url, timeOrigin, navigated, no, key, records, heard } = value as Record<string, unknown>;
  if (kind === 'ping') return true;
  if (kind === 'exchange') return Number.isSafeInteger(no) && typeof key === 'string' && Array.isArray(records) && records.every(isCaptureRecord);
  return (
    kind === 'page' &&
    typeof url === 'string' &&
    (timeOrigin === null || Number.isFinite(timeOrigin)) &&
    typeof navigated === 'boolean' &&
    (heard === null || typeof heard === 'boolean')
  );
}

/** Whether a value is an acknowledgement. */
export function isLoggedAck(value: unknown): value is LoggedAck {
  const { kind, no } = (value ?? {}) as Partial<Record<keyof LoggedAck, unknown>>;
  return kind === 'journaled' && typeof no === 'number';
}
