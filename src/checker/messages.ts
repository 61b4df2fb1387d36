/** Message lists as snapshots, echoes and requests carry them; names in camelCase or snake_case. */
import { type Listed, noteListed } from './history.ts';
import { isRecord, type Work } from './work.ts';

export interface ListedCall {
  readonly id: string;
  readonly name: string | null;
  readonly source: string | undefined;
}

export interface ListedMessage extends Listed {
  readonly owner: string | null;
  readonly calls: readonly ListedCall[];
  /** Call a tool message answers. */
  readonly answers: string | null;
  /** Content of an activity message. */
  readonly content: unknown;
}

function word(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function callsOf(message: Readonly<Record<string, unknown>>): ListedCall[] {
  const sent = message['toolCalls'] ?? message['tool_calls'];
  if (!Array.isArray(sent)) return [];
  return sent.flatMap((call) => {
    if (!isRecord(call) || typeof call['id'] !== 'string') return [];
    const target = isRecord(call['function']) ? call['function'] : {};
    return [{ id: call['id'], name: word(target['name']), source: word(target['arguments']) ?? undefined }];
  });
}

/** The messages of a list that have an id. What is not a list has none. */
export function listMessages(messages: unknown): ListedMessage[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message) => {
    if (!isRecord(message) || typeof message['id'] !== 'string') return [];
    const { content } = message;
    return [
      {
        id: message['id'],
        role: word(message['role']),
        source: content === undefined || content === null ? '' : (word(content) ?? undefined),
        owner: word(message['subagentRunId'] ?? message['subagent_run_id']),
        calls: callsOf(message),
        answers: word(message['toolCallId'] ?? message['tool_call_id']),
        content,
      },
    ];
  });
}

/** Notes what a list tells of messages and calls. */
export function noteMessages(work: Work, messages: readonly ListedMessage[], from: 'snapshot' | 'history'): void {
  for (const message of messages) {
    noteListed(work, message, 'message', from);
    for (const call of message.calls) noteListed(work, { id: call.id, role: call.name, source: call.source }, 'call', from);
  }
}

/**
 * Puts the owners of listed messages on record, as the reference client does: a snapshot overrides, an echo fills gaps. A call has the
 * owner of its message.
 */
export function noteOwners(work: Work, messages: readonly ListedMessage[], from: 'snapshot' | 'history'): void {
  const { owners } = work.run;
  const { at } = work;
  for (const { id, role, owner, calls } of messages) {
    const map = role === 'reasoning' ? owners.reasoning : role === 'activity' ? owners.activity : owners.message;
    if (from === 'snapshot' || !map.has(id)) map.set(id, { owner, at });
    for (const call of calls) if (from === 'snapshot' || !owners.tool.has(call.id)) owners.tool.set(call.id, { owner, at });
  }
}
