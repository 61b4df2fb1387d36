/** The timeline of the panel: overview, ruler and plot, each a canvas, with a DOM twin for the keyboard and for screen readers. */
import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { clock, type Density, duration, GUTTER, GUTTER_NARROW, RULER, type Target, type TimelineModel } from '../../timeline/index.ts';
import type { Selection } from '../state/selection.ts';
import { type Command, listenForCommands } from './commands.ts';
import { type Elements, NARROW, overviewHeight, targetOf } from './core.ts';
import { createEngine, type Engine } from './engine.ts';
import { plotGestures, rulerGestures, wheelGestures } from './gestures.ts';
import { overviewKey, panelKey } from './keys.ts';
import { overviewGestures } from './overview-gestures.ts';
import { Tip } from './tip.tsx';
import { Twin } from './twin.tsx';
import './timeline.css';

export { timelineCommands } from './commands.ts';

export interface TimelineViewProps {
  readonly model: Signal<TimelineModel>;
  /** Rises when anything in the model changed. */
  readonly version: Signal<number>;
  readonly selection: Signal<Selection>;
  readonly onSelect: (target: Target) => void;
  readonly theme: Signal<'light' | 'dark'>;
  readonly density: Density;
  /** Kinds switched off: their lanes fade, their spans stay. */
  readonly filterKinds: Signal<ReadonlySet<string>>;
  readonly follow: Signal<boolean>;
  readonly moment: Signal<number | null>;
}

function run(engine: Engine, command: Command): void {
  const { inputs, layout } = engine;
  const window = engine.window();
  if (command.name === 'fit') engine.fit();
  else if (command.name === 'zoom') engine.zoom(command.factor);
  else if (command.name === 'show') engine.show(command, true);
  else if (command.name === 'pan') engine.pan(command.share * (window.width - window.gutter), true);
  else if (!engine.zoomToMeasured()) {
    const target = targetOf(inputs.selection.peek(), inputs.model.peek(), layout.peek());
    if (target) engine.zoomTo(target);
  }
}

function connect(engine: Engine, elements: Elements): () => void {
  const twin = () => elements.root.querySelector<HTMLElement>('.tl-twin[role=tree]')?.focus({ preventScroll: true });
  const key = (event: KeyboardEvent) => panelKey(engine, event);
  document.addEventListener('keydown', key);
  const stops = [
    () => document.removeEventListener('keydown', key),
    engine.attach(elements),
    plotGestures(engine, elements.scroller, twin),
    wheelGestures(engine, elements.scroller, true),
    rulerGestures(engine, elements.ruler),
    wheelGestures(engine, elements.ruler, false),
    overviewGestures(engine, elements.overview),
    wheelGestures(engine, elements.overview, false),
    listenForCommands((command) => run(engine, command)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** As tall as all threads, so that the scroller has its length; the canvas stays where it is while this moves. */
function Stage({ engine, children }: { readonly engine: Engine; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="tl-stage" aria-hidden="true" data-full={engine.layout.value.full} style={{ height: `${engine.layout.value.height}px` }}>
      {children}
    </div>
  );
}

/** The strip is a slider to the keyboard: its value is where the window stands. */
function Overview({ engine, canvas }: { readonly engine: Engine; readonly canvas: { current: HTMLCanvasElement | null } }): JSX.Element {
  const { origin } = engine.layout.value;
  const height = overviewHeight(engine.inputs.density, engine.width.value);
  const { from, to } = engine.shown.value;
  const idle = engine.foldedIdle({ from, to });
  return (
    <canvas
      ref={canvas}
      class="tl-overview"
      style={{ height: `${height}px` }}
      role="slider"
      tabIndex={0}
      aria-label="Visible window of the capture"
      aria-valuenow={Math.round(from - origin)}
      aria-valuetext={`${clock(from - origin)} to ${clock(to - origin)}${idle >= 1 ? `, ${duration(idle)} of idle time folded` : ''}`}
      onKeyDown={(event) => overviewKey(engine, event)}
    />
  );
}

/** Stands at the right end of the gutter, in the corner of the ruler. */
function IdleButton({ engine }: { readonly engine: Engine }): JSX.Element {
  const folded = engine.idle.folded.value;
  const left = (engine.width.value < NARROW ? GUTTER_NARROW : GUTTER) - 24;
  return (
    <button
      type="button"
      class="tl-idle"
      style={{ left: `${left}px` }}
      aria-pressed={folded}
      aria-label="Fold idle time"
      title={folded ? 'Idle time between runs is folded: click to show it (F)' : 'Fold idle time between runs (F)'}
      onClick={engine.idle.toggle}
    >
      <svg viewBox="0 0 16 12" width="16" height="12" aria-hidden="true">
        <path d="M.8 6h2.6M12.6 6h2.6M4.6 1.2 6.4 4 4.6 8l1.8 2.8M9.6 1.2 11.4 4 9.6 8l1.8 2.8" />
      </svg>
    </button>
  );
}

/**
 * Draws the model and lets the reader move in it. It takes the height it is given; threads scroll inside.
 * The view redraws when `version` or one of the other signals changes, in one animation frame, and not otherwise.
 */
export function TimelineView(props: TimelineViewProps): JSX.Element {
  const { density } = props;
  // signals are stable; another density is another engine
  const engine = useMemo(() => createEngine(props), [density, props.model]);
  const root = useRef<HTMLElement>(null);
  const [overview, ruler, plot] = [useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null), useRef<HTMLCanvasElement>(null)];
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!root.current || !overview.current || !ruler.current || !plot.current || !scroller.current) return;
    return connect(engine, { root: root.current, overview: overview.current, ruler: ruler.current, plot: plot.current, scroller: scroller.current });
  }, [engine, overview, ruler, plot]);
  return (
    <section ref={root} class="tl" aria-label="Timeline">
      <Overview engine={engine} canvas={overview} />
      <div class="tl-axis" style={{ width: `${engine.width.value}px` }}>
        <div aria-hidden="true">
          <canvas ref={ruler} class="tl-ruler" style={{ height: `${RULER}px` }} />
        </div>
        <IdleButton engine={engine} />
      </div>
      <div ref={scroller} class="tl-scroller">
        <Twin engine={engine} />
        <Stage engine={engine}>
          <canvas ref={plot} class="tl-plot" />
        </Stage>
      </div>
      <Tip engine={engine} scroller={() => scroller.current} />
    </section>
  );
}
