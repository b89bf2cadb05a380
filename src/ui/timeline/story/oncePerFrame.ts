/**
 * Draws at once, and in one frame only once: what is asked for within an update is on the screen with that update, and
 * not a frame later, which would cost a second one.
 */
export interface FrameDrawing {
  ask(): void;
  stop(): void;
}

/** @param onError what to do if drawing throws: in a frame there is no caller that could catch it */
export function oncePerFrame(draw: () => void, onError: (error: unknown) => void): FrameDrawing {
  let frame = 0;
  let drawnIn: CSSNumberish | null = null;
  const drawNow = (): void => {
    frame = 0;
    // The same for everything that happens within one frame; it stands still while the page is hidden.
    drawnIn = document.timeline.currentTime;
    try {
      draw();
    } catch (error) {
      onError(error);
    }
  };
  return {
    ask() {
      if (frame !== 0) return;
      if (drawnIn !== document.timeline.currentTime) drawNow();
      else frame = requestAnimationFrame(drawNow);
    },
    stop() {
      cancelAnimationFrame(frame);
      frame = 0;
    },
  };
}
