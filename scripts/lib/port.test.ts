import { expect, test } from 'vitest';
import { explainListenError, parsePort } from './port.mjs';

test('takes a port as it is given, and its own if none is', () => {
  expect(parsePort('8080', 4173)).toBe(8080);
  expect(parsePort(undefined, 4173)).toBe(4173);
  expect(parsePort('', 4173)).toBe(4173);
});

test.each(['http', '-1', '65536', '1.5'])('refuses the port %s in words', (text) => {
  expect(() => parsePort(text, 4173)).toThrow(`this is "${text}"`);
});

test('a taken port says how to choose another one', () => {
  const error = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE' });
  expect(explainListenError(error, 4173, 'npm start')).toMatch(/Port 4173 is taken.*PORT=4174.*npm start/);
});
