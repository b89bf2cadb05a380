/** As much of a text as there is room for. Measuring is slow, and the same words are drawn in every frame. */
import { visible } from '../../../base/visible.ts';

const KEPT = 500;
const widths = new Map<string, number>();

export function fitText(
  context: Pick<CanvasRenderingContext2D, 'font' | 'measureText'>,
  said: string,
  room: number,
): string {
  const text = visible(said);
  let shown = text;
  for (let width = widthOf(context, shown); width > room && shown.length > 1;) {
    // A first guess by the average letter is mostly right.
    const letters = Math.min(shown.length - 2, Math.floor((shown.length * room) / width) - 1);
    shown = `${text.slice(0, Math.max(0, letters))}…`;
    width = widthOf(context, shown);
  }
  return shown;
}

function widthOf(context: Pick<CanvasRenderingContext2D, 'font' | 'measureText'>, text: string): number {
  const key = `${context.font} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (widths.size >= KEPT) widths.clear();
  const { width } = context.measureText(text);
  widths.set(key, width);
  return width;
}
