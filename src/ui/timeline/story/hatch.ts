/** The shading of a time without a page. */
export function hatch(
  context: CanvasRenderingContext2D,
  left: number,
  right: number,
  top: number,
  height: number,
  colour: string,
): void {
  context.save();
  context.beginPath();
  context.rect(left, top, right - left, height);
  context.clip();
  context.strokeStyle = colour;
  context.globalAlpha = 0.55;
  context.lineWidth = 1;
  context.beginPath();
  // Lines that hang together with the picture, not with its edge: shading must not crawl while panning.
  for (let x = left - (left % 7) - height; x < right; x += 7) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
}
