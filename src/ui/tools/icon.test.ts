import { expect, test } from 'vitest';
import { chooseIcon } from './icon.ts';

const png = { src: 'data:image/png;base64,AAAA' };
const dark = { src: 'data:image/svg+xml,<svg/>', theme: 'dark' };

test.each([
  ['nothing', undefined, { name: 'none' }],
  ['a word', 'icon.png', { name: 'none' }],
  ['an image that came along', [png], { name: 'image', src: png.src }],
  ['one for the other theme, and one for all', [dark, png], { name: 'image', src: png.src }],
  ['only one for the other theme', [dark], { name: 'image', src: dark.src }],
  ['an address', [{ src: 'https://a/i.png' }], { name: 'elsewhere', src: 'https://a/i.png' }],
  ['a script', [{ src: 'javascript:alert(1)' }], { name: 'elsewhere', src: 'javascript:alert(1)' }],
  ['a page', [{ src: 'data:text/html,x' }, png], { name: 'image', src: png.src }],
])('%s', (_what, icons, icon) => {
  expect(chooseIcon(icons, 'light')).toEqual(icon);
});
