import { describe, expect, it } from 'vitest';
import type { Command } from '../../wire/worker-to-panel.ts';
import { createLink, type LineEvents } from './link.ts';

const CLEAR: Command = { name: 'clear' };

/** A link over lines that the test connects and cuts; what was sent by each of them. */
function make() {
  const lines: { readonly events: LineEvents; readonly sent: unknown[]; closed: boolean }[] = [];
  const link = createLink('tab:1', (events) => {
    const line = { events, sent: [] as unknown[], closed: false };
    lines.push(line);
    return {
      send: (message) => void line.sent.push(message),
      close: () => {
        line.closed = true;
      },
    };
  });
  return { link, lines };
}

describe('a command', () => {
  it('goes by the line that there is, and gets its answer', async () => {
    const { link, lines } = make();
    lines[0]!.events.onConnect();
    const answer = link.send(CLEAR);
    expect(lines[0]!.sent).toEqual([{ kind: 'command', id: 1, command: CLEAR }]);
    lines[0]!.events.onMessage({ kind: 'done', id: 1, error: null, value: 7 });
    expect(await answer).toBe(7);
  });

  it('waits for the first line', async () => {
    const { link, lines } = make();
    const answer = link.send(CLEAR);
    expect(lines[0]!.sent).toEqual([]);
    lines[0]!.events.onConnect();
    expect(lines[0]!.sent).toHaveLength(1);
    lines[0]!.events.onMessage({ kind: 'done', id: 1, error: null });
    await answer;
  });

  it('given between a cut and the next connection goes by that one, once', async () => {
    const { link, lines } = make();
    const { onConnect, onDisconnect, onMessage } = lines[0]!.events;
    onConnect();
    onDisconnect();
    const answer = link.send(CLEAR);
    expect(lines[0]!.sent).toEqual([]);
    onConnect();
    expect(lines[0]!.sent).toEqual([{ kind: 'command', id: 1, command: CLEAR }]);
    onMessage({ kind: 'done', id: 1, error: null });
    await answer;
    onDisconnect();
    onConnect();
    expect(lines[0]!.sent).toHaveLength(1);
  });

  it('without an answer is refused when the line is cut, and not sent again', async () => {
    const { link, lines } = make();
    lines[0]!.events.onConnect();
    const answer = link.send(CLEAR);
    lines[0]!.events.onDisconnect();
    await expect(answer).rejects.toThrow('cut before it answered');
    lines[0]!.events.onConnect();
    expect(lines[0]!.sent).toHaveLength(1);
  });

  it('that waits is refused when the link is renewed, and never sent', async () => {
    const { link, lines } = make();
    const answer = link.send(CLEAR);
    link.renew();
    await expect(answer).rejects.toThrow('cut before it answered');
    lines[1]!.events.onConnect();
    expect(lines[0]!.closed).toBe(true);
    expect(lines.flatMap(({ sent }) => sent)).toEqual([]);
  });

  it('an older line has nothing to say any more', () => {
    const { link, lines } = make();
    lines[0]!.events.onConnect();
    link.renew();
    void link.send(CLEAR);
    lines[0]!.events.onConnect();
    expect(lines.flatMap(({ sent }) => sent)).toEqual([]);
    lines[1]!.events.onConnect();
    expect(lines[1]!.sent).toHaveLength(1);
  });
});
