import { describe, expect, test } from 'vitest';
import { chooseChromium, reasonIn, type Attempt, type Found } from './chooseChromium.mjs';

const nothing: Found = { asked: undefined, playwright: undefined, installed: undefined, canApt: false };
const failed = (by: Attempt['by']): Attempt => ({ by, failure: 'no network' });

const choose = (found: Partial<Found>, attempts: Attempt[] = [], mayInstall = true) =>
  chooseChromium({ ...nothing, ...found }, attempts, { mayInstall });

describe('the order', () => {
  test("takes Playwright's own before an installed one", () => {
    expect(choose({ playwright: '/pw/chrome', installed: '/usr/bin/chromium' })).toMatchObject({
      kind: 'use',
      path: '/pw/chrome',
    });
  });

  test('takes an installed one before installing any', () => {
    expect(choose({ installed: '/usr/bin/chromium', canApt: true })).toMatchObject({
      kind: 'use',
      path: '/usr/bin/chromium',
    });
  });

  test('lets Playwright install before apt-get', () => {
    expect(choose({ canApt: true })).toEqual({ kind: 'install', by: 'playwright' });
  });

  test('asks apt-get on Debian as root when Playwright could not', () => {
    expect(choose({ canApt: true }, [failed('playwright')])).toEqual({ kind: 'install', by: 'apt' });
  });

  test('asks apt-get when what Playwright installed does not run', () => {
    expect(choose({ canApt: true }, [{ by: 'playwright', failure: undefined }])).toEqual({
      kind: 'install',
      by: 'apt',
    });
  });

  test('takes what an install has brought', () => {
    expect(choose({ playwright: '/pw/chrome' }, [{ by: 'playwright', failure: undefined }])).toMatchObject({
      kind: 'use',
      path: '/pw/chrome',
    });
  });
});

describe('says', () => {
  test('which one it took', () => {
    expect(choose({ playwright: '/pw/chrome' })).toMatchObject({ says: '/pw/chrome (Playwright)' });
    expect(choose({ installed: '/c' })).toMatchObject({ says: '/c (system)' });
  });

  test('what was tried and what to do, when none can be had', () => {
    const choice = choose({ canApt: true }, [failed('playwright'), failed('apt')]);
    expect(choice.kind).toBe('none');
    expect(choice).toMatchObject({
      says: expect.stringContaining('`apt-get install chromium`: no network.'),
    });
    expect(choice).toMatchObject({ says: expect.stringContaining('REPRISE_CHROMIUM=/path/to/chrome') });
  });

  test('nothing of apt-get where it may not be used', () => {
    const choice = choose({}, [failed('playwright')]);
    expect(choice.kind).toBe('none');
    expect(choice).not.toMatchObject({ says: expect.stringContaining('apt-get') });
  });
});

test('installs nothing unless it may', () => {
  expect(choose({ canApt: true }, [], false).kind).toBe('none');
});

describe('REPRISE_CHROMIUM', () => {
  test('goes before every other one', () => {
    const asked = { path: '/mine', runs: true };
    expect(choose({ asked, playwright: '/pw/chrome' })).toMatchObject({ kind: 'use', path: '/mine' });
  });

  test('is not passed over in silence when it does not run', () => {
    const asked = { path: '/mine', runs: false };
    expect(choose({ asked, playwright: '/pw/chrome' })).toMatchObject({
      kind: 'none',
      says: expect.stringContaining("/mine (REPRISE_CHROMIUM) doesn't run"),
    });
  });
});

describe('the reason in what an installer says', () => {
  test.each([
    ['Downloading\nError: getaddrinfo ENOTFOUND\n    at onlookup\n}', 'Error: getaddrinfo ENOTFOUND'],
    [
      'Reading package lists...\nE: Unable to locate package chromium\n',
      'E: Unable to locate package chromium',
    ],
    ['Stopped: it was not done after 300 s.\n', 'Stopped: it was not done after 300 s.'],
  ])('%j', (output, reason) => {
    expect(reasonIn(output)).toBe(reason);
  });
});
