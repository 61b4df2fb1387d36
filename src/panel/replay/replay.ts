/**
 * The panel's side of a replay: holds what is armed, answers what the hold scripts of the page ask, and lets the reader step. What is
 * armed ends with this panel, so that no page stays armed with nobody to end it.
 */
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { HoldEvents, HoldFrame, HoldLine } from '../../browser/hold.ts';
import { actsOf, endAct, headOf } from '../../replay/acts.ts';
import { applyPlan } from '../../replay/apply.ts';
import { matchExchange } from '../../replay/exchanges.ts';
import { patternSource } from '../../replay/pattern.ts';
import { NO_PLAN, type Plan } from '../../replay/plan.ts';
import { createTrouble, type Trouble } from '../../replay/trouble.ts';
import type { Act } from '../../replay/types.ts';
import type { FromHold, HoldRule, ToHold } from '../../wire/hold.ts';
import type { PageReplay } from '../../wire/page-to-relay.ts';
import type { Recorded, Setup } from './setup.ts';
import { createStepper, type Stepper } from './stepper.ts';

export interface Replay {
  readonly armed: ReadonlySignal<Setup | null>;
  /** Requests answered since it was armed. */
  readonly given: ReadonlySignal<number>;
  /** What the reader has to know, until it is closed or something is armed. */
  readonly said: Signal<string | null>;
  /** The answer that waits for the reader's steps. */
  readonly stepping: ReadonlySignal<Stepper | null>;
  /** The request that the answer of this name was recorded for, where it was given by this panel. */
  readonly recordedFor: (name: string) => Recorded | undefined;
  /** Rejects with one sentence where the page cannot be armed. */
  readonly arm: (setup: Setup) => Promise<void>;
  readonly disarm: () => void;
}

interface Environment {
  readonly open: (events: HoldEvents) => Promise<HoldLine>;
  /** The origin of the page on show. */
  readonly origin: ReadonlySignal<string | null>;
}

/** What is being given to one request. */
interface Giving {
  readonly mark: PageReplay;
  readonly plan: Plan;
  trouble: Trouble | null;
  stepper: Stepper | null;
}

/** Bytes of a message to the page. */
const MESSAGE = 2 ** 22;
/** Ms that a page may take to answer when it is armed, and a reloaded one to come. */
const ENTRY = 5_000;
const RETURN = 15_000;

const UNHEARD = 'Runlens was not in this page from its start, so nothing can be answered there. Reload the page and arm again.';
const SILENT = 'The page did not answer. Reload it and arm again.';

