import { describe, expect, test } from 'vitest';
import type { Entry } from '../../log/entry/entry.ts';
import { entryOf, reloadedCall } from '../testing/logOf.ts';
import { printHar } from './har.ts';
import { printHtml } from './html.ts';
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
  const hostile = entryOf(99, 6000, 2, {
    kind: 'note',
    level: 'info',
    reason: recorded('</pre><script>alert(1)</script><img src=x onerror=alert(1)>'),
  });

  test('is one document without script, and text stays text', async () => {
    const html = await join(printHtml(INFO, () => chunksOf([...reloadedCall, hostile])));
    expect(html).toContain("default-src 'none'");
    expect(html).toContain('demo &#60;1&#62;');
    expect(html).not.toMatch(/<script|<img|https?:\/\/(?!127)/);
    expect(html.match(/<details/g)).toHaveLength(reloadedCall.length + 1);
    expect(html).toContain('Zürich is done');
    expect(html.indexOf('Not included')).toBeLessThan(html.indexOf('<svg'));
    expect(html).toContain('class="gap"');
  });

  test('has the source of a sequence diagram, as text, and without content where asked', async () => {
    const diagramOf = async (withoutContent: boolean) =>
      /<pre class="diagram">([^<]*)<\/pre>/.exec(
        await join(printHtml(INFO, () => chunksOf(reloadedCall), { withoutContent })),
      )?.[1];
    const source = await diagramOf(false);
    expect(source).toMatch(/^sequenceDiagram\nparticipant L1 as Page load 1\n/);
    expect(source).toContain('L1-&#62;&#62;S: tools/call countdown');
    expect(source).toContain('1 missed event replayed');
    const bare = await diagramOf(true);
    expect(bare).toContain('L1-&#62;&#62;S: tools/call\n');
    expect(bare).not.toContain('countdown');
  });

  test('can neither send a form nor change its base', async () => {
    const html = await join(printHtml(INFO, () => chunksOf([])));
    expect(html).toMatch(/content="default-src 'none';[^"]*form-action 'none'; base-uri 'none'"/);
  });

  test('leaves content out where asked, also in the lanes', async () => {
    const read = { name: 'sending', method: 'resources/read', tool: 'file:///diary', args: {} } as const;
    const change = { ...read, timeoutMs: 1, repeatable: true };
    const resource = entryOf(26, 5400, 2, { kind: 'call', callId: 'r', change });
    const html = await join(
      printHtml(INFO, () => chunksOf([...reloadedCall, resource]), { withoutContent: true }),
    );
    expect(html).not.toMatch(/Zürich|diary|a=b/);
    expect(html).toContain('countdown');
  });

  test('hides keys in the URL of its server', async () => {
    const info = { ...INFO, url: 'http://127.0.0.1:3000/mcp?api_key=KEY-IN-URL-42' };
    const html = await join(printHtml(info, () => chunksOf(reloadedCall)));
    expect(html).toContain('http://127.0.0.1:3000/mcp?api_key=‹redacted›');
    expect(html).not.toContain('KEY-IN-URL-42');
  });

  test('of an empty log is a page too', async () => {
    expect(await join(printHtml(INFO, () => chunksOf([])))).toContain('No entries.');
  });
});
