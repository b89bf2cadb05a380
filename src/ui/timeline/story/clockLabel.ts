/** Clock times of a ruler: in full where the minute is new, else only the part that changes. */

const two = (n: number): string => String(n).padStart(2, '0');

export function clockLabel(time: number, before: number | undefined, stepMs: number): string {
  const at = new Date(time);
  const fraction = stepMs > 0 && stepMs < 1000 ? `.${String(at.getMilliseconds()).padStart(3, '0')}` : '';
  const short = fraction.replace(/0+$/, '').replace(/\.$/, '');
  const isSameMinute = before !== undefined && Math.floor(before / 60_000) === Math.floor(time / 60_000);
  if (isSameMinute) return `:${two(at.getSeconds())}${short}`;
  const minutes = `${two(at.getHours())}:${two(at.getMinutes())}`;
  return stepMs >= 60_000 ? minutes : `${minutes}:${two(at.getSeconds())}${short}`;
}

/** "14:02:31", as the list says when something began. */
export function clockTime(time: number): string {
  const at = new Date(time);
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** "14:02:31.007", where milliseconds matter. */
export function preciseClock(time: number): string {
  return `${clockTime(time)}.${String(new Date(time).getMilliseconds()).padStart(3, '0')}`;
}
