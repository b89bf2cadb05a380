import { expect, test } from 'vitest';
import { keptWords, readBridge, readStatus } from './bridgeStatus.ts';

const status = {
  command: 'node server.js',
  session: {
    process: { name: 'running', pid: 7 },
    kept: { events: 1000, bytes: 2_500_000, maxEvents: 250_000, maxBytes: 5_000_000 },
    stderr: [{ number: 1, at: 5, line: 'Listening' }],
    skipped: [{ line: 'hello', count: 3 }],
  },
};

test('the state of a process is told, with how it ended', () => {
  const withProcess = (process: object) => readStatus({ ...status, session: { process } }).process;
  expect(readStatus(status).process).toBe('running, process 7');
  expect(withProcess({ name: 'exited', pid: 7, exitCode: 1, signal: null })).toBe(
    'process 7 exited with code 1',
  );
  expect(withProcess({ name: 'exited', pid: 7, exitCode: null, signal: 'SIGKILL' })).toBe(
    'process 7 was ended by SIGKILL',
  );
  expect(readStatus({ command: 'c' }).process).toBe('no session');
});

test('what a session uses of its limits is told', () => {
  expect(keptWords(status.session.kept)).toContain('1,000 events, 2.5 MB');
  expect(keptWords(status.session.kept)).toContain('50%');
});

test('the bridge is asked with the session and the last line that is known', async () => {
  const asked: [string, RequestInit | undefined][] = [];
  const shown = await readBridge(
    { url: 'http://localhost:1/mcp?token=t', sessionId: 's1' },
    4,
    (url, init) => {
      asked.push([url as string, init]);
      return Promise.resolve(Response.json(status));
    },
  );
  expect(asked).toEqual([
    [
      'http://localhost:1/mcp/bridge?token=t&after=4',
      expect.objectContaining({ headers: { 'mcp-session-id': 's1' } }),
    ],
  ]);
  expect(shown).toMatchObject({
    stderr: [{ number: 1, at: 5, line: 'Listening' }],
    skipped: [{ line: 'hello', count: 3 }],
  });
});

test('a bridge that refuses is an error, in words', async () => {
  const refuse = () => Promise.resolve(new Response(null, { status: 403 }));
  await expect(
    readBridge({ url: 'http://localhost:1/mcp', sessionId: undefined }, 0, refuse),
  ).rejects.toThrow('HTTP 403');
});
