import { describe, expect, it } from 'vitest';
import { checkInput } from './check-input.ts';
import { withProgress } from './progress.ts';

const encoder = new TextEncoder();
const started = `data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n`;

async function* pieces(texts: readonly string[], error?: Error) {
  for (const text of texts) yield encoder.encode(text);
  if (error) throw error;
}

describe('checkInput', () => {
  it('keeps what came before the source failed, and says so', async () => {
    const input = await checkInput(pieces([started], new Error('disk gone')), {});
    expect(input).toMatchObject({ kind: 'sse', connections: [{ events: 1 }], problems: ['Reading stopped: disk gone.'] });
  });

  it('looks at a head that comes in pieces, and past it reads on', async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `data: {"type":"CUSTOM","name":"a.b","value":${index}}\n\n`);
    const input = await checkInput(pieces([started.slice(0, 3), started.slice(3), ...many]), {});
    expect(input).toMatchObject({ kind: 'sse', problems: [], connections: [{ events: 3001 }] });
  });

  it('stops reading what is of no kind', async () => {
    let read = 0;
    async function* endless() {
      for (;;) {
        read++;
        yield encoder.encode('x'.repeat(40_000));
      }
    }
    const input = await checkInput(endless(), {});
    expect(input).toMatchObject({ kind: null, connections: [] });
    expect(input.problems).toHaveLength(1);
    expect(read).toBe(2);
  });

  it('lists twenty bad entries and counts the rest', async () => {
    const input = await checkInput(pieces([`{"type":"RUN_STARTED","threadId":"t","runId":"r"}\n`, 'bad\n'.repeat(25)]), {});
    expect(input.problems).toHaveLength(21);
    expect(input.problems[0]).toBe('The entry at byte 50 is not JSON and was left out.');
    expect(input.problems[20]).toBe('5 more entries could not be read.');
    expect(input.connections[0]!.findings.filter(({ rule }) => rule.startsWith('transport-'))).toEqual([]);
  });

  it('a named file of another protocol is a problem, not a clean one', async () => {
    const input = await checkInput(pieces(['data: {"object":"chat.completion.chunk"}\n\n']), {});
    expect(input).toMatchObject({
      connections: [{ foreign: 'OpenAI Chat Completions', findings: [] }],
      problems: ['The stream is not AG-UI but OpenAI Chat Completions: nothing was checked.'],
    });
  });

  it('a named file of unknown objects is judged', async () => {
    const input = await checkInput(pieces(['data: {"a":1}\n\n']), {});
    expect(input.connections[0]!.findings.map(({ rule }) => rule)).toContain('schema-not-an-event');
  });

  it('an empty list of events is an empty stream', async () => {
    const input = await checkInput(pieces(['[]']), {});
    expect(input).toMatchObject({ kind: 'events-json', problems: [] });
    expect(input.connections.flatMap((conn) => conn.findings.map(({ rule }) => rule))).toEqual(['stream-empty']);
  });
});

it('withProgress passes every piece on, tells how far it is and takes its line away', async () => {
  const written: string[] = [];
  const passed: number[] = [];
  for await (const piece of withProgress(pieces(['aaaa', 'bbbb']), 'x.sse', 8, (text) => written.push(text))) passed.push(piece.length);
  expect(passed).toEqual([4, 4]);
  expect(written[0]).toContain('x.sse  50 %');
  expect(written.at(-1)).toBe('\r\u001b[K');
});
