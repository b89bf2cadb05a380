/** A stored entry as it may be shared. Its IDs are needed here, to resume by them, and nowhere else. */
import type { Entry } from '../log/entry/entry.ts';
import { carriesMessage } from '../log/entry/entryKinds.ts';
import { messageOf } from '../log/entry/messageOf.ts';
import { hideInJson, hideInMessage, type Hide } from './hideInJson.ts';
import { hideInTexts } from './hideInTexts.ts';

export interface EntryRedaction {
  readonly text: Hide;
  readonly url: Hide;
  readonly mayBeIn: (text: string) => boolean;
}

const IDS = ['stream', 'eventId', 'callId', 'requestId', 'taskId', 'appOf'];

export function redactEntry(entry: Entry, { text, url, mayBeIn }: EntryRedaction): Entry {
  const { seq, at, load, ...body } = entry;
  const ids = Object.entries(body).flatMap(([name, id]: [string, unknown]) =>
    IDS.includes(name) && typeof id === 'string' ? [[name, text(id)]] : [],
  );
  const safe = { seq, at, load, ...hideInTexts(body, text), ...Object.fromEntries(ids) } as Entry;
  if (carriesMessage(safe)) {
    if (!mayBeIn(safe.raw)) return safe;
    const message = messageOf(safe);
    const raw = message ? JSON.stringify(hideInMessage(message, text, text)) : text(safe.raw);
    return { ...safe, raw };
  }
  switch (safe.kind) {
    case 'http':
      return {
        ...safe,
        url: url(safe.url),
        requestHeaders: hideInJson(safe.requestHeaders, text),
        responseHeaders: hideInJson(safe.responseHeaders, text),
      };
    case 'auth':
      return safe.url === undefined ? safe : { ...safe, url: url(safe.url) };
    default:
      return safe;
  }
}
