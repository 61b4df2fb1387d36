/** For tests: legal streams over all families. Deterministic by seed. */
import type { AgentEvent } from '../protocol/events.ts';

export interface Random {
  /** An integer from 0 to `below` - 1. */
  readonly int: (below: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
}

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number) => Math.floor(next() * below);
  return { int, chance: (share) => next() < share, pick: (from) => from[int(from.length)]! };
}

export type Event = AgentEvent & Record<string, unknown>;
/** Events that stay together, in an order that stays. */
type Group = readonly Event[];
type Script = readonly Group[];

interface Scene {
  readonly random: Random;
  /** Tag of the agent that speaks, undefined for the parent. */
  readonly tag: string | undefined;
  readonly run: number;
  readonly depth: number;
  readonly counter: { value: number };
}

function tagged(scene: Scene, event: Event, always = false): Event {
  if (scene.tag === undefined) return event;
  // Continuations may leave the tag out; openers may not.
  return always || scene.random.chance(0.7) ? { ...event, subagentRunId: scene.tag } : event;
}

function fresh(scene: Scene, prefix: string): string {
  scene.counter.value += 1;
  return `${prefix}${scene.counter.value}`;
}

function words({ random }: Scene): string {
  return random.pick(['', 'a', 'word ', 'longer text with spaces ', 'ü', '{}']);
}

function times<T>(scene: Scene, most: number, make: () => T): T[] {
  return Array.from({ length: scene.random.int(most + 1) }, make);
}

function textScript(scene: Scene): Script {
  const id = fresh(scene, 'm');
  const start: Event = { type: 'TEXT_MESSAGE_START', messageId: id, ...(scene.random.chance(0.5) ? { role: 'assistant' } : {}) };
  const one = (): Group[] => [
    [tagged(scene, start, true)],
    ...times(scene, 3, (): Group => [tagged(scene, { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta: words(scene) })]),
    [tagged(scene, { type: 'TEXT_MESSAGE_END', messageId: id })],
  ];
  return scene.random.chance(0.15) ? [...one(), ...one()] : one();
}

function toolScript(scene: Scene): Script {
  const id = fresh(scene, 'c');
  const name = scene.random.pick(['search', 'pay', 'look_up']);
  const message = fresh(scene, 'm');
  const withParent = scene.random.chance(0.4);
  const parent: Group[] = withParent
    ? [[tagged(scene, { type: 'TEXT_MESSAGE_START', messageId: message }, true), tagged(scene, { type: 'TEXT_MESSAGE_END', messageId: message })]]
    : [];
  const start = tagged(scene, { type: 'TOOL_CALL_START', toolCallId: id, toolCallName: name, ...(withParent ? { parentMessageId: message } : {}) }, true);
  const result: Event = { type: 'TOOL_CALL_RESULT', messageId: fresh(scene, 'res'), toolCallId: id, content: 'ok' };
  return [
    ...parent,
    [start],
    ...times(scene, 2, (): Group => [tagged(scene, { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: words(scene) })]),
    [tagged(scene, { type: 'TOOL_CALL_END', toolCallId: id })],
    ...(scene.random.chance(0.7) ? [[tagged(scene, result)]] : []),
  ];
}

function reasoningScript(scene: Scene): Script {
  const span = fresh(scene, 'z');
  const message = scene.random.chance(0.5) ? span : fresh(scene, 'z');
  const inner: Group[] = [
    [tagged(scene, { type: 'REASONING_MESSAGE_START', messageId: message, role: 'reasoning' }, true)],
    ...times(scene, 2, (): Group => [tagged(scene, { type: 'REASONING_MESSAGE_CONTENT', messageId: message, delta: words(scene) })]),
    [tagged(scene, { type: 'REASONING_MESSAGE_END', messageId: message })],
    ...(scene.random.chance(0.3) ? [[tagged(scene, { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: message, encryptedValue: 'x' })]] : []),
  ];
  if (scene.random.chance(0.3)) return inner;
  return [[tagged(scene, { type: 'REASONING_START', messageId: span }, true)], ...inner, [tagged(scene, { type: 'REASONING_END', messageId: span })]];
}

function stepScript(scene: Scene): Script {
  const stepName = fresh(scene, 'step');
  const one: Group[] = [[tagged(scene, { type: 'STEP_STARTED', stepName }, true)], [tagged(scene, { type: 'STEP_FINISHED', stepName }, true)]];
  return scene.random.chance(0.2) ? [...one, ...one] : one;
}

