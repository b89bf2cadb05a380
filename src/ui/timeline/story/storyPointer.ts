/** The pointer over the lanes: it selects, moves, zooms, limits the time, unfolds, and asks what is under it. */
import type { Attachment } from 'svelte/attachments';
import type { ExchangeRow } from '../../../timeline/story/exchangeRows.ts';
import type { TimeRange } from '../../../timeline/timeScale.ts';
import type { TimelineView } from '../../../state/timelineView.svelte.ts';
import { entryUnder } from './storyHit.ts';
import { rowAt, type StoryScene } from './storyScene.ts';
import type { Tip } from './tip.ts';

interface Door {
  readonly scene: () => StoryScene | undefined;
  readonly unfold: (fold: TimeRange) => void;
  readonly view: () => TimelineView;
  readonly onpick: (row: ExchangeRow) => void;
  /** A click on the clock. */
  readonly onmoment: (time: number) => void;
  readonly ontip: (tip: Tip | undefined) => void;
  readonly redraw: () => void;
}

const CLICK_PX = 4;
const WHEEL_ZOOM = 1.0015;

export function storyPointer({ scene: sceneNow, unfold, view, onpick, onmoment, ontip, redraw }: Door) {
  function down(event: PointerEvent & { currentTarget: HTMLElement }): void {
    const scene = sceneNow();
    if (!scene || event.button !== 0) return;
    const { currentTarget: target, offsetX, offsetY, shiftKey } = event;
    const { scale } = scene;
    const brushes = shiftKey || offsetY < scene.headHeight;
    const edge = target.getBoundingClientRect().left;
    let hasMoved = false;
    ontip(undefined);
    target.setPointerCapture(event.pointerId);
    const onmove = ({ clientX }: PointerEvent): void => {
      const x = clientX - edge;
      hasMoved ||= Math.abs(x - offsetX) > CLICK_PX;
      if (!hasMoved) return;
      const [from, to] = [scale.time(Math.min(x, offsetX)), scale.time(Math.max(x, offsetX))];
      if (brushes) view().change({ range: { from, to }, story: { from: scale.from, to: scale.to } });
      else view().change({ story: scale.pan(offsetX - x) });
    };
    target.addEventListener('pointermove', onmove);
    target.addEventListener(
      'lostpointercapture',
      () => {
        target.removeEventListener('pointermove', onmove);
        if (!hasMoved) click(offsetX, offsetY);
      },
      { once: true },
    );
  }

  function click(x: number, y: number): void {
    const scene = sceneNow();
    if (!scene) return;
    const fold = scene.scale.folds.at(scene.scale.time(x));
    if (fold) {
      unfold(fold);
      redraw();
      return;
    }
    if (y < scene.headHeight) onmoment(scene.scale.time(x));
    const row = scene.rows[rowAt(scene, y)];
    if (!row) return;
    onpick(row);
    const seq = entryUnder(scene, x, y);
    if (seq !== undefined) view().change({ selected: seq });
  }

  function move({ offsetX, offsetY, buttons }: PointerEvent): void {
    const scene = sceneNow();
    if (!scene || buttons !== 0) return;
    const row = scene.rows[rowAt(scene, offsetY)];
    ontip({
      x: offsetX,
      y: offsetY,
      time: scene.scale.time(offsetX),
      fold: scene.scale.folds.at(scene.scale.time(offsetX)),
      row,
      seq: row && entryUnder(scene, offsetX, offsetY),
    });
  }

  const wheel: Attachment<HTMLElement> = (element) => {
    const listener = (event: WheelEvent): void => {
      const scene = sceneNow();
      const { deltaX, deltaY, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (!scene || altKey) return;
      const pans = shiftKey || Math.abs(deltaX) > Math.abs(deltaY);
      // Without a key the list scrolls.
      if (!pans && !ctrlKey && !metaKey) return;
      event.preventDefault();
      if (pans) view().change({ story: scene.scale.pan(deltaX || deltaY) });
      else {
        const x = event.clientX - element.getBoundingClientRect().left;
        view().change({ story: scene.scale.zoom(WHEEL_ZOOM ** -deltaY, x) });
      }
    };
    element.addEventListener('wheel', listener, { passive: false });
    return () => element.removeEventListener('wheel', listener);
  };

  return {
    down,
    move,
    leave: () => ontip(undefined),
    doubleClick: () => view().change({ range: undefined, story: undefined }),
    wheel,
  };
}
