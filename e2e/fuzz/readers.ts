/** Everything of the app that reads a server's message without a browser: it must give something for any JSON. */
import type { Prompt, Tool } from '@modelcontextprotocol/client';
import { expandUriTemplate, parseUriTemplate } from '../../src/base/uriTemplate.ts';
import { isObject, stringField, type JsonObject } from '../../src/base/json.ts';
import { leaveOutInvalid } from '../../src/client/protocol/leftOutTools.ts';
import { mirrorArguments } from '../../src/client/protocol/paramHeaders.ts';
import { readPrompts, readResources, readTemplates, readTools } from '../../src/client/protocol/listItems.ts';
import { listChanges, NO_LISTS } from '../../src/client/catalog/catalog.ts';
import { STANDALONE, type Entry } from '../../src/log/entry/entry.ts';
import { ServerReducer } from '../../src/log/state/serverReducer.ts';
import type { ServerState } from '../../src/log/state/serverState.ts';
import { listChangesText } from '../../src/log/reasons/listChanges.ts';
import { Log } from '../../src/log/log.ts';
import { messageOf } from '../../src/log/entry/messageOf.ts';
import { toLogEntry } from '../../src/log/entry/publicEntry.ts';
import type { Question } from '../../src/log/state/question.ts';
import { failureWords, outcomeOf, stateWords } from '../../src/ui/call/callWords.ts';
import { readLogMessage } from '../../src/state/logMessages.ts';
import { kindWords } from '../../src/ui/inbox/questionKind.ts';
import { isUndone, timeLeft } from '../../src/ui/inbox/questionWords.ts';
import { closedKey } from '../../src/ui/inbox/unread.ts';
import { describeStatus } from '../../src/state/statusSentence.ts';
import { keptWords, paceWords, taskStateWords } from '../../src/ui/tasks/taskWords.ts';
import { compareCalls } from '../../src/timeline/compare.ts';
import { describeEntry, whyOf } from '../../src/timeline/entryLine.ts';
import { Matcher, searchedText } from '../../src/timeline/filter/matcher.ts';
import { parseQuery } from '../../src/timeline/filter/query.ts';
import { gapsOf } from '../../src/timeline/gaps.ts';
import { linksOf } from '../../src/timeline/links.ts';
import { LogIndex } from '../../src/timeline/logIndex.ts';
import { stateAt } from '../../src/timeline/stateAt.ts';
import { exchangeRows } from '../../src/timeline/story/exchangeRows.ts';
import { argumentsOf, nameOf } from '../../src/ui/timeline/story/rowWords.ts';
import { emptyDraft, readDraft, toFormMode, toJsonMode } from '../../src/ui/form/draft.ts';
import type { Field } from '../../src/ui/form/field.ts';
import { readFields } from '../../src/ui/form/fields.ts';
import { hasSecrets } from '../../src/ui/form/leaf.ts';
import { readAddress } from '../../src/ui/inbox/address.ts';
import { checkFormats } from '../../src/ui/inbox/formats.ts';
import { readMessages, readPreferences } from '../../src/ui/inbox/samplingRequest.ts';
import { openAtFirst, visibleRows } from '../../src/ui/json/treeRows.ts';
import { namesAt, valuesAt } from '../../src/ui/json/schemaAt.ts';
import { fileNameOf, readContents } from '../../src/ui/resources/resourceContent.ts';
import { blocksOf, type Block } from '../../src/ui/result/contentBlocks.ts';
import { prettyJson } from '../../src/ui/result/prettyJson.ts';
import { cellText, tableOf } from '../../src/ui/result/tableOf.ts';
import { formatOf } from '../../src/ui/result/textFormat.ts';
import { chooseIcon } from '../../src/ui/tools/icon.ts';
import { badgesOf, searchTools, titleOf } from '../../src/ui/tools/toolWords.ts';

const NOW = 1_760_000_000_000;
const CALL = '01JCALL0000000000000000AAA';
const clock = { now: () => NOW, after: () => () => undefined, random: () => 0 };

export function readTool(item: unknown): void {
  const { items } = readTools([item, item]);
  listChangesText(listChanges(NO_LISTS, { ...NO_LISTS, tools: items }));
  leaveOutInvalid({ items, problems: [] });
  searchTools(items, 'some words');
  items.slice(0, 1).forEach(lookAtTool);
}

function lookAtTool(tool: Tool): void {
  badgesOf(tool);
  titleOf(tool);
  chooseIcon(tool.icons, 'dark');
  readForm(tool.inputSchema);
  mirrorArguments(tool.inputSchema, { text: 'a' });
}

/** A form as it's drawn, filled, sent and filled again. */
function readForm(schema: unknown): void {
  hasSecrets(schema);
  namesAt(schema, []);
  valuesAt(schema, ['text']);
  const fields = readFields(schema);
  const draft = emptyDraft(fields);
  if (!fields.ok) return;
  drawn(fields.value);
  readDraft(fields.value, draft);
  toFormMode(fields.value, toJsonMode(fields.value, draft));
  checkFormats(schema, { text: 'x', email: 'x' });
}

