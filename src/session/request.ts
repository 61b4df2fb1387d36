/** What the captured request says about the run it asked for. */
import type { RequestBody } from '../capture/types.ts';

/** The parsed JSON of a text body; undefined where there is none, or it was cut or is no JSON. */
export function parseBody(body: RequestBody | null): unknown {
  if (body?.kind !== 'text' || body.text === undefined || body.cut) return undefined;
  try {
    return JSON.parse(body.text);
  } catch {
    return undefined;
  }
}

/** The runId of a RunAgentInput, also snake_case or in a single-endpoint envelope's `body`; null if there is none. */
export function runIdOf(parsed: unknown): string | null {
  return ownRunId(parsed) ?? ownRunId(field(parsed, 'body')) ?? null;
}

function ownRunId(value: unknown): string | undefined {
  const id = field(value, 'runId') ?? field(value, 'run_id');
  return typeof id === 'string' ? id : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** The body as views show it: without its text. */
export function withoutText(body: RequestBody): RequestBody {
  const { text, ...rest } = body;
  return text === undefined || rest.size !== undefined ? rest : { ...rest, size: utf8Length(text) };
}

function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7ff) bytes += unit >= 0xd800 && unit < 0xe000 ? 1 : 2;
    else if (unit > 0x7f) bytes++;
  }
  return bytes;
}
