/** What a page or an agent that means harm would send. Not on the demo page; the hostile spec plays these. */
import type { Move, RunInput, Scenario, Story } from '../story.ts';
import { script, story } from '../story.ts';

const HTML = '<img src=x onerror="alert(1)"><script>alert(2)</script>';

/** HTML in every string that the panel may show, and ids that are names of Object.prototype. */
function markup(input: RunInput): Story {
  const s = script({ ...input, threadId: `${input.threadId}${HTML}` }, 0).started(0);
  s.send('STEP_STARTED', { stepName: HTML })
    .says('__proto__', HTML, { name: HTML })
    .calls('constructor', HTML, JSON.stringify({ html: HTML }), HTML);
  s.send('SUBAGENT_STARTED', { subagentRunId: 'toString', name: HTML, description: HTML }).send('SUBAGENT_FINISHED', { subagentRunId: 'toString' });
  s.send('CUSTOM', { name: `x.${HTML}`, value: HTML }).send('STEP_FINISHED', { stepName: HTML });
  s.send('RUN_ERROR', { message: HTML, code: HTML });
  return story(s, input, 'failed-by-report');
}

/** `__proto__` as a key of a snapshot, a patch and an event: JSON that no object literal can say. */
function prototypes(input: RunInput): Story {
  const s = script(input, 0).started(0);
  const raw = [
    '{"type":"STATE_SNAPSHOT","snapshot":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}}}}',
    '{"type":"STATE_DELTA","delta":[{"op":"add","path":"/__proto__/polluted","value":3}]}',
    '{"type":"CUSTOM","name":"x.y","value":{"__proto__":{"polluted":4}},"__proto__":{"polluted":5}}',
  ];
  const moves: Move[] = [...s.moves, ...raw.map((json) => ({ wait: 0, text: `data: ${json}\n\n` })), ...script(input, 0).finished().moves];
  return { ...story(s, input, 'succeeded'), moves };
}

/** One frame of 50 MB inside an otherwise good run. */
function huge(input: RunInput): Story {
  const s = script(input, 0).started(0).says('msg-1', 'Before the flood.');
  const at = s.moves.length;
  const big = JSON.stringify({ type: 'CUSTOM', name: 'x.flood', value: 'x'.repeat(50_000_000) });
  const moves: Move[] = [...s.moves, { wait: 0, text: `data: ${big}\n\n` }, ...script(input, 0).finished().moves];
  return { moves, expected: { runs: [{ runId: input.runId, status: 'succeeded' }], findings: [{ rule: 'transport-frame-too-large', at }] } };
}

const hidden = (id: string, build: Scenario['build']): Scenario => ({ id, group: 'Load', title: id, about: 'For the hostile spec.', build });

export const HOSTILE: readonly Scenario[] = [hidden('markup', markup), hidden('prototypes', prototypes), hidden('huge', huge)];
