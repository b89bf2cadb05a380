/** The HTTP exchanges of a log as HAR 1.2, for the tools that read it. */
import type { Entry } from '../../log/entry/entry.ts';
import { bare } from './bare.ts';
import { fileKindOf } from './entryKinds.ts';
import { HarExchanges } from './harExchanges.ts';
import { leftOut, type LogInfo, type ShareOptions } from './logFile.ts';

export async function* printHar(
  info: LogInfo,
  version: string,
  chunks: AsyncIterable<readonly Entry[]>,
  options: ShareOptions = {},
): AsyncGenerator<string> {
  const comment = `Not included: ${leftOut(options).join(' ')}`;
  const creator = { name: 'Reprise', version };
  const exchanges = new HarExchanges(info.server);
  let separator = '\n';
  const print = (): string => {
    let text = '';
    for (const exchange of exchanges.take()) {
      text += separator + JSON.stringify(exchange);
      separator = ',\n';
    }
    return text;
  };
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"comment":${JSON.stringify(comment)},"entries":[`;
  for await (const entries of chunks) {
    for (const whole of entries) {
      const entry = options.withoutContent ? bare(whole) : whole;
      fileKindOf(entry).har(exchanges, entry);
    }
    yield print();
  }
  exchanges.endAll();
  yield `${print()}\n],"pages":${JSON.stringify(exchanges.pages)}}}\n`;
}
