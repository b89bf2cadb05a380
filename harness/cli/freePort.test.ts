import { describe, expect, it } from 'vitest';
import { atFreePort } from './freePort.ts';

const taken = Object.assign(new Error('in use'), { code: 'EADDRINUSE' });
const explain = (port: number) => new Error(`Port ${port} is in use.`);
const startExcept =
  (...busy: number[]) =>
  async (port: number) => {
    if (busy.includes(port)) throw taken;
    return port;
  };

describe('a port', () => {
  it('is the usual one, or the next that is free', async () => {
    expect(await atFreePort(startExcept(), undefined, 4778, explain)).toBe(4778);
    expect(await atFreePort(startExcept(4778, 4779), undefined, 4778, explain)).toBe(4780);
  });

  it('is the one that was named, or an error', async () => {
    expect(await atFreePort(startExcept(4778), 5000, 4778, explain)).toBe(5000);
    await expect(atFreePort(startExcept(5000), 5000, 4778, explain)).rejects.toThrow('Port 5000 is in use.');
  });

  it('is not looked for after another failure', async () => {
    const start = async () => {
      throw new Error('no app');
    };
    await expect(atFreePort(start, undefined, 4778, explain)).rejects.toThrow('no app');
  });
});
