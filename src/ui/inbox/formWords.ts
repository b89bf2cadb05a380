/** The sentences of the forms that answer input requests. */
import type { Sentence } from '../parts/sentence.ts';

export const WORDS = {
  elicitation: 'The server requests input.',
  secrets: 'Don’t enter passwords or keys. The server receives exactly what you submit.',
  submitAgain: 'Submit again to send it.',
  sampling: 'The server requests a completion. Write the model’s reply.',
  openUrl: 'The server asks you to open a URL.',
  required: 'The call failed because this step is required first. Complete it, then call the tool again.',
  ruleHint: 'Applies to this and all later requests. Change it in Client.',
  markedDone: 'Marked as done by you.',
  confirmed: 'Confirmed by the server.',
  unconfirmed: 'Waiting for the server to confirm.',
  closedOf: (server: string) => `Closed requests from ${server}`,
  closedList: 'A list of closed requests',
  markDone: 'Mark as done',
  notify: 'Notify me of new requests',
  notifyHint: 'When this tab is in the background',
  alwaysDecline: (kind: string) => `Always decline ${kind} from this server`,
  url: 'URL to open',
  opens: (host: string, isSecure: boolean): Sentence => [
    'Opens ',
    { strong: host },
    `${isSecure ? '' : ' (not encrypted)'}. Anything you enter there goes to that site, not to Reprise.`,
  ],
  acceptUrl: 'Accept and open',
} as const;
