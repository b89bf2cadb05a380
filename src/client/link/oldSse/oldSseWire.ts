/** The way of 2024-11-05. Loaded for a server that has no other. */
import { OldSseDriver } from '../../protocol/oldSse/oldSseDriver.ts';
import type { Wire } from '../wires.ts';
import { OldSseRouter } from './oldSseRouter.ts';
import { OldSseTransport } from './oldSseTransport.ts';

export const OLD_SSE: Wire = {
  stored: { transport: 'sse' },
  mayDiscover: false,
  answersOnPost: false,
  driver: (capabilities = {}) => new OldSseDriver(capabilities),
  makeTransport: (options) => new OldSseTransport(options),
  makeRouter: ({ recording, budget, emit, onEnded }) =>
    new OldSseRouter({ ...recording, budget, emit, onEnded }),
};
