import { describe, expect, it } from 'vitest';
import { PROFILES } from './profiles/index.ts';
import { RawClient } from './testing/rawClient.ts';
import { withTarget } from './testing/withTarget.ts';

const VIEW_TYPE = 'text/html;profile=mcp-app';
const connect = async (profile: string) => RawClient.connect((await withTarget(profile)).url);
const read = async (client: RawClient, uri: string) => client.request('resources/read', { uri });

describe('app', () => {
  it('names a view by both keys, and serves it with the type of views', async () => {
    const client = await connect('app');
    expect(await client.request('tools/list')).toMatchObject({
      result: {
        tools: expect.arrayContaining([
          expect.objectContaining({
            name: 'dashboard',
            _meta: { ui: { resourceUri: 'ui://reprise-target/dashboard' } },
          }),
          expect.objectContaining({
            name: 'flat',
            _meta: { 'ui/resourceUri': 'ui://reprise-target/dashboard' },
          }),
          expect.objectContaining({ name: 'model-only', _meta: { ui: { visibility: ['model'] } } }),
        ]) as unknown[],
      },
    });
    expect(await read(client, 'ui://reprise-target/dashboard')).toMatchObject({
      result: {
        contents: [{ mimeType: VIEW_TYPE, text: expect.stringContaining('ui/initialize') as string }],
      },
    });
  });

  it('gives metadata with its result that only the view needs', async () => {
    const stream = await (await connect('app')).call('dashboard', { title: 'Stock' });
    const frames = await stream.readAll();
    expect(frames.at(-1)?.message).toMatchObject({ result: { _meta: { viewUUID: 'view-of-Stock' } } });
  });
});

describe.each(PROFILES.map(({ name }) => name).filter((name) => /^app-(?!no-view)/.test(name)))(
  '%s',
  (profile) => {
    it('serves a view with one fault', async () => {
      expect(await read(await connect(profile), 'ui://reprise-target/main')).toMatchObject({
        result: { contents: [{ mimeType: VIEW_TYPE }] },
      });
    });
  },
);

describe('app-no-view', () => {
  it('names a view that it does not serve', async () => {
    expect(await read(await connect('app-no-view'), 'ui://reprise-target/missing')).toHaveProperty('error');
  });
});
