/** The login page: in the place of this one, or in a window beside it that hands its answer back. */
import { requireSecureUrl } from './webUrl.ts';
import { readCallback, type Callback } from './callback.ts';
import type { LoginWay } from './loginPlan.ts';

const CHANNEL = 'reprise/logins';
const WINDOW = 'reprise-login';
const SIZE = 'popup,width=520,height=720';
/** How long the page that opened the window may take to say that it is there. */
const HAND_OVER_MS = 2000;

type LoginMessage =
  | { readonly type: 'answer'; readonly search: string }
  | { readonly type: 'taken'; readonly state: string };

/** The logins that this page waits for, by their state. */
const begun = new Set<string>();

/** Called in a click: a browser lets a window open only then. One that is blocked becomes a redirect. */
export async function openLogin(way: LoginWay, begin: () => Promise<URL>): Promise<void> {
  const popup = way === 'popup' ? window.open('', WINDOW, SIZE) : null;
  try {
    const url = requireSecureUrl(await begin(), 'authorization_endpoint');
    begun.add(url.searchParams.get('state') ?? '');
    if (!popup) {
      location.assign(url);
      return;
    }
    // The login page need not know who opened it, nor lead that page elsewhere.
    popup.opener = null;
    popup.location.assign(url.href);
  } catch (error) {
    popup?.close();
    throw error;
  }
}

/** In the login window: gives the answer to the page that began the login. @returns whether it took it */
export function handOver({ state, parameters }: Callback): Promise<boolean> {
  if (!state.startsWith('popup.')) return Promise.resolve(false);
  // Only pages of this origin hear this channel.
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    const end = (isTaken: boolean): void => {
      clearTimeout(timer);
      channel.close();
      resolve(isTaken);
    };
    // The page may have been loaded again meanwhile: then this window finishes the login itself.
    const timer = setTimeout(() => end(false), HAND_OVER_MS);
    channel.onmessage = ({ data }: MessageEvent<LoginMessage>) => {
      if (data.type === 'taken' && data.state === state) end(true);
    };
    channel.postMessage({ type: 'answer', search: parameters.toString() } satisfies LoginMessage);
  });
}

/** In every page: takes the answers to the logins that it began. */
export function takeLogins(take: (login: Callback) => Promise<unknown>): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<LoginMessage>) => {
    if (data.type !== 'answer') return;
    const login = readCallback(new URL(`?${data.search}`, location.origin));
    if (!login || !begun.delete(login.state)) return;
    channel.postMessage({ type: 'taken', state: login.state } satisfies LoginMessage);
    void take(login);
  };
}
