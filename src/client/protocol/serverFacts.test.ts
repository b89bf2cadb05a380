import * as sdk from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as keys from './metaKeys.ts';
import { SESSION_VERSIONS } from './negotiation.ts';
import { isDiscoverResult, isImplementation, readInitializeResult } from './serverFacts.ts';

/** Mostly what it should be. */
const perhaps = (right: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 12, arbitrary: right },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null, true, 3, 'text', [], {}, { a: 1 }) },
  );
const record = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  perhaps(
    fc.record(Object.fromEntries(Object.entries(shape).map(([name, right]) => [name, perhaps(right)]))),
  );
const text = fc.constantFrom('a', '');
const flag = fc.boolean();
const icon = record({
  src: text,
  mimeType: text,
  sizes: fc.array(perhaps(text)),
  theme: fc.constant('dark'),
});
const implementation = record({
  name: text,
  version: text,
  title: text,
  websiteUrl: text,
  description: text,
  icons: fc.array(icon, { maxLength: 2 }),
});
const object = fc.constant({ any: 1 });
const capabilities = record({
  experimental: record({ one: object }),
  extensions: record({ one: object }),
  logging: object,
  completions: object,
  prompts: record({ listChanged: flag }),
  tools: record({ listChanged: flag }),
  resources: record({ listChanged: flag, subscribe: flag }),
  tasks: record({ list: object, cancel: object, requests: record({ tools: record({ call: object }) }) }),
  unknown: fc.anything(),
});
const results = record({
  protocolVersion: text,
  supportedVersions: fc.array(perhaps(text), { maxLength: 2 }),
  capabilities,
  serverInfo: implementation,
  instructions: text,
});

describe('what a server says of itself', () => {
  it('is valid exactly if the SDK’s schema says so', () => {
    fc.assert(
      fc.property(results, implementation, (result, info) => {
        expect(readInitializeResult(result).ok).toBe(sdk.isSpecType.InitializeResult(result));
        expect(isDiscoverResult(result)).toBe(sdk.isSpecType.DiscoverResult(result));
        expect(isImplementation(info)).toBe(sdk.isSpecType.Implementation(info));
      }),
      { numRuns: 3000 },
    );
  });

  it('names what is missing or invalid', () => {
    expect(
      readInitializeResult({ capabilities: { tools: true }, serverInfo: { name: 'a', version: '1' } }),
    ).toEqual({
      ok: false,
      error: ['`protocolVersion` is missing.', '`capabilities` is invalid.'],
    });
  });
});

describe('names of the protocol', () => {
  it('are the SDK’s', () => {
    expect({ ...sdk }).toMatchObject({ ...keys, SUPPORTED_PROTOCOL_VERSIONS: SESSION_VERSIONS });
  });
});