function drawn(fields: readonly Field[], depth = 0): void {
  if (depth > 3) return;
  for (const field of fields) {
    if (field.kind === 'object') drawn(field.fields(), depth + 1);
    else if (field.kind === 'list') drawn(field.initialCount > 0 ? [field.item(0)] : [], depth + 1);
    else if (field.kind === 'map') drawn(field.initialKeys.length > 0 ? [field.value(0)] : [], depth + 1);
    else if (field.kind === 'variants')
      drawn(
        field.variants.map((one) => one.field()),
        depth + 1,
      );
  }
}

export function readResource(item: unknown): void {
  for (const { uri, icons } of readResources([item]).items) {
    fileNameOf(uri);
    chooseIcon(icons, 'light');
  }
}

export function readTemplate(item: unknown): void {
  for (const { uriTemplate } of readTemplates([item]).items) {
    const template = parseUriTemplate(uriTemplate);
    if (template.ok) expandUriTemplate(template.value, new Map([['a', 'x']]));
  }
}

export function readPrompt(item: unknown): readonly Prompt[] {
  return readPrompts([item]).items;
}

/** The contents of a resource, or the messages of a prompt. */
export function readContentOf(result: unknown): void {
  if (!isObject(result)) return;
  readContents(result);
  const { messages } = result;
  if (!Array.isArray(messages)) return;
  blocksOf({ content: messages.map((one: unknown) => (isObject(one) ? one['content'] : one)) });
}

/** A message in the middle of a call, on its stream or on the standalone one. */
export function readMessage(message: unknown, era: 'session' | 'stateless' = 'session'): void {
  if (!isObject(message)) return;
  for (const stream of [CALL, STANDALONE]) readOn(stream, message, era);
}

function readOn(stream: string, message: JsonObject, era: 'session' | 'stateless'): void {
  const log = new Log('s', clock);
  log.beginLoad('opened');
  log.append({
    body: {
      kind: 'call',
      callId: CALL,
      change: {
        name: 'sending',
        tool: 't',
        args: {},
        timeoutMs: 1,
        repeatable: false,
        ...(era === 'stateless' && { era }),
      },
    },
  });
  log.append({ body: { kind: 'sent', stream: CALL, callId: CALL, method: 'tools/call', raw: '{}' } });
  const { method } = message;
  log.append({
    body: {
      kind: 'received',
      stream,
      ...(stream === CALL && { callId: CALL }),
      raw: JSON.stringify(message),
      ...(typeof method === 'string' && { method }),
    },
    message,
  });
  const last = log.tail.at(-1);
  if (last?.kind !== 'received') throw new Error(`It was recorded as ${JSON.stringify(last)}.`);
  readHead(log.state);
  readEntries(log.tail);
}

function readHead(state: ServerState): void {
  for (const call of state.calls.values()) {
    stateWords(call);
    outcomeOf(call);
    failureWords(call);
    if (call.result) blocksOf(call.result).forEach(({ block }) => drawBlock(block));
  }
  state.questions.forEach(readQuestion);
  for (const closed of state.questions.closed) {
    closedKey(closed);
    isUndone(closed);
  }
  for (const task of state.continuations.tasks.values()) {
    taskStateWords(task);
    keptWords(task, NOW);
    paceWords(task, NOW);
  }
  describeStatus({ state: state.connection, calls: [...state.calls.values()], now: NOW } as never);
  JSON.stringify(state.snapshot());
}

function drawBlock(block: Block): void {
  if (block.kind === 'text') formatOf(block.text, block.mimeType);
  if (block.kind !== 'json' && block.kind !== 'structured') return;
  visibleRows(block.value, openAtFirst(block.value));
  prettyJson(block.value);
  for (const row of tableOf(block.value)?.rows ?? []) Object.values(row).forEach(cellText);
}

function readQuestion(question: Question): void {
  kindWords(question);
  timeLeft(question, 1000, NOW);
  readAddress(stringField(question.params, 'url') ?? '');
  readMessages(question.params);
  readPreferences(question.params);
  readForm((question.params as JsonObject)['requestedSchema'] ?? {});
}

/** Entries as the timeline shows them. */
export function readEntries(entries: readonly Entry[]): void {
  const index = new LogIndex();
  index.add(entries);
  exchangeRows(index.exchanges).forEach((row) => [nameOf(row), argumentsOf(row, undefined)]);
  gapsOf(index.exchanges);
  stateAt(index, NOW);
  compareCalls(entries, entries);
  const query = parseQuery('word kind:received tool:t dur>1ms -status:4xx');
  const matcher = query.ok ? new Matcher(query.value, index) : undefined;
  for (let i = 0; i < index.length; i += 1) matcher?.mayMatch(i);
  entries.forEach((entry) => {
    describeEntry(entry);
    whyOf(entry);
    linksOf(entry, index.exchanges);
    readLogMessage(entry);
    toLogEntry('s', entry);
    matcher?.matchesWords(searchedText(entry));
    new Date(entry.at).toISOString();
  });
}

/** What an import folds. */
export function foldEntries(entries: readonly Entry[]): void {
  const state = new ServerReducer('s');
  for (const entry of entries) state.apply(entry, messageOf(entry));
  readHead(state);
}
