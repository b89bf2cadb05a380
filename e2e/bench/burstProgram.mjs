// The burst server over stdio: its messages are made in one go, so that a benchmark measures the bridge and the page.
import process from 'node:process';
import { createInterface } from 'node:readline';

/**
 * @typedef {object} Request
 * @property {string} [id]
 * @property {string} [method]
 * @property {{ _meta?: { progressToken?: string }, arguments?: { count?: number, bytes?: number } }} [params]
 */

const write = (/** @type {object} */ message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** Numbered progress, and the result, in one write. */
function burst(
  /** @type {string} */ id,
  /** @type {string} */ progressToken,
  /** @type {number} */ count,
  /** @type {number} */ bytes,
) {
  const filler = 'x'.repeat(bytes);
  const lines = [];
  for (let i = 1; i <= count; i += 1) {
    const params = {
      progressToken,
      progress: i,
      total: count,
      message: `step ${i} of ${count}${filler}`,
    };
    lines.push(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }));
  }
  const result = { content: [{ type: 'text', text: `sent ${count}` }] };
  lines.push(JSON.stringify({ jsonrpc: '2.0', id, result }));
  process.stdout.write(`${lines.join('\n')}\n`);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = /** @type {Request} */ (JSON.parse(line));
  if (id === undefined || method === undefined) continue;
  if (method === 'initialize') {
    const serverInfo = { name: 'burst', version: '1' };
    write({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') {
    write({ id, result: { tools: [{ name: 'burst', inputSchema: { type: 'object' } }] } });
  } else if (method === 'tools/call') {
    const { count = 0, bytes = 0 } = params?.arguments ?? {};
    burst(id, params?._meta?.progressToken ?? id, count, bytes);
  } else if (method === 'server/discover') {
    write({ id, error: { code: -32601, message: 'Method not found' } });
  } else write({ id, result: {} });
}
