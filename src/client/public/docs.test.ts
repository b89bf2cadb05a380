import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'svelte/compiler';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { blocksIn, filesIn } from '../../../scripts/package/docsFiles.ts';

const ROOT = join(import.meta.dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/client.md'), 'utf8');

/** What the examples take from the reader's own app. */
const AMBIENT = `
declare module 'react' {
  export function use<T>(promise: Promise<T>): T;
  export function useSyncExternalStore<T>(subscribe: (listener: () => void) => () => void, read: () => T): T;
}
declare namespace JSX {
  interface IntrinsicElements { [name: string]: Record<string, unknown> }
}
declare const client: import('mcp-reprise/client').RepriseClient;
declare const call: import('mcp-reprise/client').Call;
declare function show(...values: unknown[]): void;
declare function askModel(messages: readonly unknown[]): Promise<string>;
declare function showLink(url: string, opened: () => Promise<void>): void;
declare function showForm(
  schema: import('@modelcontextprotocol/client').ElicitRequestFormParams['requestedSchema'],
  submitted: (content: Record<string, string | number | boolean | string[]>) => Promise<void>,
): void;
`;

/** What must not compile: a wrong use of the types. */
const WRONG = `
import { openClient, ClientError, type Outcome, type Question } from 'mcp-reprise/client';
declare const o: Outcome; declare const q: Question;
// @ts-expect-error a store is required
void openClient({ url: '', clientInfo: { name: '', version: '' } });
// @ts-expect-error a result only where there is one
o.result;
if (o.name === 'settled' && !o.ok) { const m: string = o.error.message; void m; }
// @ts-expect-error not without a code
new ClientError();
// @ts-expect-error sampling is not answered with an action
if (q.method === 'sampling/createMessage') void client.answer(q, { action: 'accept' });
if (q.method === 'elicitation/create') void client.answer(q, { action: 'decline' });
void client.answer(q.id, { action: 'decline' });
// @ts-expect-error no such level: it must not fall through to the untyped form
void client.request('logging/setLevel', { level: 'loud' });
void client.request('acme/custom', { a: 1 });
`;

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  paths: { 'mcp-reprise/client': [join(ROOT, 'src/client/public/index.ts')] },
};

/** The errors of these files, which are in memory, by the name of the file and the line in it. */
function compileAll(files: ReadonlyMap<string, string>): readonly string[] {
  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    readFile: (path) => files.get(path) ?? disk.readFile(path),
    fileExists: (path) => files.has(path) || disk.fileExists(path),
    getSourceFile(path, ...rest) {
      const text = files.get(path);
      return text === undefined
        ? disk.getSourceFile(path, ...rest)
        : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
    },
  };
  const program = ts.createProgram([...files.keys()], OPTIONS, host);
  return [...files.keys()].flatMap((path) => {
    const source = program.getSourceFile(path);
    const found = source
      ? [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
      : [];
    return found.map(({ start = 0, messageText }) => {
      const line = (source?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      return `${path.slice(ROOT.length + 1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  });
}

describe('docs/client.md', () => {
  it('shows TypeScript that compiles against the client', { timeout: 120_000 }, () => {
    const blocks = blocksIn(page).filter(({ language }) => ['ts', 'tsx'].includes(language));
    expect(blocks.length).toBeGreaterThan(8);
    const files = new Map(
      blocks.map(({ language, line, text }) => {
        // A block without an import is a module all the same.
        const tail = /^(import|export) /m.test(text) ? '' : '\nexport {};\n';
        return [join(ROOT, `docs/line${line}.${language}`), text + tail];
      }),
    );
    files.set(join(ROOT, 'docs/ambient.d.ts'), AMBIENT);
    files.set(join(ROOT, 'docs/wrong.ts'), WRONG);
    expect(compileAll(files)).toEqual([]);
  });

  it('shows a Svelte component that compiles', () => {
    const blocks = blocksIn(page).filter(({ language }) => language === 'svelte');
    expect(blocks).toHaveLength(1);
    for (const { text } of blocks) expect(compile(text, {}).warnings).toEqual([]);
  });

  it('has a quick start of fewer than 30 lines', () => {
    const files = filesIn(page, 'Quick start');
    expect(files.map(({ name }) => name)).toEqual(['index.html', 'main.ts']);
    expect(files.reduce((sum, { text }) => sum + text.trimEnd().split('\n').length, 0)).toBeLessThan(30);
  });
});
