/** `mcp-reprise` as a person runs it: exit codes, sentences, reports, and nothing left behind. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test as base } from '@playwright/test';
import { freePort } from '../../scripts/lib/freePort.mjs';
import { allowingOnly } from '../tables/profiles/regressions.ts';
import type { Report } from '../../harness/report/facts.ts';
import { SCENARIOS } from '../../harness/scenarios/index.ts';
import { startTarget } from '../../targets/startTarget.ts';
import { ENCODINGS, missedCanaries, searchSecrets } from './secretSearch.ts';

const CLI = ['--import', 'tsx', 'harness/cli.ts'];
const SLOW = ['--tool', 'countdown', '--args', '{"ticks":60,"intervalMs":100}'];

interface Run {
  readonly child: ChildProcess;
  readonly out: () => string;
  /** Resolves when the output has this text. */
  readonly says: (text: string) => Promise<void>;
  readonly ended: Promise<number | null>;
}

const test = base.extend<{
  /** For the environment of what is run. */
  env: Record<string, string>;
  folder: string;
  run: (...args: string[]) => Run;
}>({
  env: [{}, { option: true }],
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of what is needed from here
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'reprise-cli-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  },
  run: async ({ folder, env }, use) => {
    await use((...args) => {
      // The profile of the browser is below TMPDIR, and so its processes can be told from all others.
      const child = spawn(process.execPath, [...CLI, ...args], {
        env: { ...process.env, ...env, TMPDIR: folder },
      });
      let out = '';
      const hear = (chunk: Buffer): void => {
        out += chunk.toString();
        child.emit('heard');
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      const says = async (text: string): Promise<void> => {
        while (!out.includes(text)) await once(child, 'heard');
      };
      const ended = once(child, 'close').then(([code]) => code as number | null);
      return { child, out: () => out, says, ended };
    });
    expect(browsersUnder(folder), 'browsers that were left behind').toEqual([]);
  },
});

function browsersUnder(folder: string): string[] {
  if (!existsSync('/proc/self/cmdline')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return command.includes(`${folder}/`) ? [command.slice(0, 80)] : [];
      } catch {
        return [];
      }
    });
}

test('0: nothing failed, and standard output is the JSON alone', { tag: '@long' }, async ({ run }) => {
  const target = await startTarget('resumable');
  const { child, ended } = run(
    'verify',
    target.url,
    '--json',
    '--scenario',
    'cors',
    '--scenario',
    'reload-mid-call',
  );
  let json = '';
  child.stdout?.on('data', (chunk: Buffer) => (json += chunk.toString()));
  expect(await ended).toBe(0);
  expect(JSON.parse(json)).toMatchObject({
    target: target.url,
    server: { name: 'reprise-target-resumable', version: expect.any(String) },
    protocolVersion: '2025-11-25',
    outcome: 'A',
    schemaVersion: 1,
    grade: 'reload-safe (3 of 28 scenarios)',
    scenarios: [
      { name: 'cors', verdict: 'pass' },
      { name: 'control', verdict: 'pass' },
      {
        name: 'reload-mid-call',
        verdict: 'pass',
        why: expect.any(String),
        control: 25,
        received: 25,
        replayed: expect.any(Number),
        duplicates: 0,
        lost: 0,
        outOfOrder: 0,
        blindWindowMs: expect.any(Number),
        reconnectMs: expect.any(Number),
        resultDelivered: true,
      },
    ],
  });
  await target.close();
});

test(
  '--html: each scenario has its log, in the viewer of the app',
  { tag: '@long' },
  async ({ run, folder, page }) => {
    const target = await startTarget('resumable');
    const report = join(folder, 'report');
    const { ended } = run('verify', target.url, '--scenario', 'reload-mid-call', '--html', report);
    expect(await ended).toBe(0);
    await target.close();
    await page.goto(pathToFileURL(join(report, 'index.html')).href);
    await page.getByText('reload-mid-call').first().click();
    const logs = await page
      .locator('a', { hasText: 'Open the log' })
      .evaluateAll((links: HTMLAnchorElement[]) => links.map(({ href }) => href));
    expect(logs.map((href) => href.split('/').at(-1))).toEqual(
      expect.arrayContaining(['s1-control.html', 's1-reload-mid-call.html']),
    );
    await page.goto(logs.find((href) => href.endsWith('reload-mid-call.html')) ?? '');
    await page
      .getByRole('listbox', { name: 'Calls' })
      .getByRole('option', { name: /countdown/ })
      .click();
    await expect(page.getByRole('region', { name: 'Result' })).toContainText('Reload survived');
  },
);

