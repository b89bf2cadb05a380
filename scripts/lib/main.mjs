import process from 'node:process';

/**
 * Runs a command; what it throws is a sentence for the person, not a stack.
 *
 * @param {() => Promise<number | undefined>} command resolves to the exit code, if it is done
 */
export async function main(command) {
  try {
    const code = await command();
    if (code !== undefined) process.exitCode = code;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
