/** The Content-Security-Policy of a view, from what its resource declares (SEP-1865, "CSP Construction from Metadata"). */
import { asText } from '../base/asText.ts';
import { isObject } from '../base/json.ts';

/** An origin, or one with a wildcard for its first label. Nothing that could end a directive or name a keyword. */
const DOMAIN = /^(https?:\/\/|wss?:\/\/)?(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:(\d{1,5}|\*))?\/?$/i;

/** @param csp `_meta.ui.csp` of the resource; without one, nothing outside is reachable */
export function policyOf(csp: unknown): string {
  const declared = isObject(csp) ? csp : {};
  const domains = (name: string): string => {
    const list: unknown = declared[name];
    return Array.isArray(list)
      ? list
          .filter(isDomain)
          .map((one) => ` ${one}`)
          .join('')
      : '';
  };
  const resources = domains('resourceDomains');
  const wasm = declared['wasmUnsafeEval'] === true || isObject(declared['wasmUnsafeEval']);
  // What a view makes itself reaches nothing outside. Without a declaration, the text of the standard is followed exactly.
  const blob = isObject(csp) ? ' blob:' : '';
  // No 'self': the origin of a sandbox has no files for a view, and that of an opaque frame is the inspector's.
  return [
    `default-src 'none'`,
    `script-src 'unsafe-inline'${wasm ? " 'wasm-unsafe-eval'" : ''}${resources}`,
    `style-src 'unsafe-inline'${resources}`,
    `img-src data:${blob}${resources}`,
    `font-src data:${resources}`,
    `media-src data:${blob}${resources}`,
    `worker-src${blob || ` 'none'`}`,
    `connect-src${domains('connectDomains') || ` 'none'`}`,
    `frame-src${domains('frameDomains') || ` 'none'`}`,
    `object-src 'none'`,
    `base-uri${domains('baseUriDomains') || ` 'none'`}`,
    `form-action 'none'`,
  ].join('; ');
}

/** The domains that the policy allows, each once. */
export function declaredDomains(csp: unknown): readonly string[] {
  const { connectDomains, resourceDomains, frameDomains, baseUriDomains } = isObject(csp) ? csp : {};
  const lists = { connectDomains, resourceDomains, frameDomains, baseUriDomains };
  return [...new Set(listedIn(lists).filter(isDomain))];
}

/** The declared domains that aren't in the policy, because they aren't domains. */
export const refusedDomains = (csp: unknown): readonly string[] =>
  listedIn(csp)
    .filter((one) => !isDomain(one))
    .map(asText);

const listedIn = (csp: unknown): readonly unknown[] =>
  Object.values(isObject(csp) ? csp : {}).flatMap((list: unknown): readonly unknown[] =>
    Array.isArray(list) ? list : [],
  );

function isDomain(value: unknown): value is string {
  return typeof value === 'string' && value.length < 300 && DOMAIN.test(value);
}

const FEATURES: Readonly<Record<string, string>> = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
};

/** The `allow` attribute of the frames. The browser still asks the user. */
export function featuresOf(permissions: unknown): string {
  if (!isObject(permissions)) return '';
  return Object.keys(permissions)
    .flatMap((name) => FEATURES[name] ?? [])
    .map((feature) => `${feature} *`)
    .join('; ');
}
