// Every TypeScript and JavaScript block of the docs compiles, against the sources that the package is built from.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ROOT } from '../lib/paths.mjs';
import { BESIDE, GIVEN } from './given.ts';
import { blocksOf, readPages, type Block } from './pages.ts';

/** The sources behind the exports of package.json. A new export needs a line here. */
const EXPORTS = { 'mcp-reprise/playwright': ['harness/playwright/index.ts'] };

/** Pages whose blocks are compiled by a test beside the code that they describe. */
const COMPILED_BY: Readonly<Record<string, string>> = {
  'docs/client.md': 'src/client/public/docs.test.ts',
};

const EXTENSIONS: Readonly<Record<string, string>> = {
  ts: 'ts',
  typescript: 'ts',
  js: 'mjs',
  mjs: 'mjs',
  javascript: 'mjs',
};

interface Source {
  readonly block: Block;
  readonly file: string;
  readonly text: string;
  /** How many lines were put before the code of the block. */
  readonly added: number;
}

function sourceOf(block: Block, i: number): Source | undefined {
  const extension = EXTENSIONS[block.language];
  if (extension === undefined) return undefined;
  const given = GIVEN[block.page] ?? '';
  // A page with given declarations is checked as TypeScript, because a script can't declare.
  const file = join(ROOT, 'docs', `.block${i}.${given === '' ? extension : 'ts'}`);
  // A block without an import is a module all the same.
  return {
    block,
    file,
    text: `${given}${block.code}\nexport {};\n`,
    added: given.split('\n').length - 1,
  };
}

function compile(blocks: readonly Block[]): readonly string[] {
  const sources = blocks.flatMap((block, i) => sourceOf(block, i) ?? []);
  const beside = Object.entries(BESIDE).map(([path, text]) => [join(ROOT, path), text] as const);
  const textOf = new Map([...sources.map(({ file, text }) => [file, text] as const), ...beside]);
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, paths: EXPORTS, isolatedModules: false },
    ROOT,
  );
  const host = ts.createCompilerHost(options);
  const disk = { ...host };
  host.fileExists = (file) => textOf.has(file) || disk.fileExists(file);
  host.readFile = (file) => textOf.get(file) ?? disk.readFile(file);
  host.getSourceFile = (file, ...rest) => {
    const text = textOf.get(file);
    return text === undefined ? disk.getSourceFile(file, ...rest) : ts.createSourceFile(file, text, rest[0]);
  };
  const program = ts.createProgram([...textOf.keys()], { ...options, noEmit: true }, host);
  return sources.flatMap(({ block, file, added }) => {
    const source = program.getSourceFile(file);
    if (!source) return [`${block.page}:${block.line}: not compiled`];
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ start = 0, messageText }) => {
      const line = source.getLineAndCharacterOfPosition(start).line - added + 1;
      return `${block.page}:${block.line + line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  });
}

test('every TypeScript and JavaScript block of the docs compiles', { timeout: 120_000 }, () => {
  const pages = readPages();
  const elsewhere = pages.flatMap(({ path }) => COMPILED_BY[path] ?? []);
  expect(elsewhere.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const blocks = pages.filter(({ path }) => COMPILED_BY[path] === undefined).flatMap(blocksOf);
  const wrong = {
    page: 'docs/wrong.md',
    line: 1,
    language: 'ts',
    code: "import { test } from 'mcp-reprise/playwright';\ntest('x', async ({ inspectr }) => inspectr.reload());",
  };
  // The wrong one shows that the types are looked at.
  const errors = compile([...blocks, wrong]);
  expect(errors.filter((error) => !error.startsWith(wrong.page))).toEqual([]);
  expect(errors.join('\n')).toContain("Property 'inspectr' does not exist");
  expect(blocks.filter(({ language }) => language in EXTENSIONS).length).toBeGreaterThan(4);
});
