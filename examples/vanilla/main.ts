/** A button, a progress bar and a result, without a framework. Reload in the middle of a call: the bar goes on. */
import {
  indexedDbStore,
  openClient,
  type Call,
  type ConnectionState,
  type Outcome,
} from 'mcp-reprise/client';

/** In the repository, `npm run target -- resumable --port 3001` starts this server. Another one: `?server=<url>`. */
const url = new URLSearchParams(location.search).get('server') ?? 'http://localhost:3001/mcp';
const KEY = 'countdown';

const run = element('#run', HTMLButtonElement);
const cancel = element('#cancel', HTMLButtonElement);
const bar = element('progress', HTMLProgressElement);
const step = element('#step', HTMLElement);
const output = element('output', HTMLOutputElement);
const status = element('[role=status]', HTMLElement);

const client = await openClient({
  url,
  clientInfo: { name: 'vanilla-example', version: '1.0.0' },
  store: indexedDbStore('vanilla-example'),
});

client.on('state', showState);
showState(client.state);

// After a reload, this is the call that the page before has made. It's being resumed already.
const last = client.find(KEY);
if (last) void show(last);

run.onclick = async () => {
  try {
    await show(await client.call('countdown', { ticks: 20, intervalMs: 500 }, { key: KEY }));
  } catch (error) {
    // Only what keeps the call from being made. What becomes of it is an outcome.
    output.textContent = error instanceof Error ? error.message : String(error);
  }
};

async function show(call: Call): Promise<void> {
  const stop = call.subscribe(draw);
  draw();
  run.disabled = true;
  cancel.disabled = false;
  cancel.onclick = () => void call.cancel();
  output.textContent = '';
  const outcome = await call.result;
  stop();
  draw();
  run.disabled = false;
  cancel.disabled = true;
  output.textContent = outcomeText(outcome);

  function draw(): void {
    const { progress } = call.getSnapshot();
    bar.max = progress?.total ?? 1;
    bar.value = progress?.progress ?? 0;
    step.textContent = progress?.message ?? '';
  }
}

function outcomeText(outcome: Outcome): string {
  if (outcome.name !== 'settled') {
    return outcome.safeToRetry ? `${outcome.why} You can run it again.` : outcome.why;
  }
  if (!outcome.ok) return `Error: ${outcome.error.message}`;
  return outcome.result.content
    .map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
    .join('\n');
}

function showState(state: ConnectionState): void {
  status.textContent = stateText(state);
  run.disabled = state.name === 'failed' || state.name === 'closed';
}

function stateText(state: ConnectionState): string {
  switch (state.name) {
    case 'connected':
      return state.how === 'resumed' ? 'Connected. The session was resumed.' : 'Connected';
    case 'reconnecting':
      return `Reconnecting. ${state.why}`;
    case 'failed':
      return `Can’t connect. ${state.why} ${state.fix}`;
    case 'connecting':
      return 'Connecting…';
    default:
      return state.name;
  }
}

function element<T extends Element>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`Element not found: ${selector}`);
  return found;
}
