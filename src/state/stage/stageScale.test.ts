import { expect, test } from 'vitest';
import { stageFont } from './stageScale.ts';

test.each([
  [1280, 720, 18.7],
  [1920, 1080, 28],
  [2560, 1440, 37.3],
  [3840, 2160, 56],
])('%i × %i has a base of %f px', (width, height, px) => {
  expect(stageFont(width, height)).toBe(px);
});

test('a 4:3 projector is limited by its width, and a phone stays readable', () => {
  expect(stageFont(1024, 768)).toBeLessThan(stageFont(1366, 768));
  expect(stageFont(390, 844)).toBe(15);
});
