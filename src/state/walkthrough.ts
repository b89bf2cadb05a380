/** The guided demo: what the room reads when a step has happened, what the speaker may say, what the key does next. */

export type Act = 'connect' | 'call' | 'reload' | 'ask' | 'answer' | 'restart' | 'start over';

/** What a caption may need to know. */
export interface Seen {
  /** Events that the reload of this step has missed, and the server has replayed. */
  readonly recovered: number;
}

export interface Step {
  /** True once the step has happened. It's never shown before. */
  readonly says: (seen: Seen) => string;
  /** While it happens. */
  readonly meanwhile: string;
  readonly note: string;
  /** What the key does from here. */
  readonly act: Act;
  readonly label: string;
}

export const STEPS: readonly Step[] = [
  {
    says: () => 'Reload the page during a tool call and lose nothing.',
    meanwhile: '',
    note: 'The demo is a real MCP server that runs in a service worker. It needs no network.',
    act: 'connect',
    label: 'Connect',
  },
  {
    says: () => 'Connected. The server keeps a session and sends an ID with every event.',
    meanwhile: 'Connecting…',
    note: 'Point out the lanes: each row is a request, and the background is the page load.',
    act: 'call',
    label: 'Call a tool',
  },
  {
    says: () => 'The tool sends a progress event on every tick.',
    meanwhile: 'Calling the tool…',
    note: 'Let a few ticks arrive. Each is stored together with its event ID.',
    act: 'reload',
    label: 'Reload the page',
  },
  {
    says: ({ recovered }) =>
      recovered > 0
        ? 'New page, same call. The new page asked for everything after its last event, and got it.'
        : 'New page, same call. The page was back before the next tick, so no events were missed.',
    meanwhile: 'The page is about to close. The tool keeps running.',
    note: 'Shaded: no page loaded. Hatched dots: replayed events. The server never stopped.',
    act: 'ask',
    label: 'Trigger an elicitation',
  },
  {
    says: () => 'Now the tool needs user input.',
    meanwhile: 'Calling the tool…',
    note: 'This is an elicitation: a request from the server to the client. The server waits for the response.',
    act: 'reload',
    label: 'Reload the page',
  },
  {
    says: () => 'After the reload, the request is still open.',
    meanwhile: 'The page is about to close, with the request unanswered.',
    note: 'Type an answer, or press Space to send one. It uses the request ID from the previous page load.',
    act: 'answer',
    label: 'Answer',
  },
  {
    says: () => 'Answered after the reload. The tool continued.',
    meanwhile: 'Sending the answer…',
    note: 'Next: what can’t be recovered. The server restarts during a call.',
    act: 'restart',
    label: 'Restart the server',
  },
  {
    says: () => 'The session is gone. Reprise reports the lost call and never fakes a result.',
    meanwhile: 'Restarting the server during a call…',
    note: 'Reprise started a new session. The running call is marked as lost and is never retried automatically.',
    act: 'start over',
    label: 'Start over',
  },
];
