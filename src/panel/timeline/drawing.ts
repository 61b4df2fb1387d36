/** When the canvases are drawn: in the next frame, and of a capture that only grows not in every one. */

/** Ms between two drawings of a capture that only grows: a canvas costs more than a row. */
const GROWTH = 50;

export interface Drawing {
  /** In the next frame. */
  readonly soon: () => void;
  /** The capture has grown. */
  readonly grown: () => void;
  readonly stop: () => void;
}

/** `draw` is called in an animation frame with its time; what it asks for itself comes in a frame after it. */
export function createDrawing(draw: (at: number) => void): Drawing {
  let frame = 0;
  let later = 0;
  let drawn = Number.NEGATIVE_INFINITY;
  const soon = () => {
    if (frame !== 0) return;
    frame = requestAnimationFrame((at) => {
      clearTimeout(later);
      frame = later = 0;
      drawn = performance.now();
      draw(at);
    });
  };
  return {
    soon,
    grown: () => {
      if (frame !== 0 || later !== 0) return;
      const wait = GROWTH - (performance.now() - drawn);
      if (wait <= 0) soon();
      else later = setTimeout(soon, wait) as unknown as number;
    },
    stop: () => {
      cancelAnimationFrame(frame);
      clearTimeout(later);
      frame = later = 0;
    },
  };
}
