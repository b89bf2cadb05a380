/** A button, a progress bar and a result in React. Reload in the middle of a call: the bar goes on. */
import { StrictMode, Suspense, use, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { indexedDbStore, openClient, type CallSnapshot } from 'mcp-reprise/client';

/** In the repository, `npm run target -- resumable --port 3001` starts this server. Another one: `?server=<url>`. */
const url = new URLSearchParams(location.search).get('server') ?? 'http://localhost:3001/mcp';
const KEY = 'countdown';

/** Opened once, outside of the components: a render must not reconnect. */
const opening = openClient({
  url,
  clientInfo: { name: 'react-example', version: '1.0.0' },
  store: indexedDbStore('react-example'),
});

function Countdown() {
  const client = use(opening);
  const { state, calls } = useSyncExternalStore(client.subscribe, client.getSnapshot);
  const call = calls.findLast(({ key }) => key === KEY);
  const run = () => client.call('countdown', { ticks: 20, intervalMs: 500 }, { key: KEY });
  return (
    <main>
      <h1>A call that survives F5</h1>
      <p role="status">{'why' in state ? `${state.name}: ${state.why}` : state.name}</p>
      <button type="button" onClick={() => void run()} disabled={state.name === 'failed' || isOpen(call)}>
        Run
      </button>
      <p>
        <progress
          aria-label="Progress"
          max={call?.progress?.total ?? 1}
          value={call?.progress?.progress ?? 0}
        />{' '}
        {call?.progress?.message}
      </p>
      <output>{call && outcomeText(call)}</output>
    </main>
  );
}

const isOpen = (call: CallSnapshot | undefined) => call !== undefined && !('endedAt' in call.state);

function outcomeText({ state }: CallSnapshot): string {
  if (!('endedAt' in state)) return '';
  if (state.name !== 'settled') return state.why;
  if (!state.ok) return `Error: ${state.error.message}`;
  return state.result.content
    .map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
    .join('\n');
}

createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <Suspense fallback="Opening…">
      <Countdown />
    </Suspense>
  </StrictMode>,
);
