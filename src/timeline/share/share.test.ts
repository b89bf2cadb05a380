import { describe, expect, test } from 'vitest';
import type { Entry } from '../../log/entry.ts';
import { entryOf, reloadedCall } from '../testing/logOf.ts';
import { printHar } from './har.ts';
import { printHtml } from './html.ts';

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
    expect(log.comment).toContain('Left out');
  });
});

describe('HTML', () => {
  const hostile = entryOf(99, 6000, 2, {
    kind: 'note',
    level: 'info',
    text: '</pre><script>alert(1)</script><img src=x onerror=alert(1)>',
  });

  test('is one document without script, and text stays text', async () => {
    const html = await join(printHtml(INFO, () => chunksOf([...reloadedCall, hostile])));
    expect(html).toContain("default-src 'none'");
    expect(html).toContain('demo &#60;1&#62;');
    expect(html).not.toMatch(/<script|<img|https?:\/\/(?!127)/);
    expect(html.match(/<details/g)).toHaveLength(reloadedCall.length + 1);
    expect(html).toContain('Zürich is done');
    expect(html.indexOf('What is left out')).toBeLessThan(html.indexOf('<svg'));
    expect(html).toContain('class="gap"');
  });

  test('leaves content out where asked', async () => {
    const html = await join(printHtml(INFO, () => chunksOf(reloadedCall), { withoutContent: true }));
    expect(html).not.toContain('Zürich');
  });

  test('of an empty log is a page too', async () => {
    expect(await join(printHtml(INFO, () => chunksOf([])))).toContain('There are no entries.');
  });
});
