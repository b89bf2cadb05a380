import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { PROTOCOL_WORDS } from './protocolWords.ts';
import { Redactor, type TypedSecrets } from './redact.ts';

function redactorOf(secrets: TypedSecrets): Redactor {
  const redactor = new Redactor();
  redactor.protect(secrets);
  return redactor;
}

function redacted(redactor: Redactor, raw: string): unknown {
  const { message, raw: kept } = redactor.message(JSON.parse(raw) as JsonObject, raw);
  expect(JSON.parse(kept), 'what is folded is what is stored').toEqual(message);
  return message;
}

const base64Url = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');
const everyByte = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe('the redactor', () => {
  const redactor = redactorOf({ bearer: 'token-123456', headers: { 'X-Team': 'blue' } });

  it('hides the token and keeps the scheme', () => {
    const headers = new Headers({ authorization: 'Bearer token-123456', accept: 'text/event-stream' });
    expect(redactor.headers(headers)).toEqual({
      authorization: 'Bearer ‹redacted›',
      accept: 'text/event-stream',
    });
  });

  it('hides an authorization without a scheme as a whole', () => {
    const headers = new Headers({ authorization: 'sk-live-123456' });
    expect(redactor.headers(headers)['authorization']).toBe('‹redacted›');
  });

  it('hides headers that a person typed in, and cookies', () => {
    const headers = new Headers({ 'x-team': 'blue', 'set-cookie': 'a=b' });
    expect(redactor.headers(headers)).toEqual({ 'x-team': '‹redacted›', 'set-cookie': '‹redacted›' });
  });

  it('hides a secret that a server repeats in a message', () => {
    expect(redactor.text('{"echo":"token-123456"}')).toBe('{"echo":"‹redacted›"}');
  });

  it('leaves a message without secrets as it came', () => {
    const raw = '{ "a":"100 % of \\"it\\"\\n" }';
    const message = JSON.parse(raw) as JsonObject;
    expect(redactor.message(message, raw)).toEqual({ message, raw });
  });

  it('hides a secret once, also where it is looked for twice', () => {
    const strange = redactorOf({ bearer: 'redacted' });
    expect(strange.text(strange.text('a redacted b'))).toBe('a ‹redacted› b');
  });
});

