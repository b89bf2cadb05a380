// The command that the suite runs: node submitTask.mjs <taskServer> <server>
import process from 'node:process';

const [taskServer = '', url = ''] = process.argv.slice(2);
const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env;
// The suite's own time limit kills only the shell around a command.
const signal = AbortSignal.timeout(50_000);
const body = JSON.stringify({ url, scenario, context: JSON.parse(context) });
const response = await fetch(taskServer, { method: 'POST', body, signal });
if (!response.ok) {
  console.error(await response.text());
  process.exitCode = 1;
}
