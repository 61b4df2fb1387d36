/** Side leg: the devtools page tells the worker which document its tab shows, and keeps it awake while DevTools is open. */

export type DevtoolsMessage =
  | { readonly kind: 'ping' }
  | {
      readonly kind: 'page';
      readonly url: string;
      /** The document's performance.timeOrigin (ms since the epoch), null where our content scripts do not run. */
      readonly timeOrigin: number | null;
      /** False when DevTools was opened on a document that was there already. */
      readonly navigated: boolean;
    };

/** Whether a value is a message of the devtools page. Never throws. */
export function isDevtoolsMessage(value: unknown): value is DevtoolsMessage {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, url, timeOrigin, navigated } = value as Record<string, unknown>;
  if (kind === 'ping') return true;
  return kind === 'page' && typeof url === 'string' && (timeOrigin === null || Number.isFinite(timeOrigin)) && typeof navigated === 'boolean';
}
