/** Compares each sentence of a report with what raw HTTP showed: one row for each scenario. Pure. */
import type { Outcome, Report, ScenarioResult } from '../../../harness/report/facts.ts';
import type { CallFacts, CorsFacts, RawFacts, SessionFacts } from './rawFacts.ts';

export interface Check {
  readonly scenario: string;
  /** `null`: raw HTTP as it was asked here can't tell. */
  readonly agrees: boolean | null;
  /** What raw HTTP showed. */
  readonly raw: string;
}

type Judged = Pick<Report, 'outcome' | 'protocolVersion' | 'scenarios'>;

const STATELESS = '2026-07-28';
const INTERRUPTIBLE_MS = 400;

export function compareWithRaw(report: Judged, facts: RawFacts): readonly Check[] {
  const isStateless = report.protocolVersion === STATELESS;
  const letter = letterFrom(facts, isStateless);
  return [
    {
      scenario: 'letter',
      agrees: letter === report.outcome,
      raw: `${letter ?? 'none'}: ${describeReturn(facts, isStateless)}`,
    },
    ...report.scenarios.map((result) => ({ scenario: result.name, ...look(result, facts, isStateless) })),
    ...report.scenarios.flatMap(({ name, remarks = [] }) =>
      remarks.flatMap((remark) => {
        const found = lookAtRemark(remark, facts);
        return found ? [{ scenario: `${name}, remark`, ...found }] : [];
      }),
    ),
  ];
}

function lookAtBlindWindow(remark: string, { response, givesEventIds, isPrimed }: CallFacts): Seen {
  if (response === 'json') return seen(remark.includes('responds with JSON'), 'a JSON response');
  if (!givesEventIds) return seen(remark.includes('sends no event IDs'), 'no event IDs');
  return isPrimed
    ? seen(/before the first message|has an ID and no message/.test(remark), 'the first event has no message')
    : seen(remark.includes('arrives with the first message'), 'the first event has a message');
}

/** Only what one call over raw HTTP can show; CHECKED.md has the other remarks. */
function lookAtRemark(remark: string, { session }: RawFacts): Seen | undefined {
  if (!session?.call) return undefined;
  if (remark.startsWith('Blind window')) return lookAtBlindWindow(remark, session.call);
  if (!remark.startsWith('The response head')) return undefined;
  const { headMs, durationMs } = session.call;
  const isLate = headMs >= durationMs / 4;
  return seen(isLate === remark.includes('not sent immediately'), `head after ${headMs} of ${durationMs} ms`);
}

export function letterFrom({ session, stateless }: RawFacts, isStateless: boolean): Outcome | null {
  if (isStateless) {
    const isLong = stateless !== undefined && !stateless.isError && stateless.durationMs >= INTERRUPTIBLE_MS;
    return isLong ? 'S' : null;
  }
  const { cut, givesEventIds, isPrimed } = session?.call ?? {};
  if (!session || !cut) return null;
  if (!session.hasSession) return 'S';
  // Before its first event ID a call can't be resumed by any client.
  if (cut.result && givesEventIds === true) return isPrimed === true ? 'A' : 'D';
  if (cut.result) return null;
  if (cut.ping === null || cut.ping >= 400) return 'B';
  return givesEventIds === true && (cut.resumed ?? 500) >= 400 ? 'E' : 'D';
}

function describeReturn({ session, stateless }: RawFacts, isStateless: boolean): string {
  if (isStateless) return stateless ? `a call takes ${stateless.durationMs} ms, 2026-07-28` : 'no call';
  const { call } = session ?? {};
  if (!session || !call) return 'no call';
  if (!call.cut) return call.isError ? 'the call ends in an error' : `a call takes ${call.durationMs} ms`;
  const { before, after, resumed, result, ping, stalled } = call.cut;
  const primed = call.isPrimed ? '' : ', first event ID with the first message';
  const how = call.givesEventIds ? `event IDs${primed}; GET with Last-Event-ID` : 'no event IDs; plain GET';
  return (
    `${session.hasSession ? 'session' : 'no session'}; cut after ${before} of ${call.messages} messages; ` +
    `${how} ${resumed ?? 'unanswered'}, ${after} more, ${result ? 'with' : 'without'} the result` +
    `${stalled ? ', after a second GET' : ''}; ping ${ping ?? 'unanswered'}`
  );
}

type Seen = Omit<Check, 'scenario'>;
const seen = (agrees: boolean | null, raw: string): Seen => ({ agrees, raw });

