import { describe, expect, it } from 'vitest';
import { listChangesText } from '../../log/reasons/listChanges.ts';
import { reasonText } from '../../log/reasons/reasonText.ts';
import { listChanges, NO_LISTS, serverChange, type Catalog } from './catalog.ts';

const describeChanges = (before: Catalog, after: Catalog) => listChangesText(listChanges(before, after));

const tool = (name: string, more: object = {}) =>
  ({ name, inputSchema: { type: 'object' }, ...more }) as Catalog['tools'][number];
const tools = (...all: Catalog['tools']): Catalog => ({ ...NO_LISTS, tools: all });

describe('what changed on a server', () => {
  it('is told by name', () => {
    expect(describeChanges(tools(tool('a'), tool('b')), tools(tool('b'), tool('c')))).toBe(
      'Tools: c added, a removed.',
    );
  });

  it('is told by content, field by field', () => {
    const before = tools(tool('a'), tool('b', { description: 'old' }));
    const after = tools(
      tool('a', { inputSchema: { type: 'object', required: ['x'] }, annotations: { readOnlyHint: true } }),
      tool('b', { description: 'new' }),
    );
    expect(describeChanges(before, after)).toBe(
      'Tools: a changed (input schema, annotations), b changed (description).',
    );
  });

  it('is nothing where nothing changed', () => {
    expect(describeChanges(tools(tool('a')), tools(tool('a')))).toBe('');
  });

  it('is its name, its version and its capabilities, too', () => {
    const handshake = (version: string, capabilities: object) => ({
      protocolVersion: '2025-11-25',
      capabilities,
      serverInfo: { name: 'fast', version },
    });
    const change = serverChange(handshake('1.0', { tools: {} }), handshake('2.0', { prompts: {} }));
    expect(reasonText(change)).toBe(
      'The server is now fast 2.0 (was fast 1.0). Capabilities changed: tools, prompts.',
    );
    expect(serverChange(handshake('1.0', {}), handshake('1.0', {}))).toBeUndefined();
  });
});
