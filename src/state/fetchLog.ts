/** Loads the log that a link names, once the user has agreed. */
import { errorMessage } from '../base/format.ts';
import type { LogLink } from './logLink.ts';

/** A larger log is opened as a file. */
const MOST_BYTES = 50_000_000;

/** Throws, in words, if there is no log of a usable size. */
export async function fetchLog({ url, host }: LogLink, get: typeof fetch): Promise<File> {
  const response = await get(url, { credentials: 'omit', referrerPolicy: 'no-referrer' }).catch(
    (error: unknown) => {
      throw new Error(
        `Can’t load the log from ${host} (${errorMessage(error)}). The host must be reachable and allow this page (CORS).`,
      );
    },
  );
  if (!response.ok) throw new Error(`Can’t load the log. ${host} responded with HTTP ${response.status}.`);
  const name = decodedName(new URL(url).pathname) || host;
  return new File(await readBounded(response), name, { type: 'application/json' });
}

async function readBounded(response: Response): Promise<BlobPart[]> {
  const parts: BlobPart[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    bytes += next.value.byteLength;
    if (bytes > MOST_BYTES) {
      await reader?.cancel();
      throw new Error(
        `This log has more than ${MOST_BYTES / 1_000_000} MB. Download it, and import the file.`,
      );
    }
    parts.push(next.value);
  }
  return parts;
}

function decodedName(path: string): string {
  const last = path.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