/** The first chunk, and the next ones that rely on nothing of their lane coming between. */
function chunkScript(scene: Scene): Script {
  const { random } = scene;
  const kind = random.pick(['text', 'tool', 'reasoning'] as const);
  const id = fresh(scene, kind === 'tool' ? 'c' : 'k');
  const type = { text: 'TEXT_MESSAGE_CHUNK', tool: 'TOOL_CALL_CHUNK', reasoning: 'REASONING_MESSAGE_CHUNK' }[kind];
  const names = kind === 'tool' ? { toolCallId: id, toolCallName: 'search' } : { messageId: id };
  const first = (): Event => tagged(scene, { type, ...names, delta: words(scene) }, true);
  const next = (): Event => tagged(scene, { type, delta: words(scene) }, true);
  const group = (): Group => [first(), ...times(scene, 3, () => (random.chance(0.2) ? { type: 'RAW', event: { n: 1 } } : next()))];
  return random.chance(0.4) ? [group(), group()] : [group()];
}

function activityScript(scene: Scene): Script {
  const messageId = fresh(scene, 'act');
  const snapshot: Event = { type: 'ACTIVITY_SNAPSHOT', messageId, activityType: 'plan', content: { n: 0 } };
  const delta: Event = { type: 'ACTIVITY_DELTA', messageId, activityType: 'plan', patch: [{ op: 'replace', path: '/n', value: 1 }] };
  return [[tagged(scene, snapshot, true)], ...times(scene, 2, (): Group => [tagged(scene, delta)])];
}

function singleScript(scene: Scene): Script {
  const { random } = scene;
  const event = random.pick<Event>([
    { type: 'CUSTOM', name: 'com.example.tick', value: null },
    { type: 'RAW', event: null },
    { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/b', value: 2 }] },
    { type: 'X_TRACE', n: 1 },
  ]);
  return [[tagged(scene, event)]];
}

function subagentScript(scene: Scene): Script {
  const { random } = scene;
  const id = fresh(scene, 's');
  const inner: Scene = { ...scene, tag: id, depth: scene.depth + 1 };
  const start: Event = {
    type: 'SUBAGENT_STARTED',
    subagentRunId: id,
    name: 'scout',
    ...(scene.tag === undefined ? {} : { parentSubagentRunId: scene.tag }),
  };
  const end: Event = random.chance(0.8) ? { type: 'SUBAGENT_FINISHED', subagentRunId: id } : { type: 'SUBAGENT_ERROR', subagentRunId: id, message: 'gave up' };
  return [[start], ...interleave(random, scriptsOf(inner)), [end]];
}

/** Thinking events carry no ids, so the whole of them stays together. */
function thinkingScript(): Script {
  return [
    [
      { type: 'THINKING_START' },
      { type: 'THINKING_TEXT_MESSAGE_START' },
      { type: 'THINKING_TEXT_MESSAGE_CONTENT', delta: 'hm' },
      { type: 'THINKING_TEXT_MESSAGE_END' },
      { type: 'THINKING_END' },
    ],
  ];
}

function scriptsOf(scene: Scene): Script[] {
  const { random } = scene;
  const makers = [textScript, toolScript, reasoningScript, stepScript, chunkScript, activityScript, singleScript];
  const scripts = Array.from({ length: 1 + random.int(scene.depth === 0 ? 6 : 3) }, () => random.pick(makers)(scene));
  if (scene.depth < 2 && random.chance(0.35)) scripts.push(subagentScript(scene));
  if (scene.tag === undefined && random.chance(0.05)) scripts.push(thinkingScript());
  return scripts;
}

/** Merges scripts at random; each keeps its order. */
function interleave(random: Random, scripts: readonly Script[]): Group[] {
  const left = scripts.map((script) => [...script]).filter((script) => script.length > 0);
  const out: Group[] = [];
  while (left.length > 0) {
    const at = random.int(left.length);
    const script = left[at]!;
    // Mostly a few groups of one script at a time, as producers do.
    do out.push(script.shift()!);
    while (script.length > 0 && random.chance(0.5));
    if (script.length === 0) left.splice(at, 1);
  }
  return out;
}

const OUTCOMES: readonly unknown[] = [
  undefined,
  { type: 'success' },
  { type: 'cancelled' },
  { type: 'interrupt', interrupts: [{ id: 'i1', reason: 'approval' }] },
];

/** A legal stream of one to three runs. */
export function cleanStream(random: Random): Event[] {
  const out: Event[] = [];
  const counter = { value: 0 };
  if (random.chance(0.03)) out.push({ type: 'RUN_ERROR', message: 'unreachable' });
  for (let run = 1 + random.int(random.chance(0.4) ? 3 : 1); run > 0; run -= 1) {
    const runId = `r${run}`;
    const groups = interleave(random, scriptsOf({ random, tag: undefined, run, depth: 0, counter }));
    const events = groups.flat();
    out.push({ type: 'RUN_STARTED', threadId: 'th', runId });
    if (random.chance(0.08)) {
      out.push(...events.slice(0, random.int(events.length + 1)), { type: 'RUN_ERROR', message: 'failed' });
      continue;
    }
    const outcome = random.pick(OUTCOMES);
    out.push(...events, { type: 'RUN_FINISHED', threadId: 'th', runId, ...(outcome === undefined ? {} : { outcome }) });
    if (random.chance(0.06)) out.push({ type: 'RUN_ERROR', message: 'late' });
  }
  return out;
}
