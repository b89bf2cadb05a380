import { describe, expect, it } from 'vitest';
import { followCall } from './followCall.ts';
import { SseReader } from './sseReader.ts';

const frame = (id: string, message?: object): string =>
  `id: ${id}\ndata: ${message ? JSON.stringify(message) : ''}\n\n`;
const progress = (number: number) => ({ method: 'notifications/progress', params: { progress: number } });
const RESPONSE = { id: 'c', result: {} };

const stream = (...frames: string[]): SseReader =>
  new SseReader(
    new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } }),
    new AbortController(),
  );

describe('followCall', () => {
  it('resumes from the last event ID where the stream ends without the response', async () => {
    const asked: (string | undefined)[] = [];
    const get = async (lastEventId?: string) => {
      asked.push(lastEventId);
      return asked.length === 1
        ? stream(frame('2', progress(1)))
        : stream(frame('3', progress(2)), frame('4', RESPONSE));
    };
    const events = await followCall({ get }, stream(frame('1')), 'c', 5000);
    expect(asked).toEqual(['1', '2']);
    expect(events.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
  });

  it('stops before the response if that is enough', async () => {
    const get = async () => stream(frame('2', progress(1)), frame('3', progress(2)));
    const events = await followCall({ get }, stream(frame('1')), 'c', 5000, (all) => all.length > 2);
    expect(events.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('asks for nothing after the response, or without an event ID to resume from', async () => {
    const get = () => Promise.reject(new Error('asked'));
    expect(await followCall({ get }, stream(frame('1'), frame('2', RESPONSE)), 'c', 5000)).toHaveLength(2);
    const anonymous = stream(`data: ${JSON.stringify(progress(1))}\n\n`);
    expect(await followCall({ get }, anonymous, 'c', 5000)).toHaveLength(1);
  });
});
