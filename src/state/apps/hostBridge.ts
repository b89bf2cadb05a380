/** The host's side of the bridge to a view: what a view may ask for, and what responds (SEP-1865). */
import {
  AppBridge,
  type McpUiDisplayMode,
  type McpUiHostContext,
} from '@modelcontextprotocol/ext-apps/app-bridge';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { TellEffect } from '../../apps/viewMachine.ts';
import { assertNever } from '../../base/assertNever.ts';
import { objectField } from '../../base/json.ts';
import type { ServerView } from '../serverView.svelte.ts';
import { refusal } from './refusal.ts';

export interface HostBridgeOptions {
  readonly server: ServerView;
  readonly version: string;
  /** `_meta.ui` of the document. */
  readonly ui: Readonly<Record<string, unknown>>;
  readonly context: McpUiHostContext;
  readonly onInitialized: (modes: readonly McpUiDisplayMode[] | undefined) => void;
  /** The view wants to be closed. */
  readonly onTeardownRequest: () => void;
  readonly onHeight: (height: number) => void;
  /** Resolves with the mode that the view has then. */
  readonly setMode: (mode: McpUiDisplayMode) => McpUiDisplayMode;
  readonly askToOpen: (url: string) => Promise<boolean>;
  readonly callTool: (name: string, args: object, signal: AbortSignal) => Promise<CallToolResult>;
}

export function hostBridge(options: HostBridgeOptions): AppBridge {
  const { server, version, ui, context, onInitialized, onTeardownRequest, onHeight } = options;
  const { setMode, askToOpen, callTool } = options;
  const sandbox = { csp: objectField(ui, 'csp') ?? {}, permissions: objectField(ui, 'permissions') ?? {} };
  const bridge = new AppBridge(
    null,
    { name: 'reprise', title: 'Reprise', version },
    {
      openLinks: {},
      serverTools: {},
      serverResources: {},
      logging: {},
      sandbox,
      message: { text: {}, image: {}, audio: {}, resource: {}, resourceLink: {}, structuredContent: {} },
      updateModelContext: { text: {}, image: {}, structuredContent: {} },
    },
    { hostContext: context },
  );
  bridge.addEventListener('initialized', () =>
    onInitialized(bridge.getAppCapabilities()?.availableDisplayModes),
  );
  bridge.addEventListener('requestteardown', onTeardownRequest);
  bridge.addEventListener('sizechange', ({ height }) => {
    if (height !== undefined && Number.isFinite(height)) onHeight(height);
  });
  bridge.onrequestdisplaymode = ({ mode }) => Promise.resolve({ mode: setMode(mode) });
  // Messages and the model context are in the log, and are shown from there.
  bridge.onmessage = () => Promise.resolve({});
  bridge.onupdatemodelcontext = () => Promise.resolve({});
  bridge.addEventListener('loggingmessage', () => undefined);
  bridge.onopenlink = async ({ url }) => {
    await openLink(url, askToOpen);
    return {};
  };
  bridge.oncalltool = ({ name, arguments: args = {} }, { mcpReq }) => callTool(name, args, mcpReq.signal);
  bridge.onreadresource = async ({ uri }) => (await server.readResource(uri)) as never;
  bridge.onlistresources = () => Promise.resolve({ resources: [...server.lists.resources] });
  bridge.onlistresourcetemplates = () =>
    Promise.resolve({ resourceTemplates: [...server.lists.resourceTemplates] });
  bridge.onlistprompts = () => Promise.resolve({ prompts: [...server.lists.prompts] });
  return bridge;
}

export function tellOfCall(bridge: AppBridge, effect: TellEffect): Promise<void> {
  switch (effect.does) {
    case 'send-partial-input':
      return bridge.sendToolInputPartial({ arguments: { ...effect.args } });
    case 'send-input':
      return bridge.sendToolInput({ arguments: { ...effect.args } });
    case 'send-result':
      return bridge.sendToolResult(effect.result as CallToolResult);
    case 'send-cancelled':
      return bridge.sendToolCancelled({ reason: effect.why });
    default:
      return assertNever(effect);
  }
}

async function openLink(url: string, ask: (url: string) => Promise<boolean>): Promise<void> {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') throw refusal('Invalid URL');
  if (!(await ask(parsed.href))) throw refusal('Link opening denied by user');
  window.open(parsed.href, '_blank', 'noopener,noreferrer');
}
