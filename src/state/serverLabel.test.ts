import { describe, expect, it } from 'vitest';
import { serverLabel, serverLabels } from './serverLabel.ts';

const called = (name: string, title?: string) => ({ handshake: { serverInfo: { name, title } } });
const made = {
  name: '127.0.0.1:3411/api',
  url: 'http://127.0.0.1:3411/mcp',
  session: called('everything', 'Everything'),
};

describe('serverLabel', () => {
  it('is the server’s own name where the list has only its URL, also after the URL was corrected', () => {
    expect(serverLabel(made)).toBe('Everything');
  });

  it('is the name that the user gave it', () => {
    expect(serverLabel({ ...made, name: 'staging' })).toBe('staging');
  });

  it('is the name of the list while the server hasn’t said its own', () => {
    expect(serverLabel({ ...made, session: undefined })).toBe('127.0.0.1:3411/api');
    expect(serverLabel({ ...made, session: called('') })).toBe('127.0.0.1:3411/api');
  });
});

it('tells two servers apart that give themselves the same name', () => {
  const other = { ...made, name: '127.0.0.1:3500/mcp', url: 'http://127.0.0.1:3500/mcp' };
  expect(serverLabels([made, other, { ...made, name: 'staging' }])).toEqual([
    'Everything · 127.0.0.1:3411/api',
    'Everything · 127.0.0.1:3500/mcp',
    'staging',
  ]);
});
