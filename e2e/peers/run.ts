/**
 * `npm run bench:peers [-- --rounds 3 --only "MCP Inspector" --steps load,result]`: Reprise beside MCP Inspector and the
 * inspector of mcp-use, on one machine. The others are installed on the first run. What was measured is kept in
 * `results.json`, so a run can be made in pieces; a run without `--only` and `--steps` begins anew. `--write` puts the
 * table into the docs.
 */
import { parseArgs } from 'node:util';
import { forgetFound, keepFound, readFound } from './found.ts';
import { mcpInspector, mcpUse, reprise } from './inspectors.ts';
import { installPeers } from './install.ts';
import { startPeerServer } from './peerServer.ts';
import { STEPS, timeStep } from './steps.ts';
import { drawTable, writeTable } from './table.ts';

const PEERS = [reprise, mcpInspector, mcpUse];

const { rounds, only, steps, write } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    steps: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
}).values;
const peers = PEERS.filter(({ name }) => only === undefined || only.split(',').includes(name));
const wanted = steps?.split(',') ?? Object.keys(STEPS);
const unknown = wanted.filter((name) => !(name in STEPS));
if (peers.length === 0 || unknown.length > 0) {
  const names = PEERS.map(({ name }) => name).join(', ');
  throw new Error(`Available: --only ${names}; --steps ${Object.keys(STEPS).join(', ')}.`);
}

if (Number(rounds) > 0) {
  await installPeers();
  if (only === undefined && steps === undefined) await forgetFound(() => true);
  const servers = { few: await startPeerServer('few'), many: await startPeerServer('many') };
  try {
    for (let round = 0; round < Number(rounds); round += 1) {
      for (const peer of peers) for (const name of wanted) await measure(peer, name, servers);
    }
  } finally {
    await Promise.all([servers.few.close(), servers.many.close()]);
  }
}
console.log(drawTable(await readFound()));
if (write) await writeTable(await readFound());

async function measure(
  peer: (typeof PEERS)[number],
  name: string,
  servers: Parameters<(typeof STEPS)[string]>[1],
): Promise<void> {
  await STEPS[name]?.(peer, servers, async (what, page, step) => {
    const timed = await timeStep(page, step);
    const timing = timed === 'over' && what.startsWith('reload') ? 'disconnected' : timed;
    console.error(`${peer.name}: ${what}: ${JSON.stringify(timing)}`);
    const date = new Date().toISOString().slice(0, 10);
    await keepFound({ date, peer: peer.name, version: peer.version, what, timing });
  });
}
