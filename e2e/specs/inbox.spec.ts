// Questions of servers: every kind, by form, address, hand, saved answer, rule and clock, and across reloads.
import { expect, type Locator, type Page } from '@playwright/test';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { SIGN_PNG } from '../../targets/core/media.ts';
import { RpcFault, textResult } from '../../targets/core/toolContext.ts';
import { defineTool } from '../../targets/core/toolTable.ts';
import { expectAccessible } from './axe.ts';
import { test } from './everything.ts';
import { openTab } from './inspector.ts';
import { openSection } from './sections.ts';

const inbox = (page: Page) => page.getByRole('region', { name: 'Inbox' });
const result = (page: Page) => page.getByRole('region', { name: 'Result' });
const press = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true }).click();

const VISIT = 'visit-1';

const visit = defineTool({
  name: 'visit',
  title: 'Visit an address',
  description: 'Asks to open an address, and says later that it is done.',
  input: z.object({ url: z.string() }),
  run: async ({ url }, context) => {
    const params = { mode: 'url', message: 'Please log in over there.', url, elicitationId: VISIT };
    const { answer } = await context.ask({ answer: { method: 'elicitation/create', params } });
    return textResult(String(answer['action']));
  },
});

/** @param visited which of the addresses somebody has been at, on the server's side */
const enter = (visited: ReadonlySet<string>) =>
  defineTool({
    name: 'enter',
    title: 'Enter',
    description: 'Cannot go on before somebody has been at each of its addresses.',
    input: z.object({ urls: z.record(z.string(), z.string()) }),
    run: async ({ urls }) => {
      const missing = Object.entries(urls).filter(([id]) => !visited.has(id));
      if (missing.length === 0) return textResult('Come in.');
      const elicitations = missing.map(([elicitationId, url]) => ({
        mode: 'url',
        elicitationId,
        url,
        message: `Please show ${elicitationId} over there.`,
      }));
      throw new RpcFault(-32042, 'Show something first.', { elicitations });
    },
  });

const paint = defineTool({
  name: 'paint',
  title: 'Ask about a picture',
  description: 'Asks for a completion with a picture and wishes.',
  input: z.object({}),
  run: async (_args, context) => {
    const params = {
      systemPrompt: 'Be brief.',
      messages: [
        { role: 'user', content: { type: 'image', data: SIGN_PNG, mimeType: 'image/png' } },
        { role: 'user', content: { type: 'text', text: 'What is this?' } },
      ],
      modelPreferences: { hints: [{ name: 'claude' }], intelligencePriority: 0.9 },
      maxTokens: 50,
    };
    const { answer } = await context.ask({ answer: { method: 'sampling/createMessage', params } });
    return textResult(`${String(answer['model'])}: ${JSON.stringify(answer['content'])}`);
  },
});

const withTools = { overrides: { extraTools: [visit, paint] } };

/** What the tool returned, once it has. */
async function resultOf(page: Page): Promise<Locator> {
  await openSection(page, 'Tools');
  return result(page);
}

test(
  'an address is shown in full before it is opened, and the server says when it is done',
  { tag: '@long' },
  async ({ inspector, target, context }) => {
    const { page } = inspector;
    const servers: McpServer[] = [];
    const decorate = (mcp: McpServer) => servers.push(mcp);
    const server = await target('resumable', { overrides: { ...withTools.overrides, decorate } });
    await inspector.connect(server.url);
    const url = `${server.origin}/login?state=${'x'.repeat(200)}#end`;
    await context.route(url.split('#')[0] ?? '', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'In.' }),
    );
    await inspector.call('visit', { url });
    await expect(inbox(page)).toContainText(url);
    await expect(inbox(page)).toContainText(`Opens ${new URL(url).host} (not encrypted).`);
    await inspector.reload();
    await expect(inbox(page)).toContainText(url);
    const opening = context.waitForEvent('page');
    await press(inbox(page), 'Accept and open');
    const opened = await opening;
    await opened.waitForURL(url);
    expect(await opened.evaluate(() => window.opener === null)).toBe(true);
    await expect(inbox(page)).toContainText('URL opened. Waiting for the server to confirm.');
    for (const mcp of servers) await mcp.server.createElicitationCompletionNotifier(VISIT)();
    await expect(inbox(page)).toContainText('URL opened. Confirmed by the server.');
    await inspector.reload();
    await expect(inbox(page)).toContainText('Confirmed by the server.');
    await press(inbox(page), 'Dismiss');
    await expect(inbox(page)).not.toContainText('URL opened.');

    await inspector.call('visit', { url: 'javascript:alert(1)' });
    await expect(inbox(page)).toContainText('Only http and https are allowed.');
    await expect(inbox(page).getByRole('button', { name: 'Accept and open' })).toBeHidden();
    await press(inbox(page), 'Decline');
    await expect(await resultOf(page)).toContainText('decline');
  },
);

