// What the page sends beside the arguments: declared capabilities that can be withheld, own metadata, a trace.
import type { Page } from '@playwright/test';
import { expect } from './inspector.ts';
import { test } from './oddServer.ts';
import { openSection, pick } from './sections.ts';

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const handshake = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'odd', version: '1' },
};
const tools = (page: Page) => page.getByRole('list', { name: 'Tools' });

test('a capability that is withheld is not declared, and what the server hides then is gone, also after a reload', async ({
  inspector,
  odd,
}) => {
  const { page } = inspector;
  let declared: object = {};
  const server = await odd({
    initialize: ({ capabilities }) => {
      declared = capabilities as object;
      return handshake;
    },
    'tools/list': () => ({ tools: ['plain', ...('elicitation' in declared ? ['asks'] : [])].map(tool) }),
  });
  await inspector.connect(server.url);
  await expect(tools(page).getByRole('button')).toHaveText(['plain', 'asks']);

  await openSection(page, 'Client');
  const elicitation = page
    .getByRole('region', { name: 'Declared capabilities' })
    .getByRole('checkbox', { name: 'elicitation', exact: true });
  await elicitation.uncheck();
  await expect.poll(() => Object.keys(declared)).not.toContain('elicitation');
  await openSection(page, 'Tools');
  await expect(tools(page).getByRole('button')).toHaveText(['plain']);

  await inspector.reload();
  await openSection(page, 'Client');
  await expect(elicitation).not.toBeChecked();
  await elicitation.check();
  await expect.poll(() => Object.keys(declared)).toContain('elicitation');
});

test('own metadata and a traceparent are sent with a call, shown with it, and saved', async ({
  inspector,
  odd,
}) => {
  const { page } = inspector;
  const sent: unknown[] = [];
  const server = await odd({
    initialize: () => handshake,
    'tools/list': () => ({ tools: [tool('plain')] }),
    'tools/call': ({ _meta }) => {
      sent.push(_meta);
      return { content: [] };
    },
  });
  await inspector.connect(server.url);
  await pick(page, 'Tools', 'plain');
  const result = page.getByRole('region', { name: 'Result' });
  await page.getByText('Metadata', { exact: true }).click();
  const field = page.getByLabel('Metadata (_meta, JSON)');
  await field.fill('nonsense');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Metadata must be a JSON object');
  await field.fill('{"example.com/user":"ada","progressToken":"mine"}');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(result).toContainText('"example.com/user":"ada"');
  await expect
    .poll(() => sent)
    .toEqual([{ 'example.com/user': 'ada', progressToken: expect.not.stringMatching(/^mine$/) }]);

  await page.getByText('Saved', { exact: true }).click();
  await page.getByLabel('Saved call name').fill('as ada');
  await page.keyboard.press('Enter');
  await field.fill('');
  await page
    .getByRole('list', { name: 'Saved calls' })
    .getByRole('button', { name: 'as ada' })
    .first()
    .click();
  await expect(field).toHaveValue(/example\.com\/user/);

  await openSection(page, 'Client');
  await page.getByRole('checkbox', { name: 'Send a traceparent with each call' }).check();
  // Until it's stored.
  await expect(page.getByRole('region', { name: 'Declared capabilities' })).toHaveAttribute(
    'aria-busy',
    'false',
  );
  await inspector.reload();
  await openSection(page, 'Tools');
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  await expect(result).toContainText(/"traceparent":"00-[0-9a-f]{32}-[0-9a-f]{16}-01"/);
  await expect
    .poll(() => sent.at(-1))
    .toMatchObject({
      'example.com/user': 'ada',
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    });
});
