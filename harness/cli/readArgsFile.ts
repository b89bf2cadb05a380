/** `--args @file` and `--args -`: arguments that are too long for a command line. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { HarnessError } from '../harnessError.ts';

/** The same command line, with the text of the file or of standard input in its place. */
export async function readArgsFile(argv: readonly string[], input: NodeJS.ReadableStream): Promise<string[]> {
  const at = argv.indexOf('--args') + 1;
  const given = argv[at];
  if (at === 0 || given === undefined || (given !== '-' && !given.startsWith('@'))) return [...argv];
  return argv.with(at, given === '-' ? await text(input) : await read(given.slice(1)));
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new HarnessError('usage', `Can't read --args from ${path}.`, { cause: error });
  }
}