export function createReplay({ open, origin }: Environment): Replay {
  const armed = signal<Setup | null>(null);
  const given = signal(0);
  const said = signal<string | null>(null);
  const stepping = signal<Stepper | null>(null);
  const frames = new Set<HoldFrame>();
  const givings = new Map<HoldFrame, Map<number, Giving>>();
  const names = new Map<string, Recorded>();
  let served = new Map<number, number>();
  let line: Promise<HoldLine> | null = null;
  let home: string | null = null;
  let waiting: ((failure: string | null) => void) | null = null;
  let timer = 0;
  /** Number of the last rules told to the page. */
  let told = 0;
  let confirmed: (() => void) | null = null;

  const hasPage = () => [...frames].some(({ frame }) => frame === 0);
  const rulesNow = (): ToHold => {
    const setup = armed.peek();
    const rules: HoldRule[] = setup ? [{ method: setup.method, pattern: patternSource(setup.pattern) }] : [];
    return { kind: 'rules', id: told, rules, keep: setup?.keep === true };
  };
  const tellRules = () => {
    told += 1;
    for (const frame of frames) frame.send(rulesNow());
  };
  const end = (why: string | null, left = false) => {
    clearTimeout(timer);
    const setup = armed.peek();
    if (setup === null) return;
    // a page that went elsewhere has left its rules where it was: the scripts stay registered to take them away if the tab comes back
    const isOut = setup.keep && (left || !hasPage());
    armed.value = null;
    said.value = why;
    tellRules();
    void line?.then((it) => {
      it.badge(false);
      return isOut ? undefined : it.keep(null);
    });
  };

  const forget = (frame: HoldFrame, id: number) => {
    const giving = givings.get(frame)?.get(id);
    givings.get(frame)?.delete(id);
    if (giving?.stepper && stepping.peek() === giving.stepper) stepping.value = null;
  };
  const events: HoldEvents = {
    onFrame: (frame) => {
      frames.add(frame);
      givings.set(frame, new Map());
      frame.send(rulesNow());
      if (frame.frame !== 0) return;
      clearTimeout(timer);
      waiting?.(null);
      if (frame.kept && !armed.peek()) void line?.then((it) => it.keep(null));
    },
    onDeaf: (frame) => {
      if (frame === 0) waiting?.(UNHEARD);
    },
    onMessage: (frame, message) => take(frame, message),
    onGone: (frame) => {
      frames.delete(frame);
      for (const id of [...(givings.get(frame)?.keys() ?? [])]) forget(frame, id);
      givings.delete(frame);
      const setup = armed.peek();
      // its successor may have come before it went
      if (frame.frame !== 0 || !setup || hasPage()) return;
      if (!setup.keep) end('The page was loaded anew or left: nothing is armed any more.');
      else timer = setTimeout(() => end('The page that was armed did not come back: nothing is armed any more.'), RETURN) as unknown as number;
    },
  };
  origin.subscribe((now) => {
    if (armed.peek() && now !== null && now !== home) end('The page went to another origin: nothing is armed any more.', true);
  });

  const send = (frame: HoldFrame, id: number, acts: readonly Act[], mark: PageReplay) => {
    let batch: Act[] = [];
    let size = 0;
    const post = () => frame.send({ kind: 'acts', id, acts: batch, mark });
    for (const act of acts) {
      if (size > MESSAGE) {
        post();
        batch = [];
        size = 0;
      }
      // a stream takes the buffer of what it is given, so none may be shared
      batch.push(act.kind === 'bytes' ? { ...act, bytes: act.bytes.slice() } : act);
      if (act.kind === 'bytes') size += act.bytes.length;
    }
    post();
  };

  const choose = (setup: Setup, { method, url, body }: Extract<FromHold, { kind: 'ask' }>): Recorded | undefined => {
    const pool = setup.once ? setup.answers.filter(({ exchange }) => !served.has(exchange.no)) : setup.answers;
    const { pathname, search } = new URL(url);
    const fit = matchExchange(
      pool.map(({ exchange }) => exchange),
      served,
      { method, path: pathname + search, body },
    );
    // the reader's pattern says that it fits, also where neither method nor path do
    return pool.find(({ exchange }) => exchange === fit) ?? pool[0];
  };

  const answer = (frame: HoldFrame, ask: Extract<FromHold, { kind: 'ask' }>, setup: Setup) => {
    const plan = setup.plan ?? NO_PLAN;
    const text = setup.plan && setup.plan.changes.length > 0 ? JSON.stringify(setup.plan) : '';
    const recorded = setup.answers.length > 0 ? choose(setup, ask) : undefined;
    if (setup.answers.length > 0 && !recorded) {
      frame.send({ kind: 'pass', id: ask.id });
      return;
    }
    given.value += 1;
    const giving: Giving = { mark: { of: recorded?.name ?? '', plan: text }, plan, trouble: null, stepper: null };
    givings.get(frame)?.set(ask.id, giving);
    if (!recorded) {
      frame.send({ kind: 'through', id: ask.id });
      if (setup.once) end('The next answer was changed; nothing is armed any more.');
      return;
    }
    const { exchange } = recorded;
    served.set(exchange.no, (served.get(exchange.no) ?? 0) + 1);
    names.set(recorded.name, recorded);
    const altered = applyPlan(exchange, plan);
    const give = (acts: readonly Act[]) => send(frame, ask.id, acts, giving.mark);
    if (setup.pace === 'step' && altered.answered) {
      const stepper = createStepper(altered, ask, (acts) => give(acts));
      giving.stepper = stepper;
      stepping.value ??= stepper;
      give([headOf(altered, 0)]);
      if (stepper.steps.length === 0) give([endAct(altered, 0)]);
    } else give(actsOf(altered, setup.pace === 'at once' || setup.pace === 'step' ? Number.POSITIVE_INFINITY : setup.pace));
    if (setup.once && setup.answers.every(({ exchange: { no } }) => served.has(no))) end('The last answer is on its way; nothing is armed any more.');
  };

  const change = (frame: HoldFrame, message: Extract<FromHold, { kind: 'head' | 'bytes' | 'end' }>) => {
    const giving = givings.get(frame)?.get(message.id);
    if (!giving) return;
    const { id, time } = message;
    giving.trouble ??= createTrouble(giving.plan, message.kind === 'head' ? message.contentType : '');
    const { trouble } = giving;
    let acts: Act[];
    if (message.kind === 'head') {
      const { status, statusText, contentType } = message;
      acts = trouble.head({ after: time, status, statusText, contentType });
    } else acts = message.kind === 'bytes' ? trouble.take(message.bytes, time) : trouble.end(message.how, time);
    send(frame, id, acts, giving.mark);
    if (message.kind !== 'end' && !trouble.isOver()) frame.send({ kind: 'more', id });
  };

  const take = (frame: HoldFrame, message: FromHold) => {
    const setup = armed.peek();
    if (message.kind === 'ask') {
      if (setup) answer(frame, message, setup);
      else frame.send({ kind: 'pass', id: message.id });
    } else if (message.kind === 'holding') {
      if (frame.frame === 0 && message.id === told) confirmed?.();
    } else if (message.kind === 'late') {
      said.value = `A request to ${message.url} waited five seconds for its answer and then went to the network.`;
    } else if (message.kind === 'over') forget(frame, message.id);
    else change(frame, message);
  };

  /** Tells the page what to hold and waits until it does: who was told that it is armed may send the request at once. */
  const hold = async () => {
    const isHolding = await new Promise<boolean>((resolve) => {
      confirmed = () => resolve(true);
      setTimeout(() => resolve(false), ENTRY);
      tellRules();
    });
    confirmed = null;
    if (isHolding || armed.peek() === null) return;
    end(null);
    throw new Error(SILENT);
  };

  const enter = async () => {
    const it = await line!;
    const answered = new Promise<string | null>((resolve) => {
      waiting = resolve;
      setTimeout(() => resolve(SILENT), ENTRY);
    });
    await it.enter();
    const failure = await answered;
    waiting = null;
    if (failure !== null) throw new Error(failure);
  };

  return {
    armed,
    given,
    said,
    stepping,
    recordedFor: (name) => names.get(name),
    arm: async (setup) => {
      if (origin.peek() === null) throw new Error('This tab shows no page that requests could be answered in.');
      line ??= open(events);
      const it = await line;
      if (!hasPage()) await enter();
      home = origin.peek();
      served = new Map();
      given.value = 0;
      said.value = null;
      armed.value = setup;
      await it.keep(setup.keep ? home : null);
      if (armed.peek() === setup) await hold();
      // what has ended meanwhile has said so
      if (armed.peek() === setup) it.badge(true);
    },
    disarm: () => end(null),
  };
}
