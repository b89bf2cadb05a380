import { describe, expect, it } from 'vitest';
import { Secrets } from './secrets.ts';

const BEARER = 'tok/en+of"the user';
const PASSWORD = 'pass-of-basic';
const KEY = 'key-in-the-query';

const secrets = new Secrets([
  {
    url: `https://mcp.example/mcp?api_key=${KEY}&page=overview`,
    bearer: BEARER,
    headers: {
      'X-Key': 'Token key-of-the-header',
      Authorization: `Basic ${btoa(`user:${PASSWORD}`)}`,
      'X-Short': 'on',
    },
  },
]);

describe('hides what the user gave', () => {
  it.each([
    ['as it is', BEARER],
    ['percent-encoded', encodeURIComponent(BEARER)],
    ['in base64', btoa(BEARER)],
    ['in base64url', Buffer.from(BEARER).toString('base64url')],
    ['in JSON', JSON.stringify({ bearer: BEARER })],
    ['in JSON with escaped slashes', JSON.stringify({ bearer: BEARER }).replaceAll('/', '\\/')],
    ['a header without its scheme', 'key-of-the-header'],
    ['a decoded Basic header', `user:${PASSWORD}`],
    ['a password alone', PASSWORD],
    ['a key of the URL', `GET https://mcp.example/mcp?api_key=${KEY}`],
  ])('%s', (_name, text) => {
    const safe = secrets.text(`before ${text} after`);
    expect(safe).toMatch(/^before .*‹redacted›.* after$/);
    for (const part of [
      'tok/en',
      'the user',
      'key-of-the-header',
      PASSWORD,
      KEY,
      encodeURIComponent('tok/en'),
    ]) {
      expect(safe).not.toContain(part);
    }
  });

  it('and leaves the rest, short values and words of the query included', () => {
    expect(secrets.text('https://mcp.example/mcp?page=overview, X-Short is on')).toBe(
      'https://mcp.example/mcp?page=overview, X-Short is on',
    );
  });

  it('in every text of a report, its names included', () => {
    const report = {
      target: `http://h/?api_key=${KEY}`,
      scenarios: [{ why: `It said ${BEARER}.`, lost: 2 }],
    };
    expect(secrets.value({ ...report, [BEARER]: true })).toEqual({
      target: 'http://h/?api_key=‹redacted›',
      scenarios: [{ why: 'It said ‹redacted›.', lost: 2 }],
      '‹redacted›': true,
    });
  });
});
