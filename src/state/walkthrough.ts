/** The walk through the demo: what the room reads at each step, what the speaker may say, what the key does next. */

export type Act = 'connect' | 'call' | 'reload' | 'ask' | 'answer' | 'restart' | 'begin again';

export interface Step {
  readonly says: string;
  readonly note: string;
  /** What the key does from here. */
  readonly act: Act;
  readonly label: string;
}

export const STEPS: readonly Step[] = [
  {
    says: 'Reload the page during a tool call and lose nothing.',
    note: 'The demo is a real MCP server that runs in a service worker. It needs no network.',
    act: 'connect',
    label: 'Connect',
  },
  {
    says: 'Connected. The server keeps a session and sends an ID with every event.',
    note: 'Point out the lanes: initialization, the tool list, and the standalone stream that stays open.',
    act: 'call',
    label: 'Call a tool',
  },
  {
    says: 'The tool sends a progress event on every tick.',
    note: 'Let a few ticks arrive. Each is stored together with its event ID.',
    act: 'reload',
    label: 'Reload the page',
  },
  {
    says: 'New page, same call. The missed events were replayed.',
    note: 'Shaded: no page loaded. Hatched dots: replayed events. The server never stopped.',
    act: 'ask',
    label: 'Trigger an elicitation',
  },
  {
    says: 'Now the tool needs user input.',
    note: 'This is an elicitation: a request from the server to the client. The server waits for the response.',
    act: 'reload',
    label: 'Reload the page',
  },
  {
    says: 'After the reload, the request is still open.',
    note: 'Type an answer, or press Space to send one. It uses the request ID from the previous page load.',
    act: 'answer',
    label: 'Answer',
  },
  {
    says: 'Answered after the reload. The tool continued.',
    note: 'Next: what can’t be recovered. The server restarts during a call.',
    act: 'restart',
    label: 'Restart the server',
  },
  {
    says: 'The session is gone. Reprise reports the lost call and never fakes a result.',
    note: 'Reprise started a new session. The running call is marked as lost and is never retried automatically.',
    act: 'begin again',
    label: 'Start over',
  },
];
