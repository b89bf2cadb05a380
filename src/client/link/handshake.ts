/** Shakes hands: on the wire, or with the stored answer. A stateless server is only asked who it is. */
import type { Client, DiscoverResult, Implementation } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { ProtocolDriver } from '../protocol/driver.ts';
import type { EnvelopeFacts } from '../protocol/envelope.ts';
import { negotiate } from '../protocol/negotiate.ts';
import { StatelessDriver } from '../protocol/statelessDriver.ts';
import type { CurrentPreferences } from '../settings/currentPreferences.ts';
import type { Revision } from '../settings/savedServer.ts';
import type { OfferedCapabilities } from './capabilities.ts';
import type { ResumableTransport } from './resumableTransport.ts';
import type { Session } from './session.ts';
import type { Wire } from './wires.ts';

export interface HandshakeOptions {
  readonly client: Client;
  readonly transport: ResumableTransport;
  readonly wire: Wire;
  readonly session: Session | undefined;
  readonly revision: Revision;
  readonly clientInfo: Implementation;
  readonly capabilities: OfferedCapabilities;
  readonly preferences: Pick<CurrentPreferences, 'value'>;
  /** Asks who the server is, before anything is known of it. */
  readonly ask: (method: string, params: JsonObject, timeoutMs: number) => Promise<JsonObject>;
}

export interface Handshake {
  readonly driver: ProtocolDriver;
  /** How the way of the protocol was found out, if it had to be. */
  readonly reason?: Reason | undefined;
}

const HANDSHAKE_TIMEOUT_MS = 30_000;
/** A stateless server sends log messages only to whom asks for them. */
const DEFAULT_LOG_LEVEL = 'info';

export async function shakeHands(options: HandshakeOptions): Promise<Handshake> {
  const { session, wire } = options;
  const found = session || !wire.mayDiscover ? undefined : await findOut(options);
  const discover = found?.discover ?? session?.discover;
  const driver = discover ? await connectStateless(discover, options) : await connectSession(options);
  return { driver, reason: found?.reason };
}

async function connectSession(options: HandshakeOptions): Promise<ProtocolDriver> {
  const { client, transport, capabilities, preferences, wire } = options;
  client.registerCapabilities(capabilities.session);
  if (capabilities.session.roots) {
    client.setRequestHandler('roots/list', () => ({
      roots: preferences.value.roots.map((root) => ({ ...root })),
    }));
  }
  await client.connect(transport, { timeout: HANDSHAKE_TIMEOUT_MS });
  return wire.driver(client.getServerCapabilities());
}

async function connectStateless(
  discover: DiscoverResult,
  options: HandshakeOptions,
): Promise<ProtocolDriver> {
  const { client, transport, capabilities, preferences } = options;
  client.registerCapabilities(capabilities.stateless);
  await client.connect(transport, { prior: { kind: 'modern', discover } });
  const facts = factsOf(options, client.getNegotiatedProtocolVersion() ?? '');
  return new StatelessDriver(discover.capabilities, () => ({
    ...facts,
    logLevel: preferences.value.level?.name ?? DEFAULT_LOG_LEVEL,
  }));
}

function findOut(options: HandshakeOptions) {
  return negotiate(options.revision, (protocolVersion, timeoutMs) => {
    const driver = new StatelessDriver({}, () => factsOf(options, protocolVersion));
    return options.ask('server/discover', driver.params({}), timeoutMs);
  });
}

function factsOf(
  { clientInfo, capabilities: { always, stateless } }: HandshakeOptions,
  protocolVersion: string,
): EnvelopeFacts {
  return { protocolVersion, clientInfo, capabilities: { ...always, ...stateless } };
}
