// The app where it is hosted under https: it says who it is by the document that it publishes there.
import { expect } from './inspector.ts';
import { askForLogin, untilListed, untilState } from './loggedIn.ts';
import { test } from './published.ts';

test.use({ ignoreHTTPSErrors: true });

test('logs in as the client that its own document describes, and registers nowhere', async ({
  inspector,
  published: { site, server, readers },
}) => {
  const { page } = inspector;
  const registrations: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/oauth/register')) registrations.push(request.url());
  });
  await page.goto(site);
  await inspector.ready();
  const mixed = await page.evaluate(() => window.reprise.connect('http://mcp.invalid/mcp'));
  expect(mixed).toMatchObject({ why: 'An HTTPS page can’t connect to an HTTP server (mixed content).' });
  await askForLogin(inspector, server.url);
  await inspector.reload();
  const asked = page.waitForURL(/oauth\/authorize/);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await asked;
  expect(new URL(page.url()).searchParams.get('client_id')).toBe(`${site}client-metadata.json`);
  // The server has read the document, and knows the name and the redirect address from it.
  await expect(page.getByRole('heading')).toHaveText('Allow Reprise?');
  await page.reload();
  const redeemed = page.waitForRequest('**/oauth/token');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  expect(new URLSearchParams((await redeemed).postData() ?? '').get('client_id')).toBe(
    `${site}client-metadata.json`,
  );
  await untilState(inspector, 'connected');
  expect(readers.some((agent) => !agent.includes('Chrome'))).toBe(true);
  await untilListed(inspector);
  await fetch(`${server.origin}/__control/expire-tokens`, { method: 'POST' });
  await inspector.reload();
  await untilState(inspector, 'connected');
  await inspector.expectWhole(await inspector.call('countdown', { ticks: 2, intervalMs: 10 }), 2);
  expect(registrations).toEqual([]);
});
