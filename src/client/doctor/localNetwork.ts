/** Which addresses a browser takes for local, and whether this page may reach them. */
export type AskPermission = (target: URL) => Promise<PermissionState | 'unknown'>;

export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname.startsWith('127.')
  );
}

/** Loopback, the private ranges (RFC 1918), link-local, unique local (RFC 4193), and mDNS names. */
export function isLocal(url: URL): boolean {
  const { hostname } = url;
  return (
    isLoopback(url) ||
    /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(hostname) ||
    /^\[f[cde]/i.test(hostname) ||
    hostname.endsWith('.local')
  );
}

/** Chrome first had one name for both, then one for each; other browsers know none. */
export const askBrowser: AskPermission = async (target) => {
  for (const name of [isLoopback(target) ? 'loopback-network' : 'local-network', 'local-network-access']) {
    try {
      const { state } = await navigator.permissions.query({ name: name as PermissionName });
      return state;
    } catch {
      // This browser does not know the permission by that name.
    }
  }
  return 'unknown';
};