function look(result: ScenarioResult, facts: RawFacts, isStateless: boolean): Seen {
  const { name, verdict, why } = result;
  const { session } = facts;
  if (name === 'cors') return lookAtCors(why, facts, isStateless);
  if (verdict === 'unsupported' || verdict === 'skipped') {
    const given = reason(why, facts, isStateless);
    if (given) return given;
  }
  if (name === 'control') return lookAtControl(result, facts, isStateless);
  if (name === 'reload-cancels') {
    const works = facts.stateless?.worksAfterCut === true;
    return seen((verdict === 'pass') === works, `a call after a cut one ${works ? 'works' : 'fails'}`);
  }
  if (!session) return seen(null, 'no session side');
  switch (name) {
    case 'ended-session':
      return lookAtEnd(result, session);
    case 'unknown-cursor':
      return lookAtUnknown(result, session);
    case 'standalone-stream':
      return lookAtStandalone(result, session);
    case 'pending-question':
      return lookAtQuestion(result, session);
    default:
      return session.call ? lookAtCall(result, session.call, session) : seen(null, 'no call');
  }
}

/** Why a scenario was left out. */
function reason(why: string, facts: RawFacts, isStateless: boolean): Seen | undefined {
  const { session, stateless, speaksStateless } = facts;
  const { call } = session ?? {};
  const durationMs = (isStateless ? stateless?.durationMs : call?.durationMs) ?? 0;
  if (why.includes('Pages use sessions with this server')) {
    return seen(
      !speaksStateless || (session?.hasSession === true && call?.givesEventIds !== false),
      `server/discover ${speaksStateless ? 'lists' : "doesn't list"} 2026-07-28; initialize ${session ? 'works' : 'fails'}`,
    );
  }
  if (why.includes('uses 2026-07-28')) return seen(speaksStateless, 'server/discover lists 2026-07-28');
  if (why.includes('No session: the initialize response')) {
    return seen(session?.hasSession === false, `Mcp-Session-Id: ${session?.hasSession ? 'sent' : 'none'}`);
  }
  if (/doesn't send event IDs|had an ID/.test(why)) {
    return seen(call?.givesEventIds === false, `event IDs: ${call?.givesEventIds ? 'sent' : 'none'}`);
  }
  if (/too fast|finished before/.test(why)) {
    return seen(durationMs < 1000, `a call takes ${durationMs} ms`);
  }
  if (why.includes('Found no tool that uses elicitation')) {
    return seen(session?.question === undefined, 'tools/list: no tool that requests input');
  }
  if (why.includes('sent no elicitation or sampling request')) {
    return seen(session?.question?.asked === false, 'the tool was called, and sent no request');
  }
  if (why.includes('No tool to call')) {
    return seen(!call && !stateless, 'tools/list: no long-running read-only tool');
  }
  if (why.includes("doesn't declare the tasks capability")) {
    return seen(facts.declaresTasks === undefined ? null : !facts.declaresTasks, 'capabilities: no tasks');
  }
  if (why.includes('No control call')) {
    const { isError } = (isStateless ? stateless : call) ?? {};
    return seen(isError !== false, isError ? 'the call ends in an error' : 'no tool was called');
  }
  if (why.includes("didn't run as a task")) {
    return seen(call?.isError === false, 'tools/call returned its result, not a task');
  }
  if (why.includes("Browsers can't connect")) {
    return seen(corsProblems(facts, isStateless).length > 0, describeCors(facts.cors));
  }
  return undefined;
}

function lookAtControl({ verdict, why }: ScenarioResult, facts: RawFacts, isStateless: boolean): Seen {
  const messages = isStateless ? facts.stateless?.messages : facts.session?.call?.messages;
  if (verdict === 'fail' && why.includes('returned an error')) {
    const { isError } = (isStateless ? facts.stateless : facts.session?.call) ?? {};
    return seen(isError ?? null, 'the call ends in an error');
  }
  const said = /All (\d+) messages/.exec(why)?.[1] ?? (why.startsWith('The result arrived') ? '1' : '');
  return seen(said === String(messages), `${messages ?? 0} messages in a call without interruption`);
}

