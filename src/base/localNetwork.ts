/** Which URLs lead to this machine or to its network. Pure. */

const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const PRIVATE_IPV4 =
  /^(0\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;

export function isLoopback({ hostname }: URL): boolean {
  const name = withoutDot(hostname);
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(name) ||
    // An IPv4 address in IPv6 form.
    /^\[::ffff:7f[0-9a-f]{2}:/.test(name)
  );
}

/**
 * Loopback, “this host”, the private ranges (RFC 1918), shared (RFC 6598), link-local, unique local (RFC 4193), IPv4 in
 * IPv6 form, mDNS names, and names that only a local resolver knows.
 */
export function isLocal(url: URL): boolean {
  const name = withoutDot(url.hostname);
  return (
    isLoopback(url) ||
    (IPV4.test(name) && PRIVATE_IPV4.test(name)) ||
    /^\[(f[cde]|::ffff:|::\]|64:ff9b:)/.test(name) ||
    /\.(local|internal|home\.arpa)$/.test(name) ||
    !/[.:]/.test(name)
  );
}

/** A name may end in the dot of the root zone. */
const withoutDot = (hostname: string): string => hostname.replace(/\.$/, '');
