import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBridgeMark, writeBridgeMark } from '../src/base/bridgeContract.ts';
import { OpenCalls } from './calls.ts';
import { serverEnvironment } from './environment.ts';
import { Lines } from './lines.ts';
import { messagesIn } from './messagesIn.ts';
import { noticeText, type Notice } from './notices.ts';
import { nameOfCommand } from './servers.ts';

describe('lines of a process', () => {
  const split = (chunks: readonly Buffer[], maxBytes = 1000) => {
    const lines: string[] = [];
    const reader = new Lines({
      maxBytes,
      onLine: (line) => lines.push(line),
      onTooLong: () => lines.push('TOO LONG'),
    });
    for (const chunk of chunks) reader.push(chunk);
    reader.end();
    return lines;
  };

  it('are the same however the bytes are cut, characters of several bytes included', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, ''));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(''));
        const chunks: Buffer[] = [];
        let at = 0;
        for (const cut of cuts) chunks.push(bytes.subarray(at, (at += cut)));
        expect(split([...chunks, bytes.subarray(at)], 1e6)).toEqual(lines);
      }),
    );
  });

  it('end with the last one, without a line feed too, and without a carriage return', () => {
    expect(split([Buffer.from('a\r\nb')])).toEqual(['a', 'b']);
  });

  it('are refused once, when one is too long', () => {
    expect(
      split([Buffer.from('ok\n'), Buffer.alloc(600), Buffer.alloc(600), Buffer.from('\nmore\n')]),
    ).toEqual(['ok', 'TOO LONG']);
  });
});

describe('messages in a text', () => {
  const one = '{"jsonrpc":"2.0","method":"a","odd": 1.0}';

  it('are one as it was written, or those of a batch', () => {
    expect(messagesIn(one).map(({ text }) => text)).toEqual([one]);
    expect(messagesIn(`[${one},1,${one}]`)).toHaveLength(2);
    expect(messagesIn('{\n"jsonrpc":"2.0",\n"id":1,"result":{}}')[0]?.text).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{}}',
    );
  });

  it('have the shape of JSON-RPC', () => {
    for (const text of [
      '',
      'x',
      '1',
      '{}',
      '[]',
      '{"jsonrpc":"1.0","method":"a"}',
      '{"jsonrpc":"2.0","id":1}',
    ]) {
      expect(messagesIn(text)).toEqual([]);
    }
  });
});

describe('a message of the server goes to', () => {
  const calls = new OpenCalls();
  calls.add([{ id: 1, method: 'tools/call', params: { _meta: { progressToken: 't' } } }], 'one');
  calls.add(
    [
      { id: 2, method: 'tools/call' },
      { id: '2', method: 'tools/call' },
    ],
    'batch',
  );
  const progress = (progressToken: unknown) => ({
    method: 'notifications/progress',
    params: { progressToken },
  });

  it('the stream of its call by its progress token', () => {
    expect(calls.streamOf(progress('t'), undefined)).toBe('one');
    expect(calls.streamOf(progress('u'), undefined)).toBeUndefined();
    expect(
      calls.streamOf({ method: 'notifications/message', params: { progressToken: 't' } }, undefined),
    ).toBeUndefined();
  });

  it('the stream that it came on, where that is known', () => {
    expect(calls.streamOf({ method: 'notifications/message' }, '2')).toBe('batch');
    expect(calls.streamOf(progress('u'), 1)).toBe('one');
  });

  it('a stream that ends with the last response of its POST', () => {
    expect(calls.settle(2)).toEqual({ streamId: 'batch', isLast: false });
    expect(calls.settle('2')).toEqual({ streamId: 'batch', isLast: true });
    expect(calls.settle(1)).toEqual({ streamId: 'one', isLast: true });
    expect(calls.settle(1)).toBeUndefined();
    expect(calls.streamOf(progress('t'), undefined)).toBeUndefined();
  });
});

describe('the environment of a server', () => {
  it('has six variables and those that were named, and tells of others that often matter', () => {
    const env = {
      HOME: '/h',
      PATH: '/bin',
      SHELL: '() { :; }',
      TOKEN: 't',
      AWS_SECRET: 's',
      HTTPS_PROXY: 'p',
    };
    expect(serverEnvironment(env, ['TOKEN', 'UNSET'])).toEqual({
      values: { HOME: '/h', PATH: '/bin', TOKEN: 't' },
      always: ['HOME', 'PATH'],
      named: ['TOKEN', 'UNSET'],
      notPassed: ['HTTPS_PROXY'],
    });
  });
});

describe('the name of a command', () => {
  it.each([
    ['npx -y @modelcontextprotocol/server-everything', 'server-everything'],
    ['npx -y some-server@1.2.3 --flag', 'some-server'],
    ['node dist/my.server.js', 'my.server'],
    ['uv run server.py', 'server'],
    ['/usr/local/bin/mcp-thing --stdio', 'mcp-thing'],
    ['npx', 'server'],
  ])('of "%s" is %s', (line, name) => {
    const [command = '', ...args] = line.split(' ');
    expect(nameOfCommand(command, args)).toBe(name);
  });
});

describe('the mark of a bridge', () => {
  it('is read as it was written, and nothing else is', () => {
    const mark = { transport: 'http', replay: 'server' } as const;
    expect(readBridgeMark(writeBridgeMark(mark))).toEqual(mark);
    for (const odd of [null, '', 'stdio', 'stdio; replay=me', 'x; replay=bridge']) {
      expect(readBridgeMark(odd)).toBeUndefined();
    }
  });
});

describe('what the bridge prints', () => {
  const at = new Date(2026, 10, 17, 12, 5, 9);
  const line = (notice: Notice) => noticeText(notice, { server: 'files', session: '9c41-…' }, at);

  it('is a line for each notice, with the output of a process below it', () => {
    expect(line({ name: 'started', pid: 7 })).toBe('12:05:09  files  session 9c41 started, process 7');
    expect(line({ name: 'resumed', events: 14 })).toBe(
      '12:05:09  files  session 9c41 resumed, 14 events replayed',
    );
    expect(
      line({
        name: 'failed',
        pid: 7,
        message: 'The server process exited with code 1.',
        stderr: ['TypeError: x', '\u001b[31m    at y'],
        failedCalls: 2,
      }),
    ).toBe(
      '12:05:09  files  session 9c41: process 7 exited with code 1; 2 calls failed\n' +
        '            TypeError: x\n            \ufffd[31m    at y',
    );
    expect(line({ name: 'rejected', message: 'Not now', versions: [] })).toBe(
      '12:05:09  files  session 9c41: the server rejected initialize: Not now.',
    );
    expect(line({ name: 'rejected', message: 'Unsupported', versions: ['2026-07-28'] })).toContain(
      "Unsupported. A stdio server that supports only 2026-07-28 can't be bridged.",
    );
  });
});
