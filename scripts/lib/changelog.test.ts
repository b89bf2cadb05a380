import { expect, test } from 'vitest';
import { isNewer, notesOf, releaseChangelog } from './changelog.mjs';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 - 2026-01-01\n\n- First.\n';

test('rejects an empty changelog', () => {
  expect(() => releaseChangelog('## Unreleased\n\n## 0.1.0\n\n- x\n', '0.2.0', '2026-01-02')).toThrow(
    'nothing under "Unreleased"',
  );
  expect(() => notesOf(CHANGELOG, '0.3.0')).toThrow('has no section "0.3.0"');
  expect(notesOf(CHANGELOG, '0.1.0')).toBe('- First.');
});

test('compares versions by number', () => {
  expect(isNewer('0.10.0', '0.9.9')).toBe(true);
  expect(isNewer('1.0.0', '0.9.9')).toBe(true);
  expect(isNewer('0.9.9', '0.10.0')).toBe(false);
  expect(isNewer('0.1.0', '0.1.0')).toBe(false);
});