test('a call that requires addresses first leaves them in the inbox, and is made again when all is done', async ({
  inspector,
  target,
  context,
}) => {
  const { page } = inspector;
  const servers: McpServer[] = [];
  const visited = new Set<string>();
  const decorate = (mcp: McpServer) => servers.push(mcp);
  const server = await target('resumable', { overrides: { extraTools: [enter(visited)], decorate } });
  await context.route('https://pass.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: 'Seen.' }),
  );
  await inspector.connect(server.url);
  const [passport, ticket] = ['https://pass.example/passport?for=you', 'https://pass.example/ticket'];
  const call = await inspector.call('enter', {
    urls: { passport, ticket, odd: 'javascript:alert(1)' },
  });
  expect(await inspector.untilEnded(call)).toMatchObject({ name: 'settled', error: { code: -32042 } });
  await inspector.reload();
  const card = (text: string) => inbox(page).getByRole('listitem').filter({ hasText: text });
  for (const url of [passport, ticket]) await expect(inbox(page)).toContainText(url);
  await expect(card('show odd')).toContainText('Only http and https are allowed.');
  await expect(card('show odd').getByRole('button', { name: 'Open', exact: true })).toBeHidden();
  await press(card('show odd'), 'Decline');

  for (const [what, url] of Object.entries({ passport, ticket })) {
    const opening = context.waitForEvent('page');
    await press(card(`show ${what}`), 'Open');
    const opened = await opening;
    await opened.waitForURL(url);
    await opened.close();
  }
  const again = inbox(page).getByRole('button', { name: 'Call again' });
  for (const mcp of servers) await mcp.server.createElicitationCompletionNotifier('passport')();
  await expect(card('show passport')).toContainText('Confirmed by the server.');
  await expect(again).toBeHidden();
  await press(card('show ticket'), 'Mark as done');
  await expect(card('show ticket')).toContainText('Marked as done by you.');
  await inspector.reload();
  for (const id of ['passport', 'ticket', 'odd']) visited.add(id);
  expect(server.stats().calls).toEqual({ enter: 1 });
  await again.click();
  await expect(await resultOf(page)).toContainText('Come in.');
  await expect(inbox(page)).not.toContainText('show passport');
  expect(server.stats().calls).toEqual({ enter: 2 });
});