/** The sentences that raw HTTP bears out. */
function corsProblems({ cors, session }: RawFacts, isStateless: boolean): readonly string[] {
  const hasSession = !isStateless && session?.hasSession === true;
  if (cors.actual === 403) return ['The server rejects requests from'];
  const allowsDelete = /delete|\*/i.test(cors.allowMethods);
  const needed = [
    'content-type',
    'mcp-protocol-version',
    ...(isStateless ? ['mcp-method', 'mcp-name'] : []),
    ...(hasSession ? ['mcp-session-id'] : []),
    ...(hasSession && session?.call?.givesEventIds === true ? ['last-event-id'] : []),
  ];
  const missing = needed.filter((name) => cors.refused.includes(name));
  const isOk = cors.preflight !== null && cors.preflight >= 200 && cors.preflight < 300;
  return [
    ...(isOk ? [] : [`returns HTTP ${cors.preflight ?? ''}`]),
    ...(cors.preflightOrigin === '' ? ["The preflight response doesn't allow"] : []),
    ...(cors.actualOrigin === '' ? ["The response doesn't allow"] : []),
    ...(hasSession && !allowsDelete ? ["DELETE isn't allowed"] : []),
    ...(missing.length > 0 ? [`Headers not allowed: ${missing.join(', ')}.`] : []),
    ...(hasSession && !/mcp-session-id|\*/i.test(cors.exposes) ? ["can't read its session ID"] : []),
  ];
}

const CORS_SENTENCES = [
  'rejects requests from',
  'The preflight request (OPTIONS) returns',
  "The preflight response doesn't allow",
  "The response doesn't allow",
  "DELETE isn't allowed",
  "can't read its session ID",
];

function lookAtCors(why: string, facts: RawFacts, isStateless: boolean): Seen {
  const expected = corsProblems(facts, isStateless);
  const said = CORS_SENTENCES.filter((sentence) => why.includes(sentence)).length;
  const saysHeaders = why.includes('Headers not allowed:') ? 1 : 0;
  const agrees = expected.every((part) => why.includes(part)) && said + saysHeaders === expected.length;
  return seen(agrees, describeCors(facts.cors));
}

function describeCors({
  preflight,
  preflightOrigin,
  actualOrigin,
  allowMethods,
  refused,
  exposes,
}: CorsFacts) {
  return (
    `OPTIONS ${preflight ?? 'unanswered'}; origin ${preflightOrigin || 'none'} / ${actualOrigin || 'none'}; ` +
    `methods ${allowMethods || 'none'}; headers not allowed ${refused.join(', ') || 'none'}; exposes ${exposes || 'nothing'}`
  );
}

function lookAtEnd({ verdict, why }: ScenarioResult, { ended }: SessionFacts): Seen {
  if (!ended) return seen(null, 'no session');
  const { deleted, then, hasNewId } = ended;
  const raw = `DELETE ${deleted ?? 'unanswered'}, then ${then ?? 'no response'}${hasNewId ? ' with a session ID' : ''}`;
  if (verdict === 'unsupported')
    return seen(why.includes(`(HTTP ${deleted ?? ''})`) && (deleted ?? 0) >= 400, raw);
  if (verdict === 'pass') return seen(then === 404 && !hasNewId, raw);
  if (why.includes('gets no response instead')) return seen(then === null, raw);
  if (why.includes('still responds')) return seen(then !== null && then < 300, raw);
  if (why.includes('contains a new session ID')) return seen(then === 404 && hasNewId, raw);
  return seen(then !== null && why.includes(`returns HTTP ${then} instead`), raw);
}

function lookAtUnknown({ verdict, why }: ScenarioResult, { unknownEventId: found }: SessionFacts): Seen {
  if (!found) return seen(null, 'no session');
  const { status, messages, ended } = found;
  const raw = `${status ?? 'no response'}, ${messages} messages, ${ended ? 'ended' : 'open'}`;
  if (verdict === 'pass') return seen(why.includes(`(HTTP ${status ?? ''})`), raw);
  if (why.includes('causes a server error')) return seen((status ?? 0) >= 500, raw);
  const follows = messages > 0 ? 'unrelated messages' : ended ? 'ends without events' : 'no events';
  return seen(why.includes(`returns HTTP ${status ?? ''} and`) && why.includes(follows), raw);
}

function lookAtStandalone({ verdict, why }: ScenarioResult, { standalone, get }: SessionFacts): Seen {
  if (why.includes('has no standalone stream'))
    return seen(why.includes(`(HTTP ${get ?? ''})`), `GET ${get ?? 'unanswered'}`);
  if (why.includes('sent no response within')) return seen(get === null, `GET ${get ?? 'unanswered'}`);
  if (!standalone) return seen(null, 'no session');
  const { givesEventId, beside, resumed, besideResumed } = standalone;
  const raw = givesEventId
    ? `beside it ${beside ?? 'unanswered'}; resumed ${resumed ?? 'unanswered'}; beside that ${besideResumed ?? 'unanswered'}`
    : `GET ${get ?? 'unanswered'}, no event ID in 2 s`;
  if (why.includes('sent no event ID within')) return seen(!givesEventId, raw);
  if (why.includes("couldn't be resumed")) return seen(why.includes(`(HTTP ${resumed ?? ''})`), raw);
  const isDeaf = beside === 409 && besideResumed === 200;
  return seen((verdict === 'pass') === !isDeaf, raw);
}

