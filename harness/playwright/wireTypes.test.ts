/** The types of `mcpWire` as a test uses them, and the docs page that names them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { RULES } from '../wire/judge.ts';

const page = readFileSync(join(ROOT, 'docs/test-your-page.md'), 'utf8');
const types = readFileSync(join(ROOT, 'harness/playwright/wireTypes.ts'), 'utf8');

/** Stands for the reader's own fixtures in the block about mergeTests. */
const AXE_TEST = `
import { expect as baseExpect, test as base } from '@playwright/test';
export const test = base.extend<{ scan: () => Promise<number> }>({ scan: async ({}, use) => use(async () => 0) });
export const expect = baseExpect.extend({
  toBeAccessible: async (_page: import('@playwright/test').Page) => ({ pass: true, message: () => '' }),
});
`;

/** What must and what must not compile. */
const TYPES = `
import { mergeExpects, mergeTests } from '@playwright/test';
import { expect, test, type AwayFor, type PageScript, type TestCall, type WireCall } from 'mcp-reprise/playwright';
import { expect as axeExpect, test as axeTest } from './axe-test';
declare const wired: WireCall;
declare const inspected: TestCall;
export const merged = mergeTests(axeTest, test);
export const both = mergeExpects(axeExpect, expect);
merged('all fixtures of both', async ({ page, scan, mcpWire, inspector, mcp, browserName }) => {
  await scan();
  await both(page).toBeAccessible();
  await both(await mcpWire.call('report')).toHaveSurvived({ mayFail: true, except: { 'no-delete': 'ticket' } });
  await both(await inspector.call('report')).toHaveLostNothing();
  const server: string | Readonly<Record<string, string>> | undefined = mcp?.server;
  void [server, browserName];
});
export const ok: readonly AwayFor[] = ['nothing', 'one message', 'two messages', '7 messages', 'the response', '2.5 s'];
// @ts-expect-error not an amount
export const odd: AwayFor = 'a while';
export async function matchers(): Promise<void> {
  await expect(wired).toHaveResumedFrom('8f2a.5', { timeout: 5000 });
  await expect(wired).not.toHaveRunOnce();
  await expect.soft(wired).toHaveSurvived();
  await expect(inspected).toHaveReplayed(2);
  // @ts-expect-error a call of the inspector is not one of the wire
  await expect(inspected).toHaveSurvived();
  // @ts-expect-error a call of the wire is not one of the inspector
  await expect(wired).toBeSettled();
  // @ts-expect-error no such rule
  await expect(wired).toHaveSurvived({ except: { 'be-nice': '' } });
}
test('the wire', async ({ mcpWire, page }) => {
  const back: () => Promise<void> = await mcpWire.offline();
  await back();
  const { missed } = await mcpWire.offline({ for: 'two messages' });
  const { page: tab } = await mcpWire.reopen(page, { awayFor: '3 messages', waitUntil: 'commit' });
  await mcpWire.holdHead({ on: (request) => request.kind === 'call' && request.load === 1 });
  // @ts-expect-error no such kind
  await mcpWire.refuse({ on: 'tools' });
  // @ts-expect-error read-only
  mcpWire.url = '';
  await tab.goBack();
  void missed;
});
test.use({ mcp: { server: undefined, bearer: async () => 'token', timeout: undefined } });
test.use({ mcp: { endpoint: /\\/mcp$/ } });
export const script: PageScript = {
  start: async (page, { serverUrl }) => void (await page.goto(serverUrl)),
  done: async (page) => page.getByText('x').waitFor(),
  tools: { report: { seconds: 3 } },
};
`;

// Below the root, because the files find @playwright/test from there.
const folder = mkdtempSync(join(ROOT, 'node_modules/.wire-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the types of mcp-reprise/playwright', () => {
  it('allow what is right, and reject what is wrong', { timeout: 180_000 }, () => {
    const files = [
      { name: 'axe-test.ts', code: AXE_TEST },
      { name: 'types.ts', code: TYPES },
    ];
    for (const { name, code } of files) writeFileSync(join(folder, name), code);
    const program = ts.createProgram(
      files.map(({ name }) => join(folder, name)),
      {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: true,
        allowImportingTsExtensions: true,
        allowJs: true,
        checkJs: true,
        skipLibCheck: true,
        noEmit: true,
        paths: { 'mcp-reprise/playwright': [join(ROOT, 'harness/playwright/index.ts')] },
      },
    );
    const wrong = files.flatMap(({ name }) => {
      const source = program.getSourceFile(join(folder, name));
      const found = source ? program.getSemanticDiagnostics(source) : [];
      return found.map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe('docs/test-your-page.md', () => {
  it('names only members that exist', () => {
    const named = [...new Set([...page.matchAll(/`(?:mcpWire|call)\.(\w+)/g)].map(([, name = '']) => name))];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !new RegExp(`\\b${name}\\b`).test(types))).toEqual([]);
  });

  it('explains every rule', () => {
    expect(Object.keys(RULES).filter((rule) => !page.includes(`\`${rule}\``))).toEqual([]);
  });
});
