/** A server that answers each method with whatever it is told to, however odd: no library checks it. */
import { closedAfter } from './closedAfter.ts';
import { test as base } from './inspector.ts';
import { respond, startOpenServer, stream, type OpenServer, type SentMessage } from './openServer.ts';

type Answers = Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => unknown>>;

/** An answer that is a stream of these messages and does not end. */
export class Messages {
  readonly all: readonly object[];

  constructor(...all: readonly object[]) {
    this.all = all;
  }
}

interface OddServer extends OpenServer {
  /** How often each method was asked. */
  readonly asked: Map<string, number>;
}

async function startOddServer(answers: Answers): Promise<OddServer> {
  const asked = new Map<string, number>();
  const all: Answers = { initialize: () => HANDSHAKE, ping: () => ({}), ...answers };
  const server = await startOpenServer({
    post({ id, method, params }, response) {
      asked.set(method, (asked.get(method) ?? 0) + 1);
      const outcome = outcomeOf(all[method], params);
      if (!('result' in outcome && outcome.result instanceof Messages)) return respond(response, id, outcome);
      const body = stream(response);
      for (const message of outcome.result.all) body.write(`data: ${JSON.stringify(message)}\n\n`);
    },
  });
  return { ...server, asked };
}

export const test = base.extend<{ odd: typeof startOddServer }>({ odd: closedAfter(startOddServer) });

function outcomeOf(answer: Answers[string] | undefined, params: SentMessage['params']): object {
  if (!answer) return { error: { code: -32601, message: 'There is no such method here.' } };
  try {
    return { result: answer(params) };
  } catch (error) {
    return { error: { code: -32002, message: error instanceof Error ? error.message : 'Something is odd.' } };
  }
}

const HANDSHAKE = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, resources: {} },
  serverInfo: { name: 'odd', version: '1' },
};
