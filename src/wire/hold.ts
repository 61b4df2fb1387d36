/**
 * Side leg of a replay: panel ↔ hold relay (isolated world) ↔ hold script (page's world). Both scripts are in a page only while a
 * replay is armed there. The panel keeps what is armed and decides what each request gets; the hold script only holds and plays.
 */
import type { PageReplay } from './page-to-relay.ts';

/**
 * Port from the panel to the hold relay of one frame, followed by their secret. The relay says hello by a message of its own, and the
 * panel connects: so the port ends with the panel for certain, which it would not if the worker could be at its other end.
 */
export const HOLD_PORT = 'runlens-hold:';
/** In the extension's world of a frame, by the relay: the name under which the hook there is spoken to. */
export const WORD = 'runlensWord';
/** On the page's window, until the hold script takes it away at its start: the secret it shares with the hold relay. */
export const SECRET = '\u200brunlens-hold';
/** In the extension's world of a frame, by the panel: the same secret. */
export const OWN_SECRET = 'runlensSecret';
/** In sessionStorage between two documents of a tab in which a replay stays armed over a reload: a Baton as JSON. */
export const BATON = '\u200brunlens-baton';

/** Which requests are held: `pattern` is the source of a regular expression for the whole address. An empty method is any. */
export interface HoldRule {
  readonly method: string;
  readonly pattern: string;
}

export interface Baton {
  readonly secret: string;
  readonly rules: readonly HoldRule[];
}

/** Like an act of src/replay. `after` is ms since the page asked. */
export type HoldAct =
  | { readonly kind: 'head'; readonly after: number; readonly status: number; readonly statusText?: string; readonly contentType: string }
  | { readonly kind: 'bytes'; readonly after: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly after: number; readonly how: 'complete' | 'network-error' | 'open' };

/** Panel → hold script. */
export type ToHold =
  /** What is held from now on; an empty list ends holding, not what is being played. Confirmed by `holding` with the same `id`. */
  | { readonly kind: 'rules'; readonly id: number; readonly rules: readonly HoldRule[]; readonly keep: boolean }
  /** The request goes to the network as if nothing were armed. */
  | { readonly kind: 'pass'; readonly id: number }
  /** The request goes to the network, and what comes is told piece by piece: each waits for `more`. */
  | { readonly kind: 'through'; readonly id: number }
  | { readonly kind: 'more'; readonly id: number }
  | { readonly kind: 'acts'; readonly id: number; readonly acts: readonly HoldAct[]; readonly mark: PageReplay }
  /** The panel is gone (said by the relay): what cannot be played to its end goes to the network or breaks off. */
  | { readonly kind: 'gone' };

/** Hold script → panel. `time` is ms since the page asked. */
export type FromHold =
  /** The rules of that `id` are in force. */
  | { readonly kind: 'holding'; readonly id: number }
  | { readonly kind: 'ask'; readonly id: number; readonly url: string; readonly method: string; readonly body: string }
  /** Nobody answered in time: the request went to the network. */
  | { readonly kind: 'late'; readonly id: number; readonly url: string }
  | { readonly kind: 'head'; readonly id: number; readonly time: number; readonly status: number; readonly statusText: string; readonly contentType: string }
  | { readonly kind: 'bytes'; readonly id: number; readonly time: number; readonly bytes: Uint8Array }
  | { readonly kind: 'end'; readonly id: number; readonly time: number; readonly how: 'complete' | 'network-error' }
  /** Played to its end, or the page gave up. */
  | { readonly kind: 'over'; readonly id: number; readonly how: 'played' | 'aborted' | 'cancelled' };

/** Hold relay → panel, as a message without a port: whose it is. `heard` is false where the page is older than Runlens in it. */
export interface Hello {
  readonly kind: 'hello';
  readonly secret: string;
  readonly url: string;
  /** It was armed before the reload, and holds already. */
  readonly kept: boolean;
  readonly heard: boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;

const CHECKS: Readonly<Record<FromHold['kind'], (m: Record<string, unknown>) => boolean>> = {
  holding: () => true,
  ask: (m) => isText(m['url']) && isText(m['method']) && isText(m['body']),
  late: (m) => isText(m['url']),
  head: (m) => isTime(m['time']) && isCount(m['status']) && isText(m['statusText']) && isText(m['contentType']),
  bytes: (m) => isTime(m['time']) && m['bytes'] instanceof Uint8Array,
  end: (m) => isTime(m['time']) && (m['how'] === 'complete' || m['how'] === 'network-error'),
  over: (m) => m['how'] === 'played' || m['how'] === 'aborted' || m['how'] === 'cancelled',
};

const fieldsOf = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {});

/** Whether a value is a message of a hold script, which a page may have forged. Never throws. */
export function isFromHold(value: unknown): value is FromHold {
  const message = fieldsOf(value);
  const kind = message['kind'];
  return isText(kind) && Object.hasOwn(CHECKS, kind) && isCount(message['id']) && CHECKS[kind as FromHold['kind']](message);
}

/** Whether a value is a hold relay's first word. Never throws. */
export function isHello(value: unknown): value is Hello {
  const { kind, secret, url, kept, heard } = fieldsOf(value);
  return kind === 'hello' && isText(secret) && isText(url) && typeof kept === 'boolean' && typeof heard === 'boolean';
}

/** The baton in a stored text; null where there is none. Never throws. */
export function readBaton(text: string | null): Baton | null {
  try {
    const { secret, rules } = fieldsOf(JSON.parse(text ?? 'null'));
    const good = isText(secret) && Array.isArray(rules) && rules.every((rule) => isText(fieldsOf(rule)['method']) && isText(fieldsOf(rule)['pattern']));
    return good ? { secret: secret as string, rules: rules as HoldRule[] } : null;
  } catch {
    return null;
  }
}
