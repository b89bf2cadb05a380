import { describe, expect, it } from 'vitest';
import { multiplexedOrigin } from './multiplexing.ts';

describe('multiplexing', () => {
  it.each(['h2', 'h3'])('is what %s does', (nextHopProtocol) => {
    expect(multiplexedOrigin({ name: 'https://a.example/mcp', nextHopProtocol })).toBe('https://a.example');
  });

  it.each(['http/1.1', ''])('is not assumed of "%s"', (nextHopProtocol) => {
    expect(multiplexedOrigin({ name: 'https://a.example/mcp', nextHopProtocol })).toBeUndefined();
  });
});
