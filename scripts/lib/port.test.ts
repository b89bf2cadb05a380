import { expect, test } from 'vitest';
import { explainListenError, parsePort } from './port.mjs';

test('takes a port as it is given, and its own if none is', () => {
  expect(parsePort('8080')).toBe(8080);
  expect(parsePort(undefined)).toBe(4778);
  expect(parsePort('')).toBe(4778);
});

test.each(['http', '-1', '65536', '1.5'])('refuses the port %s in words', (text) => {
  expect(() => parsePort(text)).toThrow(`"${text}" isn't a valid port.`);
});

test('a taken port says how to choose another one', () => {
  const error = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });
  const words = explainListenError(error, 4778, 'npm start');
  expect(words).toMatch(/Port 4778 is in use.*PORT=4779.*npm start/);
  expect(words).toContain('Another port is another origin');
});
