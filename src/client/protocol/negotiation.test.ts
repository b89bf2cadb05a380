import { describe, expect, it } from 'vitest';
import { judgeProbe, type ProbeContext, type ProbeOutcome } from './negotiation.ts';

const AUTO: ProbeContext = { choice: 'auto', isCorrected: false };
const result = (value: object): ProbeOutcome => ({ kind: 'answer', message: { result: value } });
const error = (code: number, data?: object, message = 'no'): ProbeOutcome => ({
  kind: 'answer',
  message: { error: { code, message, ...(data && { data }) } },
});

describe('the verdict on a probe', () => {
  it('is stateless for a discovery that names 2026-07-28', () => {
    const discover = { supportedVersions: ['2026-07-28', '2027-01-01'], capabilities: {} };
    expect(judgeProbe(result(discover), AUTO)).toMatchObject({
      name: 'stateless',
      protocolVersion: '2026-07-28',
      discover,
    });
  });

  it('is session for a discovery of older revisions alone', () => {
    expect(judgeProbe(result({ supportedVersions: ['2025-11-25'] }), AUTO).name).toBe('session');
  });

  it('fails for a server that speaks only what is newer than this page', () => {
    expect(judgeProbe(result({ supportedVersions: ['2030-01-01'] }), AUTO)).toMatchObject({
      name: 'failed',
      reason: { code: 'protocol-version', how: 'too-new', versions: ['2030-01-01'] },
    });
  });

  it('is session for an answer that is no discovery', () => {
    expect(judgeProbe(result({ tools: [] }), AUTO).name).toBe('session');
  });

  it('asks again with a revision that the server lists', () => {
    const outcome = error(-32022, { supported: ['2026-07-28'], requested: '2026-07-28' });
    expect(judgeProbe(outcome, AUTO)).toEqual({ name: 'again', protocolVersion: '2026-07-28' });
  });

  it('does not ask a second time', () => {
    const outcome = error(-32022, { supported: ['2026-07-28'] });
    expect(judgeProbe(outcome, { ...AUTO, isCorrected: true }).name).toBe('failed');
  });

  it('is session when the listed revisions are older', () => {
    expect(judgeProbe(error(-32022, { supported: ['2025-06-18'] }), AUTO).name).toBe('session');
  });

  it.each([-32601, -32000, -32001, -32020, -32021, -32600])('takes the error %i for no evidence', (code) => {
    expect(judgeProbe(error(code), AUTO).name).toBe('session');
  });

  it.each([404, 405, 400, 500, 503])('falls back at the bare status %i', (status) => {
    expect(judgeProbe({ kind: 'status', status }, AUTO).name).toBe('session');
  });

  it.each([401, 403])('waits for a login at %i', (status) => {
    expect(judgeProbe({ kind: 'status', status }, AUTO).name).toBe('unauthorized');
  });

  it('falls back at a probe that the browser blocks, and says that this proves nothing', () => {
    expect(judgeProbe({ kind: 'threw', why: 'Failed to fetch' }, AUTO)).toMatchObject({
      name: 'session',
      reason: { code: 'probe-blocked' },
    });
  });

  it('falls back at silence', () => {
    expect(judgeProbe({ kind: 'silence', afterMs: 5000 }, AUTO).name).toBe('session');
  });

  it('does not fall back when a person has chosen the stateless revision', () => {
    const choice: ProbeContext = { choice: 'stateless', isCorrected: false };
    expect(judgeProbe(error(-32601), choice).name).toBe('failed');
    expect(judgeProbe({ kind: 'threw', why: '' }, choice).name).toBe('failed');
  });
});
