import { expect, test } from 'vitest';
import { isNodeTooOld } from './requireNode.mjs';

test.each(['12.22.0', '18.20.4', '20.0.0', '20.18.3'])('refuses Node %s', (version) => {
  expect(isNodeTooOld(version)).toBe(true);
});

test.each(['20.19.0', '20.20.2', '21.0.0', '22.12.0', '100.0.0', '24.0.0-nightly'])(
  'accepts Node %s',
  (version) => {
    expect(isNodeTooOld(version)).toBe(false);
  },
);