test('1: something failed, with the exchange and what to change', { tag: '@long' }, async ({ run }) => {
  const target = await startTarget('no-cors');
  const { ended, out } = run('verify', target.url, '--scenario', 'cors');
  expect(await ended).toBe(1);
  expect(out()).toContain('✗ cors');
  expect(out()).toContain('[MUST, Fetch: CORS protocol]');
  expect(out()).toContain('> OPTIONS /mcp');
  expect(out()).toContain('Fix: Add to every response: ');
  await target.close();
});

test('2: wrong usage, told before anything starts', async ({ run }) => {
  const { ended, out } = run('verify', 'localhost', '--scenario', 'cors');
  expect(await ended).toBe(2);
  expect(out().trim()).toBe('"localhost" isn\'t a server URL. Use a URL like http://localhost:3000/mcp');
});

test('3: nobody answers, or not without a token', { tag: '@long' }, async ({ run }) => {
  const dead = run('verify', 'http://127.0.0.1:9/mcp');
  expect(await dead.ended).toBe(3);
  expect(dead.out()).toContain('No response from 127.0.0.1:9');
  const target = await startTarget('oauth');
  const shut = run('verify', target.url);
  expect(await shut.ended).toBe(3);
  expect(shut.out()).toContain(
    'The server requires authorization (HTTP 401). Pass a token with --bearer env:NAME',
  );
  await target.close();
});

test('3: a server that is down has its place in the reports', { tag: '@long' }, async ({ run, folder }) => {
  const { ended } = run('verify', 'http://127.0.0.1:9/mcp', '--html', join(folder, 'parts'));
  expect(await ended).toBe(3);
  expect(await readFile(join(folder, 'parts/junit.xml'), 'utf8')).toContain(
    '<error message="No response from 127.0.0.1:9',
  );
  const merged = run('merge', join(folder, 'parts'), '--html', join(folder, 'all'));
  expect(await merged.ended).toBe(3);
  expect(merged.out()).toContain('http://127.0.0.1:9/mcp');
});

test('4: nothing could be judged', { tag: '@long' }, async ({ run }) => {
  const target = await startTarget('no-replay');
  const fast = ['--tool', 'countdown', '--args', '{"ticks":1,"intervalMs":1}'];
  const { ended, out } = run('verify', target.url, ...fast, '--scenario', 'reload-mid-call');
  expect(await ended).toBe(4);
  expect(out()).toContain('NOT TESTED, 2 of 28 scenarios (no outcome');
  await target.close();
});

test(
  'the terms of a run: expected failures, what is required, what is left out',
  { tag: '@long' },
  async ({ run, folder }) => {
    // Two runs of the command.
    test.slow();
    const known = join(folder, 'known.txt');
    await writeFile(known, '# no page needs it\ncors # yet\n');
    const closed = await startTarget('no-cors');
    const terms = ['--expected-failures', known];
    const expected = run('verify', closed.url, '--scenario', 'cors', ...terms);
    expect(await expected.ended).toBe(0);
    expect(expected.out()).toContain('Expected to fail (--expected-failures): cors.');
    const open = await startTarget('resumable');
    const others = SCENARIOS.map(({ name }) => name).filter((name) => name !== 'cors');
    const stale = run('verify', open.url, '--skip', others.join(','), ...terms, '--require', 'A');
    expect(await stale.ended).toBe(1);
    expect(stale.out()).toContain('cors passes now. Remove it from --expected-failures.');
    expect(stale.out()).toContain('A is required (--require). Outcome: none');
    expect(stale.out()).toContain('1 of 28 scenarios');
    for (const target of [closed, open]) await target.close();
  },
);

