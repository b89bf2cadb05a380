import { describe, expect, test } from 'vitest';
import type { Entry } from '../../log/entry/entry.ts';
import { entryOf, reloadedCall } from '../testing/logOf.ts';
import { printHar } from './har.ts';
import { printHtml } from './html.ts';
import { LOG_PLACE } from './logPlace.ts';
import { recorded } from '../../log/reasons/reason.ts';

const INFO = { server: 'demo <1>', url: 'http://127.0.0.1:3000/mcp?a=b', exportedAt: 1 };

async function* chunksOf(entries: readonly Entry[]): AsyncGenerator<readonly Entry[]> {
  for (let i = 0; i < entries.length; i += 4) yield entries.slice(i, i + 4);
}

async function join(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

interface Har {
  log: {
    version: string;
    comment: string;
    pages: { id: string }[];
    entries: {
      pageref: string;
      startedDateTime: string;
      time: number;
      request: { method: string; postData?: { text: string }; headers: { name: string; value: string }[] };
      response: { status: number; content: { text: string } };
    }[];
  };
}

describe('HAR', () => {
  test('has every exchange, with what was sent and what came', async () => {
    const { log } = JSON.parse(await join(printHar(INFO, '1', chunksOf(reloadedCall)))) as Har;
    expect(log.version).toBe('1.2');
    expect(log.pages.map(({ id }) => id)).toEqual(['load-1', 'load-2']);
    expect(log.entries.map(({ request, response }) => [request.method, response.status])).toEqual([
      ['POST', 200],
      ['POST', 200],
      ['GET', 409],
      ['GET', 200],
    ]);
    const [, call, , resumed] = log.entries;
    expect(call?.request.postData?.text).toContain('tools/call');
    expect(call?.request.headers).toContainEqual({ name: 'authorization', value: 'Bearer ‹redacted›' });
    expect(call?.response.content.text).toMatch(/^id: e1\ndata: \{.*"progress":1.*\}\n\n$/);
    expect(resumed?.pageref).toBe('load-2');
    expect(resumed?.response.content.text).toMatch(/"progress":2[^]*"progress":3[^]*Zürich/);
    expect(resumed?.startedDateTime).toBe(new Date(4095).toISOString());
    expect(log.comment).toContain('Not included');
  });

  test('leaves content out where asked', async () => {
    const text = await join(printHar(INFO, '1', chunksOf(reloadedCall), { withoutContent: true }));
    expect(text).toContain('notifications/progress');
    expect(text).not.toMatch(/Zürich|ticks|Go on/);
  });
});

describe('HTML', () => {
  const PAGE = `<head></head><script type="application/json" id="log">${LOG_PLACE}</script><script>1</script>`;
  const hostile = entryOf(99, 6000, 2, {
    kind: 'note',
    level: 'info',
    reason: recorded('</script><script>alert(1)</script><!-- <script>'),
  });

  interface LogFile {
    readonly server: string;
    readonly url: string;
    readonly leftOut: readonly string[];
    readonly entries: readonly { readonly seq: number }[];
  }

  /** The log as the script of the page finds it. */
  const logIn = (html: string): LogFile =>
    JSON.parse(/id="log">([^]*?)<\/script>/.exec(html)?.[1] ?? '') as LogFile;

  test('is the page of the viewer with the whole log in it, and text can’t end the script', async () => {
    const html = await join(printHtml(PAGE, INFO, () => chunksOf([...reloadedCall, hostile])));
    const log = logIn(html);
    expect(log.server).toBe('demo <1>');
    expect(log.entries.map(({ seq }) => seq)).toEqual([...reloadedCall, hostile].map(({ seq }) => seq));
    expect(JSON.stringify(log)).toContain('</script><script>alert(1)');
    expect(html.match(/<\/?script/g), 'those of the page alone').toHaveLength(4);
    expect(html).not.toContain('<!--');
  });

  test('leaves content out where asked', async () => {
    const read = { name: 'sending', method: 'resources/read', tool: 'file:///diary', args: {} } as const;
    const change = { ...read, timeoutMs: 1, repeatable: true };
    const resource = entryOf(26, 5400, 2, { kind: 'call', callId: 'r', change });
    const html = await join(
      printHtml(PAGE, INFO, () => chunksOf([...reloadedCall, resource]), { withoutContent: true }),
    );
    expect(html).not.toMatch(/Zürich|diary|a=b/);
    expect(html).toContain('countdown');
  });

  test('hides keys in the URL of its server', async () => {
    const info = { ...INFO, url: 'http://127.0.0.1:3000/mcp?api_key=KEY-IN-URL-42' };
    const html = await join(printHtml(PAGE, info, () => chunksOf(reloadedCall)));
    expect(html).toContain('http://127.0.0.1:3000/mcp?api_key=‹redacted›');
    expect(html).not.toContain('KEY-IN-URL-42');
  });

  test('of a long log has the newest entries, and says what is missing', async () => {
    const many = Array.from({ length: 50_010 }, (_, i) =>
      entryOf(i + 1, i, 1, { kind: 'load', reason: 'opened' }),
    );
    const log = logIn(await join(printHtml(PAGE, INFO, () => chunksOf(many))));
    expect(log.entries[0]?.seq).toBe(11);
    expect(log.leftOut.at(-1)).toMatch(/^The oldest 10 entries/);
  });

  test('is not made of a page without a place for the log', async () => {
    await expect(join(printHtml('<html>', INFO, () => chunksOf([])))).rejects.toThrow('damaged');
  });
});
