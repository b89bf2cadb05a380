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
    says: 'A tool call, a reload in the middle, and nothing lost.',
    note: 'The demo is a real MCP server. It lives in a service worker of this page, so no network is needed.',
    act: 'connect',
    label: 'Connect',
  },
  {
    says: 'Connected. The server keeps a session and numbers its events.',
    note: 'Point at the lanes: the handshake, the lists, and the standalone stream that stays open.',
    act: 'call',
    label: 'Call a tool',
  },
  {
    says: 'The tool counts, and each tick is an event on the stream of its call.',
    note: 'Let a few ticks come. Each is written to disk together with its position before it is shown as stored.',
    act: 'reload',
    label: 'Reload the page',
  },
  {
    says: 'A new page, the same call: what was missed was replayed.',
    note: 'The shaded part is the time without a page. Hatched dots were replayed; the server went on all the while.',
    act: 'ask',
    label: 'Let the tool ask',
  },
  {
    says: 'Now the tool waits for a person.',
    note: 'The question is on its way in both directions: the server waits for the answer to its own request.',
    act: 'reload',
    label: 'Reload the page',
  },
  {
    says: 'The question is still here, and the server still waits.',
    note: 'Type an answer, or let the key give one. It is posted with the id of the old page’s request.',
    act: 'answer',
    label: 'Answer',
  },
  {
    says: 'Answered after the reload, and the tool went on.',
    note: 'Now for what cannot be saved: the server itself goes down in the middle of a call.',
    act: 'restart',
    label: 'Restart the server',
  },
  {
    says: 'The server forgot the session. What is lost is said, not guessed.',
    note: 'A new session was begun. The call that ran is marked as lost, and is never run again by itself.',
    act: 'begin again',
    label: 'Begin again',
  },
];
