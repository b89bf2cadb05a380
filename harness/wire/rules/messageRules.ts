/** Rules about single messages: answers to the server, tasks, and headers of 2026-07-28. Pure. */
import { objectField, stringField } from '../../../src/base/json.ts';
import { taskIdOf } from '../callTrace.ts';
import { isServerRequest, metaVersionOf, requestIdOf, sessionOf } from '../classify.ts';
import { replacesPage, type WireExchange } from '../model.ts';
import { isBrowserRepeat, isStatelessVersion, nameOfLoad, type Case, type Rule } from './rule.ts';

const answersTo = (
  { recording, trace }: Case,
  id: unknown,
  session: string | undefined,
): readonly WireExchange[] =>
  recording.exchanges.filter(
    (one) =>
      one.kind === 'answer' &&
      one.server === trace.post.server &&
      one.message?.['id'] === id &&
      sessionOf(one) === session &&
      one.isForwarded,
  );

/** Each request of the server gets one response. */
export const answersOnce: Rule = (given) => {
  for (const exchange of given.recording.exchanges) {
    for (const { message } of exchange.events) {
      if (!isServerRequest(message)) continue;
      const id = requestIdOf(message);
      const [first, second] = answersTo(given, id, sessionOf(exchange));
      if (!first || !second || isBrowserRepeat(given.recording, second, first)) continue;
      return {
        expected: `one response to ${stringField(message, 'method') ?? ''} ${id ?? ''}`,
        received: `${nameOfLoad(second.page)} sent a second one`,
        fix: 'Store which requests of the server are answered. A replayed request is not a new one.',
        exchange: second,
      };
    }
  }
  return undefined;
};

const PROMPTLY_MS = 2000;

/** A ping that a page has received gets its response. */
export const answersPing: Rule = (given) => {
  const { recording, trace } = given;
  const now = Math.max(
    0,
    ...recording.exchanges.flatMap(({ at, events }) => [at, ...events.map((event) => event.at)]),
  );
  for (const exchange of recording.exchanges) {
    if (exchange.server !== trace.post.server) continue;
    for (const { message, deliveredAt } of exchange.events) {
      if (message?.['method'] !== 'ping' || deliveredAt === undefined || now < deliveredAt + PROMPTLY_MS)
        continue;
      const isCut = recording.interruptions.some(
        ({ backAt, at }) => backAt >= deliveredAt && at <= deliveredAt + PROMPTLY_MS,
      );
      if (isCut || answersTo(given, message['id'], sessionOf(exchange)).length > 0) continue;
      return {
        expected: `a response to ping ${requestIdOf(message) ?? ''}`,
        received: `none within ${PROMPTLY_MS / 1000} s`,
        fix: 'Respond to ping with an empty result. Servers end sessions that do not respond.',
        exchange,
      };
    }
  }
  return undefined;
};

/** The new page polls the task of the old one. */
export const taskKept: Rule = ({ recording, trace, interruptions }) => {
  const left = interruptions.findLast(replacesPage);
  if (trace.taskId === undefined || !left) return undefined;
  const isKept = recording.exchanges.some(
    (one) =>
      one.at >= left.at &&
      (taskIdOf(one.message) === trace.taskId ||
        JSON.stringify(one.message ?? {}).includes(trace.taskId ?? '')),
  );
  if (isKept) return undefined;
  return {
    expected: `the new page asks for task ${trace.taskId}`,
    received: 'no request about this task',
    fix: 'Store the task ID when the call returns it, and poll tasks/get with it after a reload.',
  };
};

const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** `Mcp-Method`, `Mcp-Name`, and a version that matches the body (2026-07-28). */
export const requestHeaders: Rule = ({ recording, trace }) => {
  for (const one of recording.exchanges) {
    const version = metaVersionOf(one.message);
    const method = stringField(one.message, 'method');
    if (
      one.server !== trace.post.server ||
      version === undefined ||
      !isStatelessVersion(version) ||
      method === undefined
    )
      continue;
    const name = stringField(objectField(one.message, 'params'), NAMED_BY[method] ?? '');
    const wanted = {
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
    };
    const wrong = Object.entries(wanted).find(
      ([header, value]) => !isHeader(one.requestHeaders[header], value),
    );
    if (!wrong) continue;
    const [header, value] = wrong;
    return {
      expected: `${header}: ${value}`,
      received:
        one.requestHeaders[header] === undefined
          ? `no ${header}`
          : `${header}: ${one.requestHeaders[header]}`,
      fix: 'Send Mcp-Method, Mcp-Name and MCP-Protocol-Version with every request, with the values of the body.',
      exchange: one,
    };
  }
  return undefined;
};

/** Values that a header can't hold are encoded, and only their presence is checked. */
const isHeader = (sent: string | undefined, value: string): boolean =>
  sent === value || (sent !== undefined && !/^[\x20-\x7e]*$/.test(value));

/** No token in the query of a URL. */
export const noTokenInUrl: Rule = ({ recording, trace }) => {
  const leaking = recording.exchanges.find(
    ({ url, server }) =>
      server === trace.post.server && URL.canParse(url) && new URL(url).searchParams.has('access_token'),
  );
  if (!leaking) return undefined;
  return {
    expected: 'the access token in the Authorization header',
    received: `${nameOfLoad(leaking.page)} sent it in the query of the URL`,
    fix: 'Send Authorization: Bearer <token>. URLs are written to logs.',
    exchange: leaking,
  };
};
