/** A person at the `oauth` target: connects, logs in, and is where they were. */
import type { BrowserContext, Page, Request } from '@playwright/test';
import { expect, type Inspector } from './inspector.ts';

export type Decision = 'Approve' | 'Approve for 5 seconds' | 'Deny';

/** Connects to a server that asks for a login, and waits for it to say so. */
export async function askForLogin(
  inspector: Inspector,
  url: string,
  options: { name?: string; clientId?: string; clientSecret?: string } = {},
): Promise<void> {
  const state = await inspector.page.evaluate(([u, o]) => window.reprise.connect(u, o), [
    url,
    options,
  ] as const);
  expect(state, JSON.stringify(state)).toMatchObject({ name: 'authorizing' });
}

/** Clicks, decides at the authorization server, and comes back. */
export async function logIn({ page }: Inspector, decision: Decision = 'Approve'): Promise<void> {
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('button', { name: decision, exact: true }).click();
}

export async function untilState(inspector: Inspector, name: string): Promise<void> {
  await inspector.page.waitForFunction(
    (wanted) => 'reprise' in window && window.reprise.state().name === wanted,
    name,
  );
}

/** Waits for what the page reads after it has connected: a request that is refused then would renew the token. */
export async function untilListed({ page }: Inspector): Promise<void> {
  await page.evaluate(async () => {
    const { reprise } = window;
    await Promise.all([reprise.tools(), reprise.resources(), reprise.resourceTemplates(), reprise.prompts()]);
  });
}

export async function connectLoggedIn(
  inspector: Inspector,
  url: string,
  decision: Decision = 'Approve',
): Promise<void> {
  await askForLogin(inspector, url);
  await logIn(inspector, decision);
  await untilState(inspector, 'connected');
  // The lists are read after the handshake; what a test does next is not to meet that.
  await inspector.page.evaluate(() => window.reprise.tools());
}

/** Collects what is asked for at the token endpoint, from every page of the browser. */
export function watchGrants(context: BrowserContext): readonly string[] {
  const grants: string[] = [];
  context.on('request', (request) => {
    const grant = grantOf(request);
    if (grant !== undefined) grants.push(grant);
  });
  return grants;
}

/** The pages whose requests were answered with 401, in that order. */
export function watchRefusals(context: BrowserContext): readonly Page[] {
  const refused: Page[] = [];
  context.on('response', (response) => {
    if (response.status() === 401) refused.push(response.frame().page());
  });
  return refused;
}

function grantOf(request: Request): string | undefined {
  if (!request.url().endsWith('/oauth/token') || request.method() !== 'POST') return undefined;
  return new URLSearchParams(request.postData() ?? '').get('grant_type') ?? undefined;
}

/** What a person does at an authorization server that lets nobody register by themselves. */
export async function registerByHand(
  server: { origin: string },
  redirectUrl: string,
  method: 'client_secret_basic' | 'client_secret_post',
): Promise<{ clientId: string; clientSecret: string }> {
  const registered = await fetch(`${server.origin}/oauth/register`, {
    method: 'POST',
    body: JSON.stringify({
      client_name: 'By hand',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: method,
    }),
  });
  const answer = (await registered.json()) as { client_id: string; client_secret: string };
  return { clientId: answer.client_id, clientSecret: answer.client_secret };
}
