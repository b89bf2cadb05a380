/** The environment of a server: six variables that programs need, and those that the user names. Pure. */

export type Env = Readonly<Record<string, string | undefined>>;

/** As the SDK's stdio client passes them. */
const ALWAYS =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PROCESSOR_ARCHITECTURE',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
      ]
    : ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

/** Without these a server behind a proxy, or with certificates of its own, hangs without a word. */
const OFTEN_NEEDED = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'NODE_OPTIONS',
  'VIRTUAL_ENV',
];

export interface ServerEnvironment {
  readonly values: Readonly<Record<string, string>>;
  /** Names, for the user. */
  readonly always: readonly string[];
  readonly named: readonly string[];
  /** Set, known to matter, and not passed. */
  readonly notPassed: readonly string[];
}

export function serverEnvironment(env: Env, named: readonly string[]): ServerEnvironment {
  const isSet = (name: string): boolean => env[name] !== undefined;
  // A shell function is not a value, and runs in some shells (CVE-2014-6271).
  const always = ALWAYS.filter((name) => isSet(name) && !env[name]?.startsWith('()'));
  const passed = [...always, ...named];
  const values = Object.fromEntries(passed.flatMap((name) => (isSet(name) ? [[name, env[name] ?? '']] : [])));
  return {
    values,
    always,
    named,
    notPassed: OFTEN_NEEDED.filter((name) => isSet(name) && !passed.includes(name)),
  };
}
