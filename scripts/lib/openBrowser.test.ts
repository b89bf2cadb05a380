import { expect, test } from 'vitest';
import { openCommand } from './openBrowser.mjs';

const url = 'http://localhost:4778/';

test.each([
  ['darwin', {}, 'open'],
  ['win32', {}, 'cmd'],
  ['linux', { DISPLAY: ':0' }, 'xdg-open'],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
])('opens the browser on %s with %o', (platform, env, command) => {
  expect(openCommand(url, { platform, env })?.command).toBe(command);
});

test.each([
  ['linux', {}],
  ['linux', { DISPLAY: ':0', CI: 'true' }],
  ['darwin', { CI: '1' }],
  ['darwin', { BROWSER: 'none' }],
  ['darwin', { SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }],
])('leaves it closed on %s with %o', (platform, env) => {
  expect(openCommand(url, { platform, env })).toBeUndefined();
});
