/** Shakes hands: on the wire, or with the stored answer. A stateless server is only asked who it is. */
import type {
  DiscoverResult,
  Implementation,
  InitializeResult,
  ServerCapabilities,
} from '@modelcontextprotocol/client';
import type { JsonObject } from '../../base/json.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { ProtocolDriver } from '../protocol/driver.ts';
import type { EnvelopeFacts } from '../protocol/envelope.ts';
import { negotiate } from '../protocol/negotiate.ts';
import { SERVER_INFO_META_KEY } from '../protocol/metaKeys.ts';
import { SESSION_VERSIONS, STATELESS_VERSIONS } from '../protocol/negotiation.ts';
import { isImplementation, readInitializeResult } from '../protocol/serverFacts.ts';
import { StatelessDriver } from '../protocol/statelessDriver.ts';
import type { CurrentPreferences } from '../settings/currentPreferences.ts';
import type { Revision } from '../settings/savedServer.ts';
import type { OfferedCapabilities } from './capabilities.ts';
import type { Peer } from './peer.ts';
import type { Session } from './session.ts';
import type { Wire, WireTransport } from './wires.ts';

export interface HandshakeOptions {
  readonly peer: Pick<Peer, 'request' | 'notify'>;
  readonly transport: Pick<WireTransport, 'start' | 'close' | 'setProtocolVersion'>;
  readonly wire: Wire;
  readonly session: Session | undefined;
  readonly revision: Revision;
  readonly clientInfo: Implementation;
  readonly capabilities: OfferedCapabilities;
  readonly preferences: Pick<CurrentPreferences, 'value'>;
  /** Asks who the server is, before anything is known of it. */
  readonly ask: (method: string, params: JsonObject, timeoutMs: number) => Promise<JsonObject>;
}

/** What a server says of itself. */
export interface ServerFacts {
  readonly capabilities: ServerCapabilities;
  readonly serverInfo?: Implementation | undefined;
  readonly instructions?: string | undefined;
  readonly discover?: DiscoverResult;
}

export interface Handshake {
  readonly driver: ProtocolDriver;
  readonly server: ServerFacts;
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
  const made = discover ? await connectStateless(discover, options) : await connectSession(options);
  return { ...made, reason: found?.reason };
}

/** A session that is taken up has had its handshake: the stored result stands for it, and nothing is sent. */
async function connectSession(options: HandshakeOptions): Promise<Handshake> {
  const { transport, session, wire } = options;
  await transport.start();
  const server = session?.handshake ?? (await initialize(options));
  if (session) transport.setProtocolVersion(server.protocolVersion);
  return { driver: wire.driver(server.capabilities), server };
}

async function initialize(options: HandshakeOptions): Promise<InitializeResult> {
  const { peer, transport, clientInfo, capabilities } = options;
  const [protocolVersion] = SESSION_VERSIONS;
  try {
    const params = {
      protocolVersion,
      capabilities: { ...capabilities.always, ...capabilities.session },
      clientInfo,
    };
    const result = checked(await peer.request('initialize', params, { timeoutMs: HANDSHAKE_TIMEOUT_MS }));
    transport.setProtocolVersion(result.protocolVersion);
    await peer.notify('notifications/initialized');
    return result;
  } catch (error) {
    void transport.close();
    throw error;
  }
}

function checked(result: JsonObject): InitializeResult {
  const read = readInitializeResult(result);
  if (!read.ok) throw new Error(`Invalid result for initialize: ${read.error.join(' ')}`);
  const { protocolVersion } = read.value;
  if (SESSION_VERSIONS.includes(protocolVersion)) return read.value;
  throw new Error(`Server's protocol version is not supported: ${protocolVersion}`);
}

async function connectStateless(discover: DiscoverResult, options: HandshakeOptions): Promise<Handshake> {
  const { transport, preferences } = options;
  const protocolVersion = STATELESS_VERSIONS.find((one) => discover.supportedVersions.includes(one));
  if (protocolVersion === undefined)
    throw new Error('The server supports no protocol version that this page supports.');
  await transport.start();
  transport.setProtocolVersion(protocolVersion);
  const facts = factsOf(options, protocolVersion);
  const driver = new StatelessDriver(discover.capabilities, () => ({
    ...facts,
    logLevel: preferences.value.level?.name ?? DEFAULT_LOG_LEVEL,
  }));
  const { capabilities, instructions } = discover;
  return { driver, server: { capabilities, instructions, discover, serverInfo: serverInfoOf(discover) } };
}

function serverInfoOf(discover: DiscoverResult): Implementation | undefined {
  const info: unknown = discover._meta?.[SERVER_INFO_META_KEY];
  return isImplementation(info) ? info : undefined;
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
