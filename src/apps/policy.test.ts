import fc from 'fast-check';
import { expect, test } from 'vitest';
import { declaredDomains, featuresOf, policyOf, refusedDomains } from './policy.ts';

const directive = (policy: string, name: string) =>
  policy
    .split('; ')
    .find((one) => one.startsWith(`${name} `))
    ?.slice(name.length + 1);

test('a view that declares nothing reaches nothing', () => {
  const policy = policyOf(undefined);
  expect(directive(policy, 'default-src')).toBe("'none'");
  expect(directive(policy, 'connect-src')).toBe("'none'");
  expect(directive(policy, 'frame-src')).toBe("'none'");
  expect(directive(policy, 'base-uri')).toBe("'none'");
  expect(policy).not.toMatch(/https?:|\*/);
});

test('declared domains are reachable for what they are declared for', () => {
  const policy = policyOf({
    connectDomains: ['https://api.example', 'wss://live.example:8443'],
    resourceDomains: ['https://*.cdn.example'],
    frameDomains: ['https://frame.example'],
    baseUriDomains: ['https://base.example'],
  });
  expect(directive(policy, 'connect-src')).toBe('https://api.example wss://live.example:8443');
  for (const name of ['script-src', 'style-src', 'img-src', 'font-src', 'media-src'])
    expect(directive(policy, name)).toContain('https://*.cdn.example');
  expect(directive(policy, 'frame-src')).toBe('https://frame.example');
  expect(directive(policy, 'base-uri')).toBe('https://base.example');
});

test.each([
  '*',
  "'self'",
  "'unsafe-eval'",
  'https:',
  'data:',
  'https://a.example; script-src *',
  'https://a.example https://b.example',
  'https://a.example"><script>',
  'javascript:alert(1)',
  '',
  7,
  null,
])('%j is no domain, and is left out', (domain) => {
  const csp = { connectDomains: [domain], resourceDomains: [domain] };
  expect(policyOf(csp)).toBe(policyOf({}));
  expect(refusedDomains(csp)).toEqual([String(domain), String(domain)]);
});

test('what a view may reach is listed once, without what the policy leaves out', () => {
  const csp = {
    connectDomains: ['https://a.example', '*'],
    resourceDomains: ['https://a.example', 'https://*.b.example'],
    others: ['https://c.example'],
  };
  expect(declaredDomains(csp)).toEqual(['https://a.example', 'https://*.b.example']);
  expect(declaredDomains(undefined)).toEqual([]);
});

test('no declaration can add a directive, a keyword or a quotation mark', () => {
  const names = (policy: string) => policy.split('; ').map((one) => one.split(' ')[0]);
  const part = fc.constantFrom(
    'https://',
    'a.example',
    '*',
    '*.',
    ':8080',
    ';',
    "'",
    '"',
    ' ',
    'unsafe-eval',
    '<',
    '/',
  );
  const domain = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(domain, { maxLength: 4 }), (list) => {
      const policy = policyOf({ connectDomains: list, resourceDomains: list, frameDomains: list });
      expect(names(policy)).toEqual(names(policyOf({})));
      expect(policy).not.toMatch(/["<>]|unsafe-eval'/);
    }),
  );
});

test('WebAssembly is allowed where it is declared', () => {
  expect(policyOf({ wasmUnsafeEval: true })).toContain("'wasm-unsafe-eval'");
  expect(policyOf({})).not.toContain('wasm');
});

test('only the four permissions of the standard become features', () => {
  expect(featuresOf({ camera: {}, clipboardWrite: {}, usb: {} })).toBe('camera *; clipboard-write *');
  expect(featuresOf(undefined)).toBe('');
});
