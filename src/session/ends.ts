/** How the checker calls the ways in which an exchange ends. */
import type { EndHow } from '../capture/types.ts';
import type { StreamEnd } from '../checker/types.ts';

export const STREAM_ENDS: Readonly<Record<EndHow, StreamEnd>> = {
  complete: 'closed',
  'network-error': 'error',
  aborted: 'aborted',
  cancelled: 'aborted',
  closed: 'aborted',
  navigated: 'aborted',
};
