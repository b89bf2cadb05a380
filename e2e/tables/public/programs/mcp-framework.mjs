// mcp-framework over HTTP: `batch`, or `stream` with its resumability. It loads its tools from a folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { MCPServer } from 'mcp-framework';
import { MODE, PORT } from './count.mjs';

mkdirSync('dist/tools', { recursive: true });
writeFileSync(
  'dist/tools/CountTool.js',
  `import { MCPTool } from 'mcp-framework';
import { count, STEPS } from '../../count.mjs';
export default class CountTool extends MCPTool {
  name = 'count';
  description = 'Counts to ten';
  schema = {};
  execute() {
    return count((step) => this.reportProgress(step, STEPS)).then(({ content }) => content[0].text);
  }
}
`,
);
const server = new MCPServer({
  name: `mcp-framework-${MODE}`,
  version: '1.0.0',
  basePath: `${process.cwd()}/dist`,
  transport: {
    type: 'http-stream',
    options: {
      port: PORT,
      endpoint: '/mcp',
      responseMode: MODE,
      resumability: { enabled: MODE === 'stream' },
      cors: { allowOrigin: '*' },
    },
  },
});
await server.start();