test(
  'sampling shows what is wished, and is answered by hand, from a saved answer, and by a rule',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const server = await target('resumable', withTools);
    await inspector.connect(server.url);
    const first = await inspector.call('paint');
    await expect(inbox(page)).toContainText('intelligence');
    await expect(inbox(page)).toContainText('claude');
    await expect(inbox(page)).toContainText('Be brief.');
    await expect(inbox(page).getByRole('img')).toBeVisible();
    await expectAccessible(page, 'a sampling request with a picture');
    await inbox(page).getByLabel('Reply', { exact: true }).fill('A repeat sign.');
    await inbox(page).getByText('More options').click();
    await inbox(page).getByLabel('Model', { exact: true }).fill('ada');
    await inbox(page).getByLabel('Save as').fill('sign');
    await press(inbox(page), 'Save reply');
    await inspector.reload();
    await expect(inbox(page).getByLabel('Reply', { exact: true })).toHaveValue('A repeat sign.');
    await press(inbox(page), 'Send');
    expect(JSON.stringify(await inspector.untilEnded(first))).toContain('ada: ');
    await expect(inbox(page).getByLabel('Reply', { exact: true })).toBeHidden();

    const second = await inspector.call('paint');
    await inbox(page).getByLabel('Saved replies').selectOption('sign');
    await expect(inbox(page).getByLabel('Reply', { exact: true })).toHaveValue('A repeat sign.');
    await press(inbox(page), 'Send');
    expect(JSON.stringify(await inspector.untilEnded(second))).toContain('A repeat sign.');

    await openSection(page, 'Client');
    await page.getByRole('combobox', { name: 'Sampling' }).selectOption('Always reply “sign”');
    await inspector.reload();
    await expect(page.getByRole('combobox', { name: 'Sampling' })).toHaveValue('answer:sign');
    const third = await inspector.call('paint');
    expect(JSON.stringify(await inspector.untilEnded(third))).toContain('A repeat sign.');
    await expect(inbox(page)).toContainText('Answered automatically with “sign”.');

    await page.getByRole('combobox', { name: 'Sampling' }).selectOption('Ask me');
    const fourth = await inspector.call('paint');
    await press(inbox(page), 'Options');
    await press(inbox(page), 'Always decline sampling from this server');
    expect(JSON.stringify(await inspector.untilEnded(fourth))).toContain('Declined by the user.');
    const fifth = await inspector.call('paint');
    expect(JSON.stringify(await inspector.untilEnded(fifth))).toContain('Declined by the user.');
    await expect(inbox(page)).toContainText('No input requests');
  },
);

test(
  'a question waits only so long, also across a reload, and then says what became of it',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const server = await target('resumable');
    await inspector.connect(server.url);
    await openSection(page, 'Client');
    const first = await inspector.call('ask');
    await expect(inbox(page)).toContainText('cancelled in 10 min');
    await inspector.reload();
    await expect(inbox(page)).toContainText(/cancelled in (10|9) min/);
    await page.getByLabel('Timeout (minutes)').fill('0.05');
    await page.keyboard.press('Enter');
    const call = await inspector.untilEnded(first);
    expect(JSON.stringify(call.result)).toContain('cancel');
    await expect(inbox(page)).toContainText('Not answered within 3 seconds. Cancelled.');
    await inspector.reload();
    await expect(inbox(page)).toContainText('Not answered within 3 seconds.');
  },
);

test(
  'several questions from several servers wait side by side; a restart voids its own, and says so',
  { tag: '@long' },
  async ({ inspector, target }) => {
    const { page } = inspector;
    const one = await target('resumable');
    const other = await target('resumable');
    await inspector.connect(one.url, { name: 'one' });
    await inspector.call('ask', { question: 'Who are you?' });
    await inspector.call('sample', { prompt: 'Say hello.' });
    await inspector.connect(other.url, { name: 'other' });
    await inspector.call('ask', { question: 'Where are you?' });
    const cards = inbox(page).getByRole('list', { name: 'Open requests', exact: true }).getByRole('listitem');
    await expect(cards).toHaveCount(3);
    await cards.filter({ hasText: 'Where are you?' }).getByLabel('Answer').fill('Here');
    await inspector.reload();
    await expect(cards).toHaveCount(3);
    await expect(cards.nth(0)).toContainText(/one ·.*Tool: ask/s);
    await expect(cards.nth(1)).toContainText(/one ·.*Tool: sample/s);
    await expect(cards.nth(2)).toContainText(/other ·.*Tool: ask/s);

    await one.control('restart');
    // How soon a restart is noticed is not what this is about.
    await expect(cards).toHaveCount(1, { timeout: 15_000 });
    const ended = inbox(page).getByRole('list', { name: 'Closed requests from one' }).getByRole('listitem');
    await expect(ended).toHaveCount(2);
    await expectAccessible(page, 'ended questions');
    await expect(ended.first()).toContainText('The server is no longer waiting for an answer.');
    await expect(cards.getByLabel('Answer')).toHaveValue('Here');
    await press(cards, 'Submit');
    await expect(cards).toHaveCount(0);
    await expect(await resultOf(page)).toContainText('accept: Here');
    await press(inbox(page), 'Dismiss all');
    await expect(ended).toHaveCount(0);
  },
);

