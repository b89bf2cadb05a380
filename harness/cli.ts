#!/usr/bin/env node
/** `mcp-reprise`: thin. Reads the command, runs it, and ends with its exit code. */
import { runCommand } from './cli/commands.ts';
import { EXIT_CODES, HarnessError } from './harnessError.ts';

try {
  process.exitCode = await runCommand(process.argv.slice(2));
} catch (error) {
  const isKnown = error instanceof HarnessError;
  console.error(isKnown ? error.message : error);
  process.exitCode = EXIT_CODES[isKnown ? error.kind : 'unusable'];
}
