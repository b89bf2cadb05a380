/**
 * What a call of 2026-07-28 remembers between its rounds. The server keeps nothing: the state goes to the client, sealed,
 * and comes back with the answers (2026-07-28, "Multi Round-Trip Requests").
 */
import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server';
import type { Answer } from '../toolContext.ts';

export interface CallState {
  /** The tool or the prompt that has asked. */
  readonly name: string;
  readonly answers: Readonly<Record<string, Answer>>;
}

/** Outlives a restart, as the key of a stateless server must; a new key makes every state invalid. */
export class StateSeal {
  #codec = newCodec();

  get codec(): RequestStateCodec<CallState> {
    return this.#codec;
  }

  expireAll(): void {
    this.#codec = newCodec();
  }
}

const newCodec = () =>
  createRequestStateCodec<CallState>({ key: crypto.getRandomValues(new Uint8Array(32)) });