describe('a secret is hidden in each form that a server can send it back in', () => {
  const SECRET = 's3cr3t/+key "ä" 9%&=x';
  const redactor = redactorOf({ bearer: SECRET });
  const json = JSON.stringify(SECRET).slice(1, -1);
  const utf8 = String.fromCharCode(...new TextEncoder().encode(SECRET));
  const escaped = Array.from(SECRET, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const form = new URLSearchParams({ v: SECRET }).toString().slice(2);
  const forms: Readonly<Record<string, string>> = {
    plain: SECRET,
    'JSON in a string': json,
    'JSON with \\/, as PHP writes it': json.replaceAll('/', '\\/'),
    'JSON with \\u002B, as .NET writes it': json.replaceAll('+', '\\u002B'),
    'JSON with every character escaped': escaped,
    'JSON in a string in a string': JSON.stringify(json).slice(1, -1),
    'percent-encoded': encodeURIComponent(SECRET),
    'percent-encoded, lower case': encodeURIComponent(SECRET).replace(/%../g, (hex) => hex.toLowerCase()),
    'percent-encoded, every byte': everyByte(SECRET),
    'percent-encoded twice': encodeURIComponent(encodeURIComponent(SECRET)),
    'form-encoded, + for a space': form,
    base64: btoa(utf8),
    'base64 without padding': btoa(utf8).replace(/=+$/, ''),
    base64url: base64Url(btoa(utf8)),
    'base64url without padding': base64Url(btoa(utf8)).replace(/=+$/, ''),
    'base64, percent-encoded': encodeURIComponent(btoa(utf8)),
    'base64 of a longer text': btoa(`Bearer ${utf8} and more`),
    'base64url of a longer text, one further': base64Url(btoa(`{Bearer ${utf8} and more`)),
    'base64 of a longer text, two further': btoa(`{"Bearer ${utf8}`),
    hex: everyByte(SECRET).replaceAll('%', ''),
    'hex, upper case': everyByte(SECRET).replaceAll('%', '').toUpperCase(),
    'HTML-escaped': SECRET.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    'HTML-escaped by numbers': SECRET.replace(/\W/g, (char) => `&#${char.charCodeAt(0)};`),
    'HTML-escaped by hexadecimal numbers': SECRET.replace(
      /\W/g,
      (char) => `&#x${char.charCodeAt(0).toString(16)};`,
    ),
    'percent-encoded, then HTML-escaped': encodeURIComponent(SECRET).replaceAll('%', '&#37;'),
  };

  it.each(Object.entries(forms))('%s', (_, shown) => {
    const text = `before ${shown} after`;
    expect(redactor.text(text)).toMatch(/^before [\w+/-]*‹redacted›[\w+/=-]* after$/);
    const raw = JSON.stringify({ jsonrpc: '2.0', result: { text, list: [text], [text]: 1 } });
    const kept = JSON.stringify(redacted(redactor, raw));
    expect(kept).not.toContain(JSON.stringify(shown).slice(1, -1));
    expect(kept.match(/‹redacted›/g)).toHaveLength(3);
    if (!shown.includes('\\u0')) return;
    // The raw text of a message, as the server wrote it.
    expect(JSON.stringify(redacted(redactor, `{"jsonrpc":"2.0","result":{"a":"${shown}"}}`))).toBe(
      '{"jsonrpc":"2.0","result":{"a":"‹redacted›"}}',
    );
  });

  it('base64url, where it differs from base64', () => {
    const secret = '>>>???~~~-ÿÿÿ';
    const encoded = Buffer.from(secret).toString('base64url');
    expect(encoded).toMatch(/-.*_|_.*-/);
    expect(redactorOf({ bearer: secret }).text(`<${encoded}>`)).toBe('<‹redacted›>');
  });

  it('nothing of it is left at the edges of a base64 text', () => {
    const kept = redactor.text(btoa(`user:${utf8}`));
    const [before = '', after = ''] = kept.split('‹redacted›');
    expect('user:'.startsWith(atob(before.slice(0, before.length - (before.length % 4))))).toBe(true);
    expect(after).toBe('');
  });
});

describe('parts of a header are secrets too', () => {
  it.each([
    ['without its scheme word', 'Token sk-live-4242', 'sk-live-4242'],
    ['the password of Basic', `Basic ${btoa('ann:pass-word-1')}`, 'pass-word-1'],
    ['user and password of Basic', `Basic ${btoa('ann:pass-word-1')}`, 'ann:pass-word-1'],
    ['the base64 of Basic', `Basic ${btoa('ann:pass-word-1')}`, btoa('ann:pass-word-1')],
    ['the value of a cookie', 'theme=dark; sid=abc-123-def', 'abc-123-def'],
    ['a parameter of a scheme', 'Digest key="abc-123-def", x=1', 'abc-123-def'],
  ])('%s', (_, value, part) => {
    const redactor = redactorOf({ headers: { 'X-Auth': value } });
    expect(redactor.text(`<${part}>`)).toBe('<‹redacted›>');
    expect(redactor.text('ann has a theme')).toBe('ann has a theme');
  });

  it('client secrets, and keys of the server URL', () => {
    const redactor = redactorOf({ clientSecret: 'client-secret-1' });
    redactor.protectUrl('https://me:pa55-word@mcp.example/mcp?api_key=KEY-IN-URL%2F42&a=bcdefghi');
    expect(redactor.text('client-secret-1 KEY-IN-URL/42 KEY-IN-URL%2f42 pa55-word bcdefghi')).toBe(
      '‹redacted› ‹redacted› ‹redacted› ‹redacted› bcdefghi',
    );
    expect(redactor.url('https://mcp.example/mcp?api_key=KEY-IN-URL%2F42&token=abc')).toBe(
      'https://mcp.example/mcp?api_key=‹redacted›&token=‹redacted›',
    );
  });
});

describe('a session ID', () => {
  const SESSION = '0123456789abcdef';
  const redactor = new Redactor();
  redactor.protectSession(new Headers({ 'mcp-session-id': SESSION }));

  it('shows only the beginning of a session id', () => {
    const headers = new Headers({ 'mcp-session-id': SESSION });
    expect(redactor.headers(headers)['mcp-session-id']).toBe('01234567…');
  });

  it('is hidden in messages, but not in what a server wants back as it was', () => {
    const raw = JSON.stringify({
      jsonrpc: '2.0',
      id: `${SESSION}/1`,
      params: { requestId: `${SESSION}/1`, requestState: SESSION, message: `You are ${SESSION}.` },
    });
    expect(redacted(redactor, raw)).toEqual({
      jsonrpc: '2.0',
      id: `${SESSION}/1`,
      params: { requestId: `${SESSION}/1`, requestState: SESSION, message: 'You are ‹redacted›.' },
    });
  });
});

describe('a message stays JSON, whatever a secret is', () => {
  it('a header that looks like the beginning of a message', () => {
    const redactor = redactorOf({ headers: { 'X-Odd': '{"jsonrpc' } });
    const raw = '{"jsonrpc":"2.0","method":"ping"}';
    expect(redacted(redactor, raw)).toEqual({ jsonrpc: '2.0', method: 'ping' });
  });

  it('words of the protocol are no secrets: the log is folded by them', () => {
    const words = ['jsonrpc', 'progress', 'notifications/progress', 'progressToken', 'params'];
    const redactor = redactorOf({
      headers: Object.fromEntries(words.map((word) => [`x-${word.length}`, word])),
    });
    const message = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 2 },
    };
    expect(redacted(redactor, JSON.stringify(message))).toEqual(message);
  });

  it('two names that are hidden stay two', () => {
    const redactor = redactorOf({ bearer: 'token-123456' });
    const raw = '{"result":{"token-123456":1,"token\\u002d123456 ":2,"token%2D123456":3}}';
    expect(Object.values((redacted(redactor, raw) as { result: object }).result)).toEqual([1, 2, 3]);
  });

  it('a number is hidden too, even one that loses digits', () => {
    const redactor = redactorOf({ headers: { 'x-pin': '12345678901234567890', 'x-id': '987654321' } });
    for (const raw of ['{"a":12345678901234567890}', '{"b":987654321}']) {
      expect(redactor.message(JSON.parse(raw) as JsonObject, raw).raw).not.toMatch(
        /12345678901234567890|987654321/,
      );
    }
  });

  it('a message that is nested too deep is cut', () => {
    const redactor = redactorOf({ bearer: 'token-123456' });
    const raw = `${'{"a":'.repeat(50_000)}"token-123456"${'}'.repeat(50_000)}`;
    const kept = redactor.message(JSON.parse(raw) as JsonObject, raw).raw;
    expect(kept).not.toContain('token-123456');
    expect(JSON.parse(kept)).toBeTypeOf('object');
  });

  it('percent-encoded, beside bytes that are no UTF-8', () => {
    const secret = 'über-geheim';
    const redactor = redactorOf({ bearer: secret });
    const text = `%A0${encodeURIComponent(secret)}%FF`;
    expect(redacted(redactor, JSON.stringify({ text }))).toEqual({ text: '%A0‹redacted›%FF' });
  });

  it.each([
    ['percent-encoded', '%0', '0-ä-ö-ü-ß', encodeURIComponent],
    ['escaped in JSON', '\\', 'n"quoted"', (text: string) => JSON.stringify(text).slice(1, -1)],
  ])('%s, after what looks like the beginning of an escape', (_, before, secret, encode) => {
    const redactor = redactorOf({ bearer: secret });
    const text = `${before}${encode(secret)}`;
    expect(redacted(redactor, JSON.stringify({ text }))).toEqual({ text: `${before}‹redacted›` });
  });

  it('for any secret and any message', () => {
    const secret = fc.oneof(
      fc.string({ minLength: 6, maxLength: 12, unit: 'binary' }),
      fc.constantFrom('{"jsonrpc', '"result', '\\"\\"\\"', '%%%%%%', '":"2.0","', 'redacted'),
    );
    const messages = fc.tuple(
      secret,
      fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
      fc.string(),
      fc.constantFrom<(text: string) => string>(
        (t) => t,
        encodeURIComponent,
        (t) => JSON.stringify(t),
      ),
    );
    fc.assert(
      fc.property(messages, ([value, json, around, encode]) => {
        fc.pre(!/\p{Surrogate}/u.test(value) && !PROTOCOL_WORDS.has(value));
        const redactor = redactorOf({ bearer: value });
        const message = { jsonrpc: '2.0', result: { json, echo: `${around}${encode(value)}${around}` } };
        const kept = redacted(redactor, JSON.stringify(message)) as typeof message;
        expect(kept.result.echo).toContain('‹redacted›');
        const without = kept.result.echo.replaceAll('‹redacted›', '');
        expect(without.includes(value) && !around.includes(value)).toBe(false);
      }),
    );
  });
});
