// Whatever a server or an imported log says, copied text does what Reprise wrote and nothing else.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { copyAs, type RecordedRequest } from './copyAs.ts';

/** Prints the arguments that it is called with, each with a NUL at its end. */
const CURL = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }`;

const nasty = fc.constantFrom(
  "'",
  '"',
  '`touch /tmp/x`',
  '$(touch /tmp/x)',
  '; touch /tmp/x #',
  '\n',
  '\r\n',
  '\\',
  '*/',
  '//',
  '${x}',
  '\u2028',
  '\u2029',
  '-o',
  '@/etc/passwd',
  '‹redacted›',
  '__proto__',
  '\0',
);
const text = fc
  .array(fc.oneof({ weight: 2, arbitrary: nasty }, fc.string({ unit: 'grapheme', maxLength: 5 })), {
    maxLength: 4,
  })
  .map((parts) => parts.join(''));
const SDK_METHODS = [
  'tools/call',
  'ping',
  'resources/read',
  'prompts/get',
  'logging/setLevel',
  'constructor',
];
const method = fc.oneof(text, fc.constantFrom('POST', 'GET', 'DELETE'));
const url = fc.oneof(
  text,
  text.map((rest) => `http://localhost/${rest}`),
);
const headers = fc.dictionary(fc.oneof(text, fc.constantFrom('accept', 'authorization')), text);
const body = fc.option(
  fc
    .record({
      jsonrpc: fc.constant('2.0'),
      method: fc.oneof(text, fc.constantFrom(...SDK_METHODS)),
      params: fc.dictionary(fc.oneof(text, fc.constantFrom('name', 'arguments', 'uri', 'level')), text),
    })
    .map((message) => JSON.stringify(message)),
  { nil: undefined },
);
const request = fc.record<RecordedRequest>({ method, url, headers, body });
const withoutNul = (part: string): string => part.replaceAll('\0', '');

describe('as curl, run by /bin/sh', () => {
  test('every part arrives as it was recorded, and nothing else is run', () => {
    fc.assert(
      fc.property(request, (one) => {
        const script = `${CURL}\n${copyAs('curl', one)}\necho the end`;
        const printed = execFileSync('/bin/sh', ['-c', script], { env: {} }).toString();
        const [end, ...parts] = printed.split('\0').reverse();
        expect(end).toBe('the end\n');
        const given = parts.reverse().filter((part, n) => n !== 1 || part !== '-g');
        const sent = [...given.keys()].filter((i) => given[i] === '-H').map((i) => given[i + 1]);
        const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
        expect(sent).toEqual(
          Object.entries(one.headers)
            .filter(([name]) => token.test(name))
            .map(([name, value]) => withoutNul(`${name}: ${value}`)),
        );
        expect(given.slice(0, 3)).toEqual(['-N', '-X', withoutNul(one.method)]);
        expect(given[3]).toMatch(/^https?:\/\//i);
        expect(withoutNul(one.url)).toBe(
          given[3]?.endsWith(withoutNul(one.url)) ? withoutNul(one.url) : given[3],
        );
        expect(given.length).toBe(4 + 2 * sent.length + (one.body === undefined ? 0 : 2));
        if (one.body !== undefined) expect(given.slice(-2)).toEqual(['--data-raw', one.body]);
      }),
      { numRuns: 150 },
    );
  });

  test('a method of an imported log is not a command', () => {
    const one = { method: 'GET; echo pwned;', url: 'http://localhost/', headers: {}, body: undefined };
    const printed = execFileSync('/bin/sh', ['-c', `${CURL}\n${copyAs('curl', one)}`]).toString();
    expect(printed.split('\0')).toContain('GET; echo pwned;');
  });
});

describe('as code, read by TypeScript', () => {
  const parsed = (code: string): ts.SourceFile & { parseDiagnostics?: readonly unknown[] } =>
    ts.createSourceFile('copied.ts', code, ts.ScriptTarget.Latest, true);
  const kindsOf = (code: string): readonly string[] =>
    parsed(code).statements.map(({ kind }) => ts.SyntaxKind[kind] ?? '');

  test('SDK code has the statements that Reprise wrote, whatever the request says', () => {
    fc.assert(
      fc.property(request, (one) => {
        const code = copyAs('sdk', one);
        expect(parsed(code).parseDiagnostics).toEqual([]);
        const [imports, ...rest] = kindsOf(code);
        expect(imports).toBe('ImportDeclaration');
        expect(rest.filter((kind) => kind === 'FirstStatement').length).toBeLessThanOrEqual(3);
        expect(rest.filter((kind) => kind === 'ExpressionStatement')).toHaveLength(2);
        expect(new Set(rest)).toEqual(new Set(['FirstStatement', 'ExpressionStatement']));
      }),
    );
  });

  test('fetch code is one statement', () => {
    fc.assert(
      fc.property(request, (one) => {
        const code = copyAs('fetch', one);
        expect(parsed(code).parseDiagnostics).toEqual([]);
        expect(kindsOf(code)).toEqual(['FirstStatement']);
      }),
    );
  });

  test('a method with a line break stays inside its comment', () => {
    for (const end of ['\n', '\r', '\u2028', '\u2029']) {
      const message = JSON.stringify({ jsonrpc: '2.0', method: `x${end}process.exit(1)` });
      const code = copyAs('sdk', { method: 'POST', url: 'http://localhost/', headers: {}, body: message });
      expect(kindsOf(code).filter((kind) => kind === 'ExpressionStatement')).toHaveLength(2);
    }
  });

  test('a member named __proto__ is sent as a member', async () => {
    const raw =
      '{"jsonrpc":"2.0","method":"x","params":{"__proto__":{"a":1},"\\"__proto__":"\\n\\"__proto__\\":"}}';
    const code = copyAs('fetch', { method: 'POST', url: 'http://localhost/', headers: {}, body: raw });
    const sent: string[] = [];
    const AsyncFunction = (async () => undefined).constructor as new (
      ...args: string[]
    ) => (fetch: (url: string, init: { body: string }) => Promise<void>) => Promise<void>;
    await new AsyncFunction('fetch', code)(async (_, init) => {
      sent.push(init.body);
    });
    expect(sent).toEqual([raw]);
  });
});