test('--fail-on advice: what is only advice fails the run too', { tag: '@long' }, async ({ run }) => {
  const target = await startTarget('underscore');
  const quick = ['--tool', 'countdown', '--args', '{"ticks":2,"intervalMs":50}'];
  const { ended, out } = run(
    'verify',
    target.url,
    ...quick,
    '--scenario',
    'unknown-cursor',
    '--fail-on',
    'advice',
  );
  expect(await ended).toBe(1);
  expect(out()).toContain('[advice]');
  expect(out()).toMatch(/Test again: npx mcp-reprise verify \S+ --tool countdown --args '\{"ticks":2/);
  await target.close();
});

test('--origin: a server that allows one origin is tested from there', { tag: '@long' }, async ({ run }) => {
  test.slow();
  const origin = `http://localhost:${await freePort()}`;
  const target = await startTarget('resumable', { overrides: allowingOnly(origin) });
  const other = run('verify', target.url, '--scenario', 'cors');
  expect(await other.ended).toBe(1);
  expect(other.out()).toContain('The server rejects requests from http://localhost:');
  const same = run('verify', target.url, '--scenario', 'cors', '--origin', origin);
  expect(await same.ended).toBe(0);
  expect(same.out()).not.toContain('Calling countdown');
  await target.close();
});

test.describe('a browser that cannot be started', () => {
  test.use({ env: { REPRISE_CHROMIUM: '/bin/true' } });

  test('5: it could not be run, in a sentence', async ({ run }) => {
    const target = await startTarget('resumable');
    const { ended, out } = run('verify', target.url, '--scenario', 'cors');
    expect(await ended).toBe(5);
    expect(out()).toContain("/bin/true can't be started.");
    expect(out()).not.toContain('    at ');
    await target.close();
  });
});

test(
  'a server that dies in the middle of the run: a sentence, and the partial report',
  { tag: '@long' },
  async ({ run, folder }) => {
    const target = await startTarget('resumable');
    const { says, ended, out } = run(
      'verify',
      target.url,
      ...SLOW,
      '--timeout',
      '8',
      '--html',
      join(folder, 'report'),
    );
    await says('✓ cors');
    await target.close();
    expect(await ended).toBe(3);
    expect(out()).toContain('stopped responding during "control". The report has partial results.');
    const report = JSON.parse(await readFile(join(folder, 'report/report.json'), 'utf8')) as Report;
    expect(report.incomplete).toContain('stopped responding');
    expect(report.scenarios[0]).toMatchObject({ name: 'cors', verdict: 'pass' });
  },
);

test(
  'Ctrl-C: a sentence, no browser left behind, and the partial report',
  { tag: '@long' },
  async ({ run, folder }) => {
    const target = await startTarget('resumable');
    const { child, says, ended, out } = run('verify', target.url, ...SLOW, '--html', join(folder, 'report'));
    await says('✓ cors');
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(out()).toContain('Interrupted during "control". The report has partial results.');
    expect(await readFile(join(folder, 'report/index.html'), 'utf8')).toContain('Interrupted during');
    await target.close();
  },
);

test('many servers in shards, and one report of all', { tag: '@long' }, async ({ run, folder }) => {
  const targets = [await startTarget('resumable'), await startTarget('no-cors')];
  const list = join(folder, 'targets.json');
  await writeFile(list, JSON.stringify([...targets.map(({ url }) => url), 'http://127.0.0.1:9/mcp']));
  const shard = (index: number): Run =>
    run(
      'verify',
      '--targets',
      list,
      '--shard',
      `${index}/2`,
      '--scenario',
      'cors',
      '--html',
      join(folder, `parts/${index}`),
    );
  expect(await shard(1).ended).toBe(3);
  expect(await shard(2).ended).toBe(1);
  const merged = run('merge', join(folder, 'parts'), '--html', join(folder, 'all'));
  expect(await merged.ended).toBe(3);
  const { reports } = JSON.parse(await readFile(join(folder, 'all/report.json'), 'utf8')) as {
    reports: Report[];
  };
  expect(reports.map(({ target }) => target).sort()).toEqual(
    [...targets.map(({ url }) => url), 'http://127.0.0.1:9/mcp'].sort(),
  );
  expect(await readFile(join(folder, 'all/index.html'), 'utf8')).toContain('3 servers');
  for (const target of targets) await target.close();
});

const SECRETS = { token: 'tok/en+of the"user', key: 'key-of-the-header', query: 'key-in-the-query' };

/** Introduces itself by what it was sent, in every encoding, and lets no page in. */
async function startEcho(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method } = JSON.parse(body) as { id?: string; method: string };
      const sent = [
        request.headers.authorization ?? '',
        String(request.headers['x-key']),
        new URL(request.url ?? '', 'http://h').searchParams.get('api_key') ?? '',
      ].map((value) => value.replace(/^Bearer /, ''));
      const forms = Object.values(ENCODINGS);
      const echo = sent.flatMap((value) => forms.map((encode) => encode(value))).join(' | ');
      if (id === undefined) return response.writeHead(202).end();
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: echo, version: '1\u001b[2J' },
        },
        'tools/list': { tools: [] },
      };
      const result = results[method];
      const error = { code: -32601, message: echo };
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp?api_key=${SECRETS.query}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

