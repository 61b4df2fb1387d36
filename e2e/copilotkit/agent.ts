/** An agent that answers by heart: the last message of the conversation chooses what it tells. No model, no network. */
import { AbstractAgent, type BaseEvent, EventType, type RunAgentInput } from '@ag-ui/client';
import { Observable } from 'rxjs';

type Told = Record<string, unknown> & { readonly type: EventType };

/** Waits of all agents: a run that came to `hold` goes on when its thread is released. */
export interface Stage {
  readonly held: Map<string, () => void>;
}

const HOLD = 'hold';

function* text(id: string, words: readonly string[]): Generator<Told> {
  yield { type: EventType.TEXT_MESSAGE_START, messageId: id, role: 'assistant' };
  for (const delta of words) yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId: id, delta };
  yield { type: EventType.TEXT_MESSAGE_END, messageId: id };
}

function* call(id: string, name: string, args: object): Generator<Told> {
  yield { type: EventType.TOOL_CALL_START, toolCallId: id, toolCallName: name };
  for (const delta of JSON.stringify(args).match(/.{1,6}/g) ?? []) yield { type: EventType.TOOL_CALL_ARGS, toolCallId: id, delta };
  yield { type: EventType.TOOL_CALL_END, toolCallId: id };
}

/** A whole turn: a step, state, reasoning, a tool of the agent's own, an answer. */
function* hello(run: string): Generator<Told> {
  yield { type: EventType.STEP_STARTED, stepName: 'answer' };
  yield { type: EventType.STATE_SNAPSHOT, snapshot: { mood: 'calm', turns: 0 } };
  yield { type: EventType.REASONING_START, messageId: `think-${run}` };
  yield { type: EventType.REASONING_MESSAGE_START, messageId: `think-${run}`, role: 'reasoning' };
  yield { type: EventType.REASONING_MESSAGE_CONTENT, messageId: `think-${run}`, delta: 'A greeting.' };
  yield { type: EventType.REASONING_MESSAGE_END, messageId: `think-${run}` };
  yield { type: EventType.REASONING_END, messageId: `think-${run}` };
  yield* call(`weather-${run}`, 'weather', { town: 'Zürich', days: 3 });
  yield { type: EventType.TOOL_CALL_RESULT, messageId: `weather-result-${run}`, toolCallId: `weather-${run}`, content: '{"sky":"clear"}', role: 'tool' };
  yield { type: EventType.STATE_DELTA, delta: [{ op: 'replace', path: '/turns', value: 1 }] };
  yield* text(`answer-${run}`, ['Hello', ', the sky', ' over Zürich', ' is clear. ', '🌤']);
  yield { type: EventType.STEP_FINISHED, stepName: 'answer' };
}

function* long(run: string): Generator<Told | typeof HOLD> {
  yield { type: EventType.STEP_STARTED, stepName: 'tell' };
  yield { type: EventType.TEXT_MESSAGE_START, messageId: `tale-${run}`, role: 'assistant' };
  yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId: `tale-${run}`, delta: 'It was a long' };
  yield HOLD;
  yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId: `tale-${run}`, delta: ' night.' };
  yield { type: EventType.TEXT_MESSAGE_END, messageId: `tale-${run}` };
  yield { type: EventType.STEP_FINISHED, stepName: 'tell' };
}

function tale(input: RunAgentInput): Iterable<Told | typeof HOLD> {
  const last = input.messages.at(-1);
  if (last?.role === 'tool') return text(`done-${input.runId}`, ['Done', `: ${String(last.content)}.`]);
  const asked = typeof last?.content === 'string' ? last.content : '';
  if (asked.includes('paint')) return call(`paint-${input.runId}`, 'paint', { colour: 'rebeccapurple' });
  if (asked.includes('long')) return long(input.runId);
  if (asked.includes('fail')) return [{ type: EventType.RUN_ERROR, message: 'The model is out.', code: 'model-out' }];
  return hello(input.runId);
}

export class ScriptedAgent extends AbstractAgent {
  readonly #stage: Stage;
  #stop: (() => void) | null = null;

  constructor(stage: Stage) {
    super({});
    this.#stage = stage;
  }

  override clone(): ScriptedAgent {
    return new ScriptedAgent(this.#stage);
  }

  override abortRun(): void {
    this.#stop?.();
  }

  run(input: RunAgentInput): Observable<BaseEvent> {
    const { threadId, runId } = input;
    return new Observable<BaseEvent>((out) => {
      let stopped = false;
      const send = (event: Told) => out.next(event as unknown as BaseEvent);
      this.#stop = () => {
        stopped = true;
        this.#stage.held.get(threadId)?.();
      };
      const tell = async () => {
        send({ type: EventType.RUN_STARTED, threadId, runId });
        let failed = false;
        for (const told of tale(input)) {
          if (told === HOLD) {
            await new Promise<void>((go) => this.#stage.held.set(threadId, go));
            this.#stage.held.delete(threadId);
          } else {
            // one event a turn of the loop, as a model would give them
            await new Promise((go) => setImmediate(go));
            send(told);
            failed ||= told.type === EventType.RUN_ERROR;
          }
          if (stopped) break;
        }
        if (!stopped && !failed) send({ type: EventType.RUN_FINISHED, threadId, runId });
        out.complete();
      };
      void tell();
    });
  }
}
