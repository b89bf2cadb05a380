import { expect, test } from 'vitest';
import { listFailures } from './failures.mjs';

test('vitest: each failed test, and a file that could not be loaded', () => {
  const report = JSON.stringify({
    testResults: [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [
          { fullName: 'adds', status: 'failed', failureMessages: ['expected 1\nto be 2'] },
          { fullName: 'subtracts', status: 'passed' },
        ],
      },
      { name: 'b.test.ts', status: 'failed', message: 'no such file', assertionResults: [] },
    ],
  });
  expect(listFailures('vitest', report)).toEqual([
    { title: 'a.test.ts › adds', error: 'expected 1\nto be 2' },
    { title: 'b.test.ts', error: 'no such file' },
  ]);
});

test('playwright: failed tests of nested suites, their errors without colors, and errors outside of any test', () => {
  const spec = (title: string, ok: boolean, message?: string) => ({
    title,
    ok,
    file: 'a.spec.ts',
    line: 3,
    tests: [{ results: [{ errors: message === undefined ? [] : [{ message }] }] }],
  });
  const report = JSON.stringify({
    suites: [
      {
        specs: [spec('works', true)],
        suites: [{ specs: [spec('fails', false, '\u001B[31mexpected\u001B[0m\n\n1\n2\n3\n4\n5\n6')] }],
      },
    ],
    errors: [{ message: 'time is up' }],
  });
  expect(listFailures('playwright', report)).toEqual([
    { title: 'outside of any test', error: 'time is up' },
    { title: 'a.spec.ts:3 › fails', error: 'expected\n1\n2\n3\n4\n5' },
  ]);
});

test('playwright: a test that ran out of time says what it was waiting for, and where', () => {
  const errors = [
    { message: 'Test timeout of 120000ms exceeded.' },
    {
      message: 'Error: locator.click: Test timeout of 120000ms exceeded.\nCall log:',
      location: { file: `${process.cwd()}/e2e/specs/a.spec.ts`, line: 7 },
    },
  ];
  const report = JSON.stringify({
    specs: [{ title: 'hangs', ok: false, file: 'a.spec.ts', line: 3, tests: [{ results: [{ errors }] }] }],
  });
  expect(listFailures('playwright', report)).toEqual([
    {
      title: 'a.spec.ts:3 › hangs',
      error:
        'Test timeout of 120000ms exceeded.\n' +
        'e2e/specs/a.spec.ts:7: Error: locator.click: Test timeout of 120000ms exceeded.\nCall log:',
    },
  ]);
});

test('a report that is missing or broken names nothing', () => {
  expect(listFailures('vitest', undefined)).toEqual([]);
  expect(listFailures('playwright', '{')).toEqual([]);
});