test.describe('secrets of the user', () => {
  test.use({ env: { MCP_TOKEN: SECRETS.token, MCP_KEY: SECRETS.key } });

  test(
    'are in no output, in no encoding, although the server sends them back',
    { tag: '@long' },
    async ({ run, folder, env }) => {
      const echo = await startEcho();
      env['MCP_URL'] = echo.url;
      const secret = ['--bearer', 'env:MCP_TOKEN', '--header', 'X-Key: env:MCP_KEY'];
      const report = join(folder, 'report');
      const { child, ended, out } = run(
        'verify',
        'env:MCP_URL',
        ...secret,
        '--scenario',
        'cors',
        '--html',
        report,
      );
      const started = existsSync(`/proc/${child.pid}`)
        ? readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')
        : '';
      expect(await ended).toBe(1);
      const merged = run('merge', report, '--json', join(folder, 'merged.json'));
      expect(await merged.ended).toBe(1);
      const files = ['report/index.html', 'report/report.json', 'report/junit.xml', 'merged.json'];
      const written = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
      const texts = { started, printed: out(), merged: merged.out(), written: written.join('\n') };
      const unescaped = Object.entries(texts).map(
        ([place, text]) => [place, text.replaceAll('&quot;', '"').replaceAll('\\"', '"')] as const,
      );
      for (const places of [texts, Object.fromEntries(unescaped)]) {
        expect(missedCanaries(SECRETS, places)).toEqual([]);
        expect(searchSecrets(SECRETS, places)).toEqual([]);
      }
      for (const text of [out(), ...written]) expect(text).toContain('?api_key=‹redacted›');
      expect(out(), 'no control characters of the server').not.toContain('\u001b');
      expect(out()).not.toContain('Warning');
      echo.close();
    },
  );

  test('that stand on the command line bring a warning on standard error', async ({ run }) => {
    const { child, ended } = run('verify', 'http://127.0.0.1:9/mcp', '--json', '--bearer', SECRETS.key);
    let errors = '';
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    expect(await ended).toBe(3);
    expect(errors).toContain('the value of --bearer is visible in the process list (ps)');
    expect(errors).not.toContain(SECRETS.key);
  });

  test('are not sent on to where a server redirects', async ({ run }) => {
    const target = await startTarget('resumable');
    const server = createServer((_request, response) => {
      response.writeHead(308, { location: target.url }).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const { ended, out } = run('verify', url, '--header', 'X-Key: env:MCP_KEY');
    expect(await ended).toBe(3);
    expect(out()).toContain(`redirects to ${target.url} (HTTP 308)`);
    server.close();
    server.closeAllConnections();
    await target.close();
  });
});

test('merge refuses a file that is no report, by its name', async ({ run, folder }) => {
  const odd = join(folder, 'odd.json');
  await writeFile(
    odd,
    JSON.stringify({ target: 'http://a/', scenarios: [{ name: '<form>', verdict: 'pass' }] }),
  );
  const { ended, out } = run('merge', odd, '--html', join(folder, 'all'));
  expect(await ended).toBe(2);
  expect(out()).toContain(`${odd} isn't an mcp-reprise report: "server" isn't valid`);
});