function lookAtQuestion({ verdict }: ScenarioResult, { question }: SessionFacts): Seen {
  if (!question) return seen(null, 'no tool that requests input');
  const { asked, answered, result = false } = question;
  const raw = asked
    ? `cut after the request; the answer ${answered ?? 'unanswered'}, ${result ? 'then the result' : 'no result'}`
    : 'the tool sent no request';
  return seen(asked && (verdict === 'pass') === result, raw);
}

function lookAtCall(result: ScenarioResult, call: CallFacts, session: SessionFacts): Seen {
  const { name, verdict, why } = result;
  const { cut, repeated, foreign } = call;
  switch (name) {
    case 'reload-after-result':
      return seen((verdict === 'pass') === !call.isError, `a call ${call.isError ? 'fails' : 'works'}`);
    case 'reload-before-first-event':
      if (why.includes('first event ID arrives with the first message')) {
        return seen(!call.isPrimed, `the first event has ${call.isPrimed ? 'no message' : 'a message'}`);
      }
      break;
    case 'repeated-request': {
      if (!repeated) return seen(null, 'not repeated');
      const { status, wasSilent, progressAgain, hasSameEventIds, isAnswered, share } = repeated;
      const isTwice = (progressAgain && !hasSameEventIds) || (wasSilent && share > 0.5);
      const head = result.remarks?.find((remark) => remark.startsWith('The response head'));
      const isAtOnce = call.headMs < call.durationMs / 4;
      if (head !== undefined && head.includes('is sent immediately') !== isAtOnce) {
        return seen(false, `the head arrived after ${call.headMs} ms of ${call.durationMs} ms`);
      }
      const raw = `head after ${call.headMs} ms; ${status ?? 'no response'}, ${isAnswered ? 'answered' : 'not answered'} after ${share} of a call, progress ${progressAgain ? 'again' : 'not again'}, event IDs ${hasSameEventIds ? 'the same' : 'new'}`;
      if (why.includes('rejected')) return seen(why.includes(`(HTTP ${status ?? ''})`), raw);
      if (why.includes('no response')) return seen(!isAnswered, raw);
      return seen((verdict === 'fail') === isTwice, raw);
    }
    case 'stream-isolation':
      if (!foreign) return seen(null, 'no event IDs');
      if (why.includes('rejected the resume'))
        return seen(why.includes(`(HTTP ${foreign.status ?? ''})`), `GET ${foreign.status ?? 'unanswered'}`);
      return seen(
        (verdict === 'fail') === foreign.ofOtherCall > 0,
        `${foreign.ofOtherCall} messages of the other call`,
      );
    case 'session-isolation':
      if (!foreign) return seen(null, 'no event IDs');
      return seen(
        (verdict === 'fail') === foreign.ofOtherSession > 0,
        `${foreign.ofOtherSession} messages of the other session`,
      );
    default:
      break;
  }
  if (!cut) return seen(null, 'not cut');
  return lookAtCut(result, cut, call, session);
}

function lookAtCut(
  { verdict, why }: ScenarioResult,
  cut: NonNullable<CallFacts['cut']>,
  { givesEventIds, messages, foreign, resumes }: CallFacts,
  { hasSession }: SessionFacts,
): Seen {
  const { before, after, resumed, result, stalled, ping } = cut;
  const isWhole = result && before + after >= messages;
  const raw = `cut after ${before} of ${messages}, GET ${resumed ?? 'unanswered'}, ${after} more, ${result ? 'with' : 'without'} the result${stalled ? ', after a second GET' : ''}`;
  // A stream that stalls does so while the call runs; a page that is back after its end gets all of it.
  if (verdict === 'pass') return seen(isWhole, raw);
  if (why.includes('The server has no session')) return seen(!hasSession, raw);
  if (why.includes("doesn't send event IDs")) return seen(!givesEventIds && !result, raw);
  if (why.includes('stalled')) return seen(stalled, raw);
  if (why.includes('arrived on two streams'))
    return seen((foreign?.ofOtherCall ?? 0) > 0, `${foreign?.ofOtherCall ?? 0} messages of another call`);
  if (why.includes('rejected a resume')) return seen(why.includes(`(HTTP ${resumed ?? ''})`), raw);
  if (why.includes('dropped the session'))
    return seen(ping === null || ping >= 400, `ping ${ping ?? 'unanswered'}`);
  if (why.includes('never arrived')) {
    const { lossy = 0, tries = 0 } = resumes ?? {};
    return seen(!isWhole || lossy > 0, `${raw}; ${lossy} of ${tries} resumes lost a message`);
  }
  return seen(null, raw);
}
