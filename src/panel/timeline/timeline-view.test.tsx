// @vitest-environment happy-dom
/** Over 300 lines: one stage of stubbed frames and sizes serves every test here. */
import { signal } from '@preact/signals';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FULL, type Target } from '../../timeline/index.ts';
import { buildModel, EPOCH } from '../../timeline/scenes/build.ts';
import { NOW, TRAVEL } from '../../timeline/scenes/travel.ts';
import type { Selection } from '../state/selection.ts';
import { TimelineView, timelineCommands } from './timeline-view.tsx';

/** Frames run when the test says so. */
let frames: ((at: number) => void)[] = [];
const runFrames = () =>
  act(() => {
    for (let i = 0; i < 20 && frames.length > 0; i++) {
      const due = frames;
      frames = [];
      for (const frame of due) frame(performance.now() + 1000 * (i + 1));
    }
  });

beforeEach(() => {
  localStorage.clear();
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: (at: number) => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', () => {});
});

afterEach(() => {
  cleanup();
  // effects that wait for a frame would run when the document is gone
  for (const frame of frames.splice(0)) frame(performance.now());
  vi.unstubAllGlobals();
});

async function open(stories = TRAVEL) {
  const selection = signal<Selection>({ kind: 'none' });
  const chosen: Target[] = [];
  const follow = signal(false);
  const version = signal(1);
  render(
    <TimelineView
      model={signal(buildModel(stories, NOW))}
      version={version}
      selection={selection}
      onSelect={(target) => {
        chosen.push(target);
        if (target.kind === 'run' || target.kind === 'span' || target.kind === 'finding') selection.value = target;
      }}
      theme={signal<'light' | 'dark'>('light')}
      density={FULL}
      filterKinds={signal<ReadonlySet<string>>(new Set())}
      follow={follow}
      moment={signal<number | null>(null)}
    />,
  );
  await act(async () => {});
  await runFrames();
  return { selection, chosen, follow, version };
}

const tree = () => screen.getByRole('tree');
const current = () => document.getElementById(tree().getAttribute('aria-activedescendant') ?? '')?.textContent ?? '';
const press = async (key: string, more = {}) => {
  await act(() => {
    fireEvent.keyDown(tree(), { key, ...more });
  });
  await runFrames();
};
const shown = () => screen.getByRole('slider').getAttribute('aria-valuetext');

