/** The version of package.json, put in by Vite. */
declare const __REPRISE_VERSION__: string;

/** As much of Trusted Types as the page needs. What a policy makes is taken wherever an address is. */
interface Window {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL: (address: string) => string },
    ): { createScriptURL(address: string): URL };
  };
}

interface ArrayConstructor {
  /** Narrows to `unknown[]`; the built-in type narrows to `any[]`, which every check against coercions lets pass. */
  isArray(value: unknown): value is unknown[];
}
