/** First violations against the reference client's own stages: boundary → enforce → expand → verify, rules.md §6 for what may differ. */
import { CompatibilityBoundary, enforceEvents, transformChunks, verifyEvents } from '@ag-ui/client';
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { EDITS, type Edit, editStream } from './edits.ts';
import { cleanStream, randomOf } from './generator.ts';
import { findingsOf, referenceStopsAt, stopsAt } from './index.ts';
import { briefly, foldEvents } from './testing.ts';

const SEED = Number(process.env['CHECKER_SEED'] ?? 20_250_901);
const STREAMS = Number(process.env['CHECKER_STREAMS'] ?? 2_000);

process.env['SUPPRESS_TRANSFORMATION_WARNINGS'] = 'true';

type Stage = { transformEvent: (event: unknown) => unknown };

/** Position at which the reference client gives up, or null. */
function clientStops(events: readonly unknown[]): { at: number | null; why: string } {
  const boundary = new CompatibilityBoundary() as unknown as Stage;
  const source = new Subject<never>();
  let why: string | null = null;
  source.pipe(enforceEvents(), transformChunks(), verifyEvents()).subscribe({ error: (error) => (why = String(error?.message ?? error)) });
  for (const [at, event] of events.entries()) {
    source.next(boundary.transformEvent(event) as never);
    if (why !== null) return { at, why };
  }
  source.complete();
  return { at: null, why: '' };
}

/** Rules about which the table and the client differ on purpose: rule → number in rules.md §6. */
const DOCUMENTED: Readonly<Record<string, number>> = {
  'schema-unknown-enum-value': 5,
  'reasoning-encrypted-unknown-subtype': 5,
  'version-dialect-type': 14,
  'reasoning-span-message-owner-split': 17,
  'text-mixed-forms': 21,
  'tool-mixed-forms': 21,
  'reasoning-mixed-forms': 21,
};

/** Null where both agree; the number in rules.md §6 where the difference is documented; otherwise 'undocumented'. */
function disagreement(events: readonly unknown[]): { readonly what: number | 'undocumented' | null; readonly told: string } {
  const state = foldEvents(events, 'open');
  const ours = stopsAt(state);
  const theirs = clientStops(events);
  if (ours === theirs.at) return { what: null, told: '' };
  const first = Math.min(ours ?? Number.POSITIVE_INFINITY, theirs.at ?? Number.POSITIVE_INFINITY);
  const documented = findingsOf(state).find(({ at, rule }) => at === first && rule in DOCUMENTED);
  const told = `ours ${ours}, theirs ${theirs.at} (${theirs.why}): ${briefly(state).join(' ')}\n${events.map((event, at) => `${at} ${JSON.stringify(event)}`).join('\n')}`;
  return { what: documented === undefined ? 'undocumented' : (DOCUMENTED[documented.rule] ?? 'undocumented'), told };
}

describe('differential against @ag-ui/client', () => {
  it(`${STREAMS} streams, seed ${SEED}`, { timeout: 1_800_000 }, () => {
    const random = randomOf(SEED);
    const counts = { edited: 0, documented: new Map<number, number>(), stopped: 0 };
    const undocumented: string[] = [];
    for (let no = 0; no < STREAMS; no += 1) {
      let events = cleanStream(random);
      const edits: Edit[] = [];
      const wanted = random.chance(0.75) ? 1 + (random.chance(0.25) ? random.int(3) : 0) : 0;
      for (let tries = 0; edits.length < wanted && tries < 20; tries += 1) {
        const edit = random.pick(EDITS);
        const edited = editStream(random, events, edit);
        if (edited === null || edited.length === 0) continue;
        events = edited;
        edits.push(edit);
      }
      if (edits.length > 0) counts.edited += 1;
      const { what, told } = disagreement(events);
      if (what === 'undocumented') undocumented.push(`stream ${no}, edits ${edits.join(' ')}: ${told}`);
      else if (what !== null) counts.documented.set(what, (counts.documented.get(what) ?? 0) + 1);
    }
    console.log(`seed ${SEED}: ${STREAMS} streams, ${counts.edited} edited, documented differences by number ${JSON.stringify([...counts.documented])}`);
    expect(undocumented.slice(0, 3).join('\n\n')).toBe('');
    expect(undocumented).toHaveLength(0);
    expect(counts.edited / STREAMS).toBeGreaterThanOrEqual(0.6);
  });

  it('clean streams are silent but for advice', () => {
    const random = randomOf(SEED + 1);
    for (let no = 0; no < 300; no += 1) {
      const events = cleanStream(random);
      const found = findingsOf(foldEvents(events)).filter(({ severity }) => severity === 'violation');
      expect(found, JSON.stringify(events)).toEqual([]);
      expect(clientStops(events).at, JSON.stringify(events)).toBe(null);
    }
  });

  it('knows where the client stops also where the table says nothing', () => {
    const split = [
      { type: 'RUN_STARTED', threadId: 'th', runId: 'r1' },
      { type: 'REASONING_START', messageId: 'z' },
      { type: 'REASONING_MESSAGE_START', messageId: 'z', role: 'reasoning', subagentRunId: 's1' },
    ];
    expect(clientStops(split).at).toBe(2);
    const state = foldEvents(split, 'open');
    expect([stopsAt(state), referenceStopsAt(state)]).toEqual([null, 2]);
  });
});

describe('one mistake, one finding', () => {
  const SHARES: Readonly<Partial<Record<Edit, number>>> = { drop: 1, duplicate: 1, blank: 1, swap: 0.94, move: 0.86 };

  it.each(EDITS)('%s', { timeout: 600_000 }, (edit) => {
    const random = randomOf(SEED + 2 + EDITS.indexOf(edit));
    const several: string[] = [];
    let broken = 0;
    for (let no = 0; no < STREAMS / 4; no += 1) {
      const events = editStream(random, cleanStream(random), edit);
      if (events === null || events.length === 0) continue;
      const violations = findingsOf(foldEvents(events, 'open')).filter(({ severity }) => severity === 'violation');
      if (violations.length === 0) continue;
      broken += 1;
      if (violations.length > 1) {
        several.push(
          `${violations.map(({ rule, at }) => `${rule}@${at}`).join(' ')}\n${events.map((event, at) => `${at} ${JSON.stringify(event)}`).join('\n')}`,
        );
      }
    }
    const share = 1 - several.length / broken;
    console.log(`${edit}: ${broken} broken streams, ${(share * 100).toFixed(1)} % with exactly one violation`);
    const least = SHARES[edit];
    if (least !== undefined && share < least) expect(several.slice(0, 3).join('\n\n')).toBe('');
    expect(broken).toBeGreaterThan(0);
  });
});
