#!/usr/bin/env node
/** `mcp-reprise`: thin. Reads the command, runs it, and ends with its exit code. */
import { runCommand } from './cli/commands.ts';
import { EXIT_CODES, HarnessError } from './harnessError.ts';

try {
  process.exitCode = await runCommand(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof HarnessError)) throw error;
  console.error(error.message);
  process.exitCode = EXIT_CODES[error.kind];
}
