/** A link to the app that names a log on the web: `?log=…`. Anybody can have written it, so nothing is fetched before the user agrees. */
import { errorMessage } from '../base/format.ts';

export interface LogLink {
  readonly url: string;
  /** Where the log comes from. */
  readonly host: string;
  /** Why the link can't be used. */
  readonly problem?: string;
}

/** A larger log is opened as a file. */
const MOST_BYTES = 50_000_000;

/** Without a scheme, the log is beside the page. */
export function readLogLink(page: URL): LogLink | undefined {
  const address = page.searchParams.get('log');
  if (address === null) return undefined;
  const url = URL.parse(address, page);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { url: address, host: '', problem: 'It isn’t an http or https URL.' };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      url: url.href,
      host: url.host,
      problem: 'It contains a user name or a password. Links must not have any.',
    };
  }
  return { url: url.href, host: url.host };
}

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
