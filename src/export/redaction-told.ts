/** What was redacted, in sentences. Apart from the redactor, so that who only tells of it need not load it. */
import { GROUPS, type Group } from './redact-groups.ts';
import type { Redacted } from './write.ts';

export interface Told {
  readonly groups: readonly Group[];
  readonly blindBytes: number;
  readonly resizedFrames: number;
}

/** The summary in sentences, for the header's note and for reports. */
export function describeRedaction({ groups, blindBytes, resizedFrames }: Told): string {
  if (groups.length === 0) return 'Nothing was redacted.';
  const what =
    groups.length === GROUPS.length ? 'Everything but the structure is redacted' : `Redacted: ${groups.join(', ')}, and whatever belongs to no group`;
  const blind = blindBytes > 0 ? ` ${blindBytes} bytes that were in no readable frame are filled.` : '';
  const resized = resizedFrames > 0 ? ` ${resizedFrames} frames could not keep their size.` : '';
  return `${what}.${groups.includes('ids') ? '' : ' Ids and names are as captured.'}${blind}${resized}`;
}

/** What a redacted file says of itself to people. */
export function sentenceOf({ groups }: Redacted): string {
  return describeRedaction({ groups, blindBytes: 0, resizedFrames: 0 });
}
