/** Faults that a test has asked for, and which requests they concern. */
import type { WireExchange } from './model.ts';
import type { RequestKind } from './names.ts';

export interface FaultFilter {
  /** Which requests; all if left out. Preflights are spoiled only if they are named. */
  readonly on?: RequestKind | readonly RequestKind[] | ((exchange: WireExchange) => boolean) | undefined;
  readonly times?: number | undefined;
  readonly optional?: boolean | undefined;
  readonly server?: string | undefined;
}

export type FaultEffect =
  | { readonly name: 'cut'; readonly afterMessages: number }
  | { readonly name: 'delay'; readonly ms: number; readonly part: 'head' | 'events' }
  | { readonly name: 'refuse'; readonly status: number | undefined; readonly retryAfter: number | undefined }
  | { readonly name: 'holdHead' };

export class ActiveFault {
  readonly effect: FaultEffect;
  readonly filter: FaultFilter;
  hits = 0;
  isEnded = false;
  readonly ended: Promise<void>;
  #sayEnded = (): void => undefined;

  constructor(effect: FaultEffect, filter: FaultFilter) {
    this.effect = effect;
    this.filter = filter;
    this.ended = new Promise((resolve) => (this.#sayEnded = resolve));
  }

  end(): void {
    this.isEnded = true;
    this.#sayEnded();
  }

  concerns(exchange: WireExchange): boolean {
    const { on, times = Infinity, server } = this.filter;
    if (this.isEnded || this.hits >= times) return false;
    if (server !== undefined && server !== exchange.server) return false;
    return matches(on, exchange);
  }
}

export function matches(on: FaultFilter['on'], exchange: WireExchange): boolean {
  if (on === undefined) return exchange.kind !== 'preflight';
  if (typeof on === 'function') return on(exchange);
  return typeof on === 'string' ? on === exchange.kind : on.includes(exchange.kind);
}

/** "refuse resume with 409": for messages. */
export function describeFault({ effect, filter: { on } }: ActiveFault): string {
  const kinds =
    on === undefined ? 'all requests' : typeof on === 'function' ? 'a predicate' : [on].flat().join(', ');
  const status = effect.name === 'refuse' && effect.status !== undefined ? ` with ${effect.status}` : '';
  return `${effect.name}${status} on ${kinds}`;
}
