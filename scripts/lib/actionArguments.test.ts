import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { actionArguments } from './actionArguments.mjs';

const REPORT = ['--html', 'mcp-reprise-report'];
const KEPT = ['--badge', 'mcp-reprise-report/badge.json', '--traces', 'mcp-reprise-report/traces'];

describe('the inputs of the action', () => {
  test.each([
    [{ INPUT_URL: 'http://localhost:3000/mcp' }, ['verify', 'http://localhost:3000/mcp', ...REPORT, ...KEPT]],
    [
      { INPUT_STDIO: 'node server.js', INPUT_QUICK: 'true' },
      ['verify', '--stdio', 'node server.js', '--quick', ...REPORT, ...KEPT],
    ],
    [
      { INPUT_URL: 'http://a/mcp', INPUT_START: 'npm start', INPUT_ARGS: '{"a": 1}', INPUT_TOOL: 't' },
      [
        'verify',
        'http://a/mcp',
        '--start',
        'npm start',
        '--tool',
        't',
        '--args',
        '{"a": 1}',
        ...REPORT,
        ...KEPT,
      ],
    ],
    [
      {
        INPUT_TARGETS: 't.json',
        INPUT_OPTIONS: '--header X-Key: env:KEY\n\n  --allow-no-cors',
        INPUT_QUICK: 'false',
      },
      ['verify', '--targets', 't.json', ...REPORT, ...KEPT, '--header', 'X-Key: env:KEY', '--allow-no-cors'],
    ],
    [
      { INPUT_PAGE: 'http://localhost:5173', INPUT_SCRIPT: 'play.mjs', INPUT_REPORT: 'out' },
      ['verify-page', 'http://localhost:5173', '--script', 'play.mjs', '--html', 'out'],
    ],
  ])('%j', (env, expected) => {
    expect(actionArguments(env)).toEqual(expected);
  });

  test.each([{}, { INPUT_URL: 'http://a/', INPUT_PAGE: 'http://b/' }])('%j names no place, or two', (env) => {
    expect(() => actionArguments(env)).toThrow('Set exactly one of the inputs');
  });

  test('are all handed to the script', () => {
    const action = readFileSync('action.yml', 'utf8');
    const [, inputs = ''] = /^inputs:\n([^]*?)^outputs:/m.exec(action) ?? [];
    const names = [...inputs.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(10);
    const handed = names.filter((name) => name !== 'artifact' && name !== 'version');
    for (const name of handed) {
      expect(action).toContain(`INPUT_${name.toUpperCase().replaceAll('-', '_')}: \${{ inputs.${name} }}`);
    }
  });
});
