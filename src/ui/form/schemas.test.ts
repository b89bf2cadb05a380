// The sixty schemas of the browser test, without a browser: what a form is filled with comes out of it again.
import { describe, expect, test } from 'vitest';
import { SCHEMAS } from '../../../e2e/specs/schemas.ts';
import { checkValue } from '../../limited/checkValue.ts';
import { draftOf, readLoosely, toFormMode, toJsonMode } from './draft.ts';
import { readFields } from './fields.ts';

const withForm = SCHEMAS.filter(({ says }) => !says);
const withoutForm = SCHEMAS.flatMap(({ says, ...one }) => (says ? [{ ...one, says }] : []));

test.each(withoutForm)('$name: says why there is no form', ({ schema, says }) => {
  const fields = readFields(schema);
  expect(fields.ok ? '' : fields.error).toMatch(says);
});

describe.each(withForm)('$name', ({ schema, args }) => {
  test('its arguments go into the form, and come out of it', () => {
    const fields = readFields(schema);
    if (!fields.ok) throw new Error(fields.error);
    const draft = draftOf(fields.value, args);
    if (!draft.ok) throw new Error(draft.error['']);
    expect(readLoosely(fields.value, draft.value)).toMatchObject({ value: args, problems: {} });
    const back = toFormMode(fields.value, toJsonMode(fields.value, draft.value));
    expect(back.ok && readLoosely(fields.value, back.value).value).toEqual(args);
  });

  test('what comes out fits the schema', () => {
    expect(checkValue(schema, args).name).toMatch(/^(fits|unchecked)$/);
  });
});
