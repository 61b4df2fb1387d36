/** From finding to finding. */
import type { FindingView } from '../../runs/types.ts';
import { useSession } from '../state/panel.ts';
import type { PanelSession } from '../state/session.ts';
import { rowOf } from '../state/session.ts';
import { Tool } from './parts.tsx';

/** Selects the next (1) or previous (-1) finding after the one selected, or after the row selected; goes round at the ends. */
export function stepFinding(session: PanelSession, by: 1 | -1): void {
  const findings = session.findings.peek();
  if (findings.length === 0) return;
  const selection = session.selection.peek();
  let index = selection.kind === 'finding' ? findings.findIndex((finding) => finding.id === selection.id) : -1;
  if (index < 0) {
    const row = rowOf(session.store, selection);
    if (row === null) index = by > 0 ? -1 : findings.length;
    else if (by > 0) index = findings.findIndex((finding) => (finding.row ?? Number.POSITIVE_INFINITY) >= row) - 1;
    else index = findings.findLastIndex((finding) => (finding.row ?? Number.POSITIVE_INFINITY) <= row) + 1;
    if (index === -2) index = -1;
  }
  const next = findings[(index + by + findings.length) % findings.length];
  if (next) session.select({ kind: 'finding', id: next.id });
}

/** `2/4` with arrows. */
export const StepFinding = ({ finding }: { finding: FindingView }) => {
  const session = useSession();
  const findings = session.findings.value;
  const index = findings.findIndex((one) => one.id === finding.id);
  return (
    <>
      <span class="dim">
        {index + 1}/{findings.length}
      </span>
      <Tool icon="prev" label="Previous finding" title="Previous finding (p)" small onClick={() => stepFinding(session, -1)} />
      <Tool icon="next" label="Next finding" title="Next finding (n)" small onClick={() => stepFinding(session, 1)} />
    </>
  );
};