describe('the timeline by keyboard', () => {
  it('walks by time and lane, selects with Enter, and says what it is on', async () => {
    const { chosen } = await open();
    await act(() => tree().focus());
    await press('0');
    expect(current()).toContain('Run ');
    for (let i = 0; i < 20 && !current().includes('run_01'); i++) await press('PageUp');
    await press('ArrowDown');
    expect(current()).toMatch(/^Step plan, 4\.10 s/);
    await press('ArrowRight');
    expect(current()).toMatch(/^Step write/);
    await press('Enter');
    expect(chosen).toHaveLength(1);
    expect(screen.getByRole('treeitem', { selected: true }).textContent).toMatch(/^Step write/);
  });

  it('goes by finding and brings it into sight', async () => {
    const { chosen } = await open();
    await act(() => tree().focus());
    await press('n');
    await press('n');
    await press('n');
    expect(chosen.map((target) => target.kind)).toEqual(['finding', 'finding', 'finding']);
    expect(current()).toContain('step-already-open');
    expect(current()).toContain('Step “search” was started while it was already open.');
  });

  it('folds and opens as trees do, the thread after the run, and remembers it', async () => {
    await open();
    await act(() => tree().focus());
    for (let i = 0; i < 20 && !current().includes('run_01'); i++) await press('PageUp');
    const expanded = () => document.getElementById(tree().getAttribute('aria-activedescendant')!)!.getAttribute('aria-expanded');
    const within = () => screen.queryAllByRole('treeitem').filter((item) => item.id.startsWith('tl-span-')).length;
    expect([expanded(), within() > 0]).toEqual(['true', true]);
    await press('ArrowLeft');
    expect([expanded(), within()]).toEqual(['false', 0]);
    expect(current()).toContain('run_01');
    cleanup();
    await open();
    await act(() => tree().focus());
    for (let i = 0; i < 20 && !current().includes('run_01'); i++) await press('PageUp');
    expect(expanded()).toBe('false');
    const folds = () => (JSON.parse(localStorage.getItem('runlens.timeline.folds') ?? '[]') as [string, boolean][]).filter(([, on]) => on).map(([key]) => key);
    await press('ArrowLeft');
    expect(folds()).toContain('t_lisbon');
    await press('ArrowRight');
    expect(folds()).not.toContain('t_lisbon');
    expect(expanded()).toBe('false');
    await press('ArrowRight');
    expect([expanded(), folds()]).toEqual(['true', []]);
  });

  it('does not fold at the end of a row while the arrow is held', async () => {
    await open();
    await act(() => tree().focus());
    await press('ArrowLeft', { repeat: true });
    expect(localStorage.getItem('runlens.timeline.folds')).toBeNull();
  });

  it('zooms by z to what was selected last, wherever that was', async () => {
    const { selection } = await open();
    await act(() => tree().focus());
    await press('ArrowRight');
    await act(() => {
      selection.value = { kind: 'run', id: 0 };
    });
    await runFrames();
    await press('z');
    expect(shown()).toBe('0:49 to 1:07');
  });

  it('keeps the keyboard where it was when what was selected has no place of its own', async () => {
    const { selection } = await open();
    await act(() => tree().focus());
    const before = current();
    expect(before).not.toBe('');
    await act(() => {
      selection.value = { kind: 'row', row: 123_456 };
    });
    await runFrames();
    expect(current()).toBe(before);
  });

  it('does not hand its keys on to the panel', async () => {
    await open();
    const heard = vi.fn();
    window.addEventListener('keydown', heard);
    await press('n');
    await press('w');
    expect(heard).not.toHaveBeenCalled();
    await press('?');
    expect(heard).toHaveBeenCalledTimes(1);
    window.removeEventListener('keydown', heard);
  });

  it('lists the neighbourhood of the focus, not the whole capture', async () => {
    const stories = Array.from({ length: 300 }, (_, i) => ({ id: `r${i}`, thread: 't', a: i, b: i + 0.5, status: 'succeeded' as const }));
    await open(stories);
    const items = screen.getAllByRole('treeitem');
    expect(items.length).toBeLessThan(60);
    expect(items[0]!.getAttribute('aria-setsize')).toBe('300');
  });
});

describe('the window', () => {
  it('opens on the last minute of a live capture', async () => {
    await open();
    expect(shown()).toBe('0:42 to 1:42');
  });

  it('obeys commands, wherever they come from', async () => {
    await open();
    await act(() => timelineCommands.show(EPOCH + 50_000, EPOCH + 70_000));
    await runFrames();
    expect(shown()).toBe('0:50 to 1:10');
    await act(() => timelineCommands.pan(0.5));
    await runFrames();
    expect(shown()).toBe('1:00 to 1:20');
    await act(() => timelineCommands.fit());
    await runFrames();
    expect(shown()).toBe('−0:02 to 1:42');
  });

  it('zooms to the selection', async () => {
    const { selection } = await open();
    await act(() => {
      selection.value = { kind: 'run', id: 0 };
    });
    await act(() => timelineCommands.zoomToSelection());
    await runFrames();
    expect(shown()).toBe('0:49 to 1:07');
  });

  it('moves only as far as a selection from elsewhere needs', async () => {
    const { selection } = await open();
    await act(() => timelineCommands.show(EPOCH + 50_000, EPOCH + 70_000));
    await runFrames();
    await act(() => {
      selection.value = { kind: 'run', id: 0 };
    });
    await runFrames();
    expect(shown()).toBe('0:50 to 1:10');
    await act(() => {
      selection.value = { kind: 'run', id: 2 };
    });
    await runFrames();
    expect(shown()).toBe('1:15 to 1:35');
  });

  it('stops following when the reader pans', async () => {
    const { follow } = await open();
    await act(() => {
      follow.value = true;
    });
    await runFrames();
    await act(() => timelineCommands.pan(-0.2));
    expect(follow.value).toBe(false);
  });

  it('draws nothing when nothing changed', async () => {
    const { version } = await open();
    expect(frames.length).toBe(0);
    await act(() => {
      version.value++;
    });
    await vi.waitFor(() => expect(frames.length).toBeGreaterThan(0));
  });

  it('is a slider to the keyboard', async () => {
    await open();
    await act(() => timelineCommands.show(EPOCH + 50_000, EPOCH + 70_000));
    await runFrames();
    await act(() => {
      fireEvent.keyDown(screen.getByRole('slider'), { key: 'ArrowRight' });
    });
    await runFrames();
    expect(shown()).toBe('0:54 to 1:14');
  });
});

