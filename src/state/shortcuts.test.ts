import { expect, test, vi } from 'vitest';
import { Shortcuts, type Pressed } from './shortcuts.ts';

const press = (key: string, more: Partial<Pressed> = {}): Pressed => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isTaken: false,
  at: 0,
  ...more,
});

function withOne(keys: string, isMac = false) {
  const shortcuts = new Shortcuts(isMac);
  const run = vi.fn();
  const undo = shortcuts.add({ title: 'Do it', group: 'Test', keys, run });
  return { shortcuts, run, undo };
}

test('mod is Ctrl, and ⌘ on a Mac', () => {
  const elsewhere = withOne('mod+k');
  expect(elsewhere.shortcuts.press(press('k', { metaKey: true }))).toBe(false);
  expect(elsewhere.shortcuts.press(press('k', { ctrlKey: true }))).toBe(true);
  const mac = withOne('mod+k', true);
  expect(mac.shortcuts.press(press('k', { ctrlKey: true }))).toBe(false);
  expect(mac.shortcuts.press(press('k', { metaKey: true }))).toBe(true);
  expect(elsewhere.run).toHaveBeenCalledTimes(1);
  expect(mac.run).toHaveBeenCalledTimes(1);
});

test('a sign is the same with and without Shift', () => {
  const { shortcuts, run } = withOne('?');
  shortcuts.press(press('?', { shiftKey: true }));
  expect(run).toHaveBeenCalledOnce();
});

test('letters are left to whoever types, and to whoever switched them off', () => {
  const { shortcuts, run } = withOne('f');
  expect(shortcuts.press(press('f', { isTaken: true }))).toBe(false);
  shortcuts.singleKeys = false;
  expect(shortcuts.press(press('f'))).toBe(false);
  expect(run).not.toHaveBeenCalled();
});

test('keys of a presenter’s remote work with single letters switched off', () => {
  const { shortcuts, run } = withOne('pagedown');
  shortcuts.singleKeys = false;
  expect(shortcuts.press(press('PageDown'))).toBe(true);
  expect(run).toHaveBeenCalledOnce();
});

test('two keys, one after the other, and not too late', () => {
  const { shortcuts, run } = withOne('g t');
  expect(shortcuts.press(press('g'))).toBe(true);
  expect(shortcuts.press(press('t', { at: 5000 }))).toBe(false);
  shortcuts.press(press('g', { at: 6000 }));
  expect(shortcuts.press(press('t', { at: 6500 }))).toBe(true);
  expect(run).toHaveBeenCalledOnce();
});

test('the newest wins where it applies, and is gone when it is undone', () => {
  const { shortcuts, run } = withOne('f');
  const newer = vi.fn();
  let applies = true;
  const undo = shortcuts.add({
    title: 'Newer',
    group: 'Test',
    keys: 'f',
    run: newer,
    applies: () => applies,
  });
  shortcuts.press(press('f'));
  applies = false;
  shortcuts.press(press('f'));
  undo();
  shortcuts.press(press('f'));
  expect([newer.mock.calls.length, run.mock.calls.length]).toEqual([1, 2]);
});

test('says keys as they stand on the keyboard', () => {
  expect(new Shortcuts(false).words('mod+shift+k')).toBe('Ctrl+Shift+K');
  expect(new Shortcuts(false).words('shift+arrowleft')).toBe('Shift+←');
  expect(new Shortcuts(true).words('mod+k')).toBe('⌘K');
  expect(new Shortcuts(false).words('g t')).toBe('G then T');
});
