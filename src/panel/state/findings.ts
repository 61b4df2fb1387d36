/** The findings that the severity threshold lets through: by id for the timeline, in order for lists. */
import { computed, type ReadonlySignal } from '@preact/signals';
import type { Severity } from '../../checker/types.ts';
import type { FindingView } from '../../runs/types.ts';
import { isShown } from './severity.ts';
import type { Store } from './store.ts';

/** Changes whenever a finding came or changed. */
function findingsStamp(store: Store): ReadonlySignal<string> {
  return computed(() => {
    store.version.value;
    return `${store.epoch.value} ${store.findingsStamp}`;
  });
}

/** Findings in their places by id; those below the threshold leave a hole. */
export function shownFindings(store: Store, least: ReadonlySignal<Severity>): ReadonlySignal<FindingView[]> {
  const stamp = findingsStamp(store);
  return computed(() => {
    stamp.value;
    if (least.value === 'advice') return store.findings;
    const shown: FindingView[] = [];
    for (const finding of store.findings) if (finding && isShown(finding.severity, least.value)) shown[finding.id] = finding;
    return shown;
  });
}

/** Shown findings as they stand in the capture: by row, those about a whole response last. */
export function sortedFindings(store: Store, least: ReadonlySignal<Severity>): ReadonlySignal<readonly FindingView[]> {
  const stamp = findingsStamp(store);
  return computed(() => {
    stamp.value;
    const place = (finding: FindingView) => finding.row ?? Number.MAX_SAFE_INTEGER;
    const shown = store.findings.filter((finding) => finding && isShown(finding.severity, least.value));
    return shown.sort((a, b) => place(a) - place(b) || a.time - b.time || a.id - b.id);
  });
}
