import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorMessage } from '../base/format.ts';
import type { AuthBody } from '../log/entry/entry.ts';
import { Redactor } from '../wire/redact.ts';
import { createStepFetch } from './stepFetch.ts';

const ISSUER = 'https://as.example';
const SECRET = 'gho_SECRET-AT-77';

/** One exchange: what was recorded, what the SDK gets to see, and what the redactor learned. */
async function exchange(answer: Response, sent?: Record<string, string>, path = '/token') {
  const recorded: AuthBody[] = [];
  const redactor = new Redactor();
  const fetch = createStepFetch({
    fetch: async () => answer,
    resourceOf: () => 'https://mcp.example/mcp',
    record: (body) => recorded.push(body),
    redact: (text) => redactor.text(text),
    onSecrets: (values) => redactor.protectValues(values),
  });
  const init = sent && { method: 'POST', body: new URLSearchParams(sent) };
  const seen = await fetch(ISSUER + path, init).then(
    (response) => response.text(),
    (error: unknown) => errorMessage(error),
  );
  return { recorded: JSON.stringify(recorded), seen, redactor };
}

const CODE = { grant_type: 'authorization_code', code: 'the-code-1234', code_verifier: 'the-verifier-1234' };
const text = (body: string, contentType: string, status = 200) =>
  new Response(body, { status, headers: { 'content-type': contentType } });

describe('a token response', () => {
  it.each([
    ['form-encoded', text(`access_token=${SECRET}&token_type=bearer`, 'application/x-www-form-urlencoded')],
    ['cut-off JSON', text(`{"token_type":"Bearer","access_token":"${SECRET}`, 'application/json')],
    ['an array', Response.json([SECRET])],
    ['a nested token', Response.json({ ok: true, authed_user: { access_token: SECRET } })],
    ['a token of something else', Response.json({ webhook: [{ token: SECRET }] })],
    ['camel case', Response.json({ accessToken: SECRET, tokenType: 'Bearer' })],
    ['a name that nobody knows', Response.json({ ticket: SECRET })],
    ['the bare token', text(SECRET, 'text/plain')],
    ['a JSON string', Response.json(SECRET)],
    ['a refusal that holds one', Response.json({ error: 'x', session: { token: SECRET } }, { status: 400 })],
    ['a refusal in another form', text(`token=${SECRET}`, 'text/plain', 400)],
  ])('that is %s is recorded without the token, and an echo of it is hidden', async (_what, answer) => {
    const { recorded, redactor } = await exchange(answer, CODE);
    expect(recorded).not.toContain(SECRET);
    expect(redactor.text(`later: ${SECRET}`)).not.toContain(SECRET);
  });

  it('is told by status, content type, size, field names and public values', async () => {
    const body = { access_token: SECRET, token_type: 'Bearer', expires_in: 60, scope: 'a b' };
    const { recorded } = await exchange(Response.json(body), CODE);
    const [entry] = JSON.parse(recorded) as AuthBody[];
    expect(entry).toMatchObject({ step: 'token', status: 200 });
    expect(JSON.parse(entry?.answer ?? '')).toEqual({
      contentType: 'application/json',
      sizeBytes: JSON.stringify(body).length,
      body: { ...body, access_token: '‹redacted›' },
    });
    expect(entry?.sent).toEqual({
      grant_type: 'authorization_code',
      code: '‹redacted›',
      code_verifier: '‹redacted›',
    });
  });

  it('that is not JSON reaches neither the SDK nor its errors', async () => {
    const { seen } = await exchange(text(SECRET, 'text/plain'), CODE);
    expect(seen).toContain('isn’t a JSON object (text/plain)');
    expect(seen).not.toContain(SECRET);
  });

  it('that refuses reaches the SDK with its error and nothing else', async () => {
    const answer = { error: 'invalid_grant', error_description: `no ${CODE.code}`, hint: SECRET };
    const { seen } = await exchange(Response.json(answer, { status: 400 }), CODE);
    expect(JSON.parse(seen)).toEqual({ error: 'invalid_grant', error_description: 'no ‹redacted›' });
  });

  it('is never recorded with a value that is not on the list, whatever its shape', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const nested = { deep: [value, { more: value, leaf: 'S3CRET-leaf-value' }], 'S3CRET-leaf-value': 1 };
        const { recorded } = await exchange(Response.json(nested), CODE);
        expect(recorded).not.toContain('S3CRET-leaf-value');
        const [entry] = JSON.parse(recorded) as AuthBody[];
        expect(JSON.parse(entry?.answer ?? '')).toMatchObject({ body: { deep: '‹redacted›' } });
      }),
    );
  });
});

describe('a metadata document', () => {
  const PATH = '/.well-known/oauth-authorization-server';

  it('is recorded with its public fields, without what looks like a secret', async () => {
    const document = { issuer: ISSUER, scopes_supported: ['mcp:read:v2-long'], x_client_secret: SECRET };
    const { recorded } = await exchange(
      Response.json({ ...document, vendor: { key: SECRET } }),
      undefined,
      PATH,
    );
    expect(recorded).toContain('mcp:read:v2-long');
    expect(recorded).toContain('x_client_secret');
    expect(recorded).not.toContain(SECRET);
  });

  it('that is 100,000 levels deep is recorded', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { recorded } = await exchange(text(deep, 'application/json'), undefined, PATH);
    expect(recorded.length).toBeLessThan(2000);
  });
});
