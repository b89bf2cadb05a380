/** HTTP/2 and HTTP/3 carry any number of streams over one connection: there, nobody has to take turns. */

const MULTIPLEXED = new Set(['h2', 'h3']);

export interface ProtocolEntry {
  readonly name: string;
  /** Empty, unless the server lets this page see it (`Timing-Allow-Origin`). */
  readonly nextHopProtocol: string;
}

/** The origin that an exchange has shown to be multiplexed, if it has. */
export function multiplexedOrigin({ name, nextHopProtocol }: ProtocolEntry): string | undefined {
  return MULTIPLEXED.has(nextHopProtocol) ? URL.parse(name)?.origin : undefined;
}

export function watchMultiplexing(onMultiplexed: (origin: string) => void): void {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const origin = entry instanceof PerformanceResourceTiming ? multiplexedOrigin(entry) : undefined;
      if (origin !== undefined) onMultiplexed(origin);
    }
  }).observe({ type: 'resource', buffered: true });
}
