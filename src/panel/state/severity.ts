/** The severity threshold: findings below it are judged and kept, but not shown. */
import type { Severity } from '../../checker/types.ts';

/** Gravest first. */
export const SEVERITIES: readonly Severity[] = ['violation', 'deviation', 'advice'];

/** Whether a finding of that severity is shown where `least` is the mildest that is. */
export const isShown = (severity: Severity, least: Severity): boolean => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