describe('idle time', () => {
  it('folds by its button and by F, tells how much, and is remembered', async () => {
    await open();
    await act(() => timelineCommands.fit());
    await runFrames();
    const button = screen.getByRole('button', { name: 'Fold idle time' });
    expect(button.getAttribute('aria-pressed')).toBe('false');
    await act(() => button.click());
    await runFrames();
    expect(button.getAttribute('aria-pressed')).toBe('true');
    expect(shown()).toMatch(/of idle time folded$/);
    expect(localStorage.getItem('runlens.timeline.idle')).toBe('folded');
    cleanup();
    await open();
    expect(screen.getByRole('button', { name: 'Fold idle time' }).getAttribute('aria-pressed')).toBe('true');
    await press('f');
    expect(screen.getByRole('button', { name: 'Fold idle time' }).getAttribute('aria-pressed')).toBe('false');
    expect(shown()).not.toContain('folded');
  });
});

describe('measuring', () => {
  // happy-dom lays nothing out
  beforeEach(() => {
    Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, value: 800 });
  });
  afterEach(() => {
    Reflect.deleteProperty(HTMLElement.prototype, 'clientWidth');
  });
  const drag = async (from: number, to: number, more: { shiftKey?: boolean } = {}) => {
    const scroller = document.querySelector<HTMLElement>('.tl-scroller')!;
    scroller.setPointerCapture = () => {};
    await act(() => {
      fireEvent.pointerDown(scroller, { button: 0, clientX: from, clientY: 30, ...more });
      fireEvent.pointerMove(scroller, { clientX: to, clientY: 30, ...more });
      fireEvent.pointerUp(scroller, { clientX: to, clientY: 30, ...more });
    });
    await runFrames();
  };

  it('moves nothing while Shift is held, and z then shows what was measured', async () => {
    await open();
    await act(() => timelineCommands.show(EPOCH + 50_000, EPOCH + 70_000));
    await runFrames();
    // 664 px of plot for 20 s
    await drag(136, 136 + 332, { shiftKey: true });
    expect(shown()).toBe('0:50 to 1:10');
    await act(() => timelineCommands.zoomToSelection());
    await runFrames();
    expect(shown()).toBe('0:50 to 1:00');
  });

  it('pans without Shift', async () => {
    await open();
    await act(() => timelineCommands.show(EPOCH + 50_000, EPOCH + 70_000));
    await runFrames();
    await drag(136 + 332, 136);
    expect(shown()).toBe('1:00 to 1:20');
  });
});

describe('an empty capture', () => {
  it('says so and has no tree', async () => {
    await open([]);
    expect(screen.queryByRole('tree')).toBeNull();
    expect(screen.getByRole('note').getAttribute('aria-label')).toContain('nothing captured');
  });
});
