/** What RUN_STARTED.protocolVersion says (rules.md §4.13). */
import type { Complaint } from './types.ts';
import { quote } from './words.ts';

/** The newest protocol version the checker knows. */
const NEWEST = [1, 1] as const;

/** At most one complaint about the version a producer declares. A malformed value is the schema's business and counts as absent. */
export function judgeVersion(declared: unknown): Complaint | null {
  const subject = 'protocolVersion';
  if (typeof declared !== 'string') {
    return {
      rule: 'version-undeclared',
      subject,
      message: 'RUN_STARTED declares no protocolVersion: the producer predates versioning, or leaves it out; send "1.1".',
    };
  }
  const parts = /^(\d+)\.(\d+)$/.exec(declared);
  if (!parts) {
    return {
      rule: 'version-uninterpretable',
      subject,
      message: `RUN_STARTED.protocolVersion is ${quote(declared)}, which is not MAJOR.MINOR and is treated as newer: send for example "1.1".`,
    };
  }
  const [major, minor] = [Number(parts[1]), Number(parts[2])];
  if (major < NEWEST[0] || (major === NEWEST[0] && minor <= NEWEST[1])) return null;
  return {
    rule: 'version-newer',
    subject,
    message: `RUN_STARTED.protocolVersion is ${quote(declared)}, newer than the ${NEWEST.join('.')} this checker knows: what it does not know is reported as unknown.`,
  };
}
