/** Which of a thing's icons can be shown: only what came with it, for the page fetches nothing from elsewhere. */
import { isObject, stringField } from '../../base/json.ts';

export type Icon =
  | { readonly name: 'image'; readonly src: string }
  /** There is one, at an address that is not asked. */
  | { readonly name: 'elsewhere'; readonly src: string }
  | { readonly name: 'none' };

const IMAGE = /^data:image\/(png|jpe?g|gif|webp|avif|svg\+xml)[;,]/i;
/** An icon, not a picture. */
const MAX_CHARS = 200_000;

export function chooseIcon(icons: unknown, theme: 'light' | 'dark'): Icon {
  if (!Array.isArray(icons)) return { name: 'none' };
  const given = icons.filter(isObject);
  const forTheme = (icon: object) => Number((stringField(icon, 'theme') ?? theme) === theme);
  const sources = given
    .sort((a, b) => forTheme(b) - forTheme(a))
    .flatMap((icon) => stringField(icon, 'src') ?? []);
  const drawable = sources.find((src) => IMAGE.test(src) && src.length <= MAX_CHARS);
  if (drawable !== undefined) return { name: 'image', src: drawable };
  const [first] = sources;
  return first === undefined ? { name: 'none' } : { name: 'elsewhere', src: first };
}