test('a call that ends takes its question along, with a word; another tab can answer', async ({
  inspector,
  target,
  context,
  watch,
}) => {
  const { page } = inspector;
  const server = await target('resumable');
  await inspector.connect(server.url);
  const first = await inspector.call('ask');
  await inspector.untilAsked();
  await page.evaluate((id) => window.reprise.cancel(id), first);
  await expect(inbox(page)).toContainText('The call ended before you answered.');
  const second = await inspector.call('ask');
  await inspector.untilAsked();
  const { page: beside } = await openTab(context, watch);
  await inbox(beside).getByLabel('Answer').fill('From the other tab');
  await press(inbox(beside), 'Submit');
  expect(JSON.stringify(await inspector.untilEnded(second))).toContain('From the other tab');
  await expect(inbox(page).getByLabel('Answer')).toBeHidden();
});

// A headless shell has no notifications.
test(
  'a question that comes while nobody looks is said outside of the page',
  { tag: '@chromium' },
  async ({ inspector, target, context }) => {
    const { page } = inspector;
    await context.grantPermissions(['notifications']);
    await page.addInitScript(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      Object.defineProperty(document, 'visibilityState', {
        get: () => ((window as { hiddenNow?: boolean }).hiddenNow ? 'hidden' : 'visible'),
      });
      const Real = window.Notification;
      window.Notification = class extends Real {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          said.push(`${title}: ${options?.body ?? ''}`);
        }
      };
    });
    await inspector.open();
    const server = await target('resumable');
    await inspector.connect(server.url, { name: 'one' });
    await inspector.call('ask', { question: 'Seen?' });
    await expect(inbox(page)).toContainText('Seen?');
    await page.evaluate(() => Object.assign(window, { hiddenNow: true }));
    await inspector.call('ask', { question: 'Unseen?' });
    await expect(inbox(page)).toContainText('Unseen?');
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { said: string[] }).said))
      .toEqual(['Elicitation from one: Unseen?']);
  },
);

test(
  'server-everything: every kind of field is filled in, half before a reload and half after',
  { tag: '@long' },
  async ({ inspector, everything }) => {
    const { page } = inspector;
    await inspector.connect(everything);
    await inspector.call('trigger-elicitation-request');
    const form = inbox(page);
    await form.getByLabel(/^String\b(?! with)/).fill('Ada Lovelace');
    await form.getByLabel(/^String with email format/).fill('not an address');
    await form.getByLabel(/^Titled Single Select Enum/).selectOption({ label: 'Wonder Woman' });
    await inspector.reload();
    await expect(form.getByLabel(/^String\b(?! with)/)).toHaveValue('Ada Lovelace');
    await expect(form.getByLabel(/^String with default/)).toHaveValue('It was a dark and stormy night.');
    await press(form, 'Submit');
    await expect(form).toContainText('Enter an email address, like ada@example.org.');
    await expect(form.getByRole('button', { name: 'Submit' })).toBeVisible();
    await expect(form.getByLabel(/^String with email format/)).toBeFocused();
    await form.getByLabel(/^String with email format/).fill('ada@example.org');
    await form.getByLabel(/^String with date format/).fill('1815-12-10');
    await form.getByLabel('Trout').check();
    await press(form, 'Submit');
    const shown = await resultOf(page);
    await expect(shown).toContainText('"action": "accept"');
    for (const part of [
      '"hero-3"',
      '"fish-1"',
      '"fish-3"',
      '"ada@example.org"',
      '"1815-12-10"',
      '42',
      '3.14',
      '"pet-1"',
    ]) {
      await expect(shown).toContainText(part);
    }
  },
);
