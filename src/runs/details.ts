/** What a run's closing event reports beside its ending. Fields are read as sent: a wrong type is left out, the checker has judged it. */
import type { AgentEvent } from '../protocol/events.ts';
import type { RunView, UsageEntry } from './types.ts';

/** Entries of one event that are kept: a hostile list must not fill the session. */
const MOST = 100;
const LONGEST = 4_000;

/** error, interrupts, usage and hasResult of a RUN_FINISHED or RUN_ERROR; null for other events. */
export function detailsOf(event: AgentEvent): Partial<Pick<RunView, 'error' | 'interrupts' | 'usage' | 'hasResult'>> | null {
  if (event.type === 'RUN_ERROR') {
    return { error: { message: text(event['message']) ?? '', code: text(event['code']) ?? null }, ...usageOf(event) };
  }
  if (event.type !== 'RUN_FINISHED') return null;
  const outcome = record(event['outcome']);
  return {
    hasResult: event['result'] !== undefined,
    interrupts: outcome?.['type'] === 'interrupt' ? interruptsOf(outcome['interrupts']) : [],
    ...usageOf(event),
  };
}

function usageOf(event: AgentEvent): { usage?: readonly UsageEntry[] } {
  const list = event['usage'];
  return Array.isArray(list) ? { usage: list.slice(0, MOST).flatMap((entry) => usageEntry(record(entry))) } : {};
}

function usageEntry(entry: Readonly<Record<string, unknown>> | null): UsageEntry[] {
  if (!entry) return [];
  return [
    {
      ...put('provider', text(entry['provider'])),
      ...put('model', text(entry['model'])),
      ...put('inputTokens', number(entry['inputTokens'])),
      ...put('outputTokens', number(entry['outputTokens'])),
      ...put('totalTokens', number(entry['totalTokens'])),
    },
  ];
}

function interruptsOf(list: unknown): RunView['interrupts'] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, MOST).flatMap((entry) => {
    const item = record(entry);
    if (!item) return [];
    return [
      {
        id: text(item['id']) ?? '',
        reason: text(item['reason']) ?? '',
        ...put('message', text(item['message'])),
        ...put('toolCallId', text(item['toolCallId'])),
      },
    ];
  });
}

function put<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, LONGEST) : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function record(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}
