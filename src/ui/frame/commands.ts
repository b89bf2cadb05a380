/** What can be done everywhere, by key or by name. */
import { tick } from 'svelte';
import type { AppView } from '../../state/appView.svelte.ts';
import { linkTo } from '../../state/linkRequest.ts';
import type { Shortcut } from '../../state/shortcuts.ts';
import type { ThemeChoice } from '../../state/theme.svelte.ts';
import { openDemo } from '../connect/openDemo.ts';
import { WORDS } from '../connect/connectWords.ts';
import { shownSections } from '../sections.ts';

export function commands(app: AppView, theme: ThemeChoice, showInbox: () => void): readonly Shortcut[] {
  const hasServer = () => app.server !== undefined;
  const go = 'Go to';
  const general = 'General';
  return [
    { title: 'Command palette', group: general, keys: 'mod+k', run: () => (app.dialog = 'palette') },
    { title: 'Keyboard shortcuts', group: general, keys: '?', run: () => (app.dialog = 'shortcuts') },
    { title: 'Help', group: general, keys: 'g h', run: () => (app.dialog = 'help') },
    { title: 'Manage servers', group: general, keys: 'g s', run: () => (app.dialog = 'servers') },
    { title: 'Settings', group: general, keys: 'g ,', run: () => (app.dialog = 'settings') },
    { title: 'Inbox', group: go, keys: 'g q', applies: hasServer, run: showInbox },
    {
      title: 'Filter tools',
      group: go,
      keys: 'g f',
      applies: hasServer,
      run: () => void showToolFilter(app),
    },
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((n): Shortcut => ({
      get title() {
        return sectionAt(app, n)?.title ?? '';
      },
      group: go,
      keys: `g ${n}`,
      applies: () => sectionAt(app, n) !== undefined,
      run: () => app.server?.place.write('section', sectionAt(app, n)?.id),
    })),
    {
      title: 'Next server',
      group: go,
      keys: 'g n',
      applies: () => app.servers.length > 1,
      run: () => nextServer(app),
    },
    {
      title: 'Reconnect',
      group: 'Server',
      applies: () => app.server?.isConnectionWanted === false,
      run: () => app.server && void app.actions.connect(app.server.id),
    },
    {
      title: 'Disconnect',
      group: 'Server',
      applies: () => app.server?.isConnectionWanted === true,
      run: () => void app.disconnect(),
    },
    {
      title: 'Remove server',
      group: 'Server',
      applies: hasServer,
      run: () => app.server && void app.actions.forget(app.server.id, app.server.name),
    },
    { title: WORDS.openDemo, group: 'Server', run: () => void openDemo(app, 'session') },
    {
      title: WORDS.statelessDemo,
      group: 'Server',
      run: () => void openDemo(app, 'stateless'),
    },
    {
      title: 'Copy link to server',
      group: 'Server',
      applies: hasServer,
      run: () => void copyLink(app, false),
    },
    {
      title: 'Copy link to tool',
      group: 'Tool',
      applies: () => app.server?.selection.tool !== undefined,
      run: () => void copyLink(app, true),
    },
    {
      title: 'Switch theme (light, dark, system)',
      group: general,
      keys: 'shift+t',
      run: () => theme.advance(),
    },
  ];
}

async function showToolFilter(app: AppView): Promise<void> {
  app.server?.place.write('section', 'tools');
  await tick();
  document.getElementById('tool-filter')?.focus();
}

function sectionAt(app: AppView, n: number) {
  return app.server && shownSections(app.server)[n - 1];
}

function nextServer(app: AppView): void {
  const at = app.servers.findIndex(({ id }) => id === app.server?.id);
  const next = app.servers[(at + 1) % app.servers.length];
  if (next) app.select(next.id);
}

async function copyLink(app: AppView, withTool: boolean): Promise<void> {
  const { server } = app;
  if (!server) return;
  const tool = withTool ? server.selection.tool?.name : undefined;
  const link = linkTo(new URL(location.href), { url: server.url, ...(tool !== undefined && { tool }) });
  try {
    await navigator.clipboard.writeText(link);
    app.toasts.show({ text: 'Link copied. Reprise asks for confirmation before connecting.' });
  } catch {
    app.toasts.show({ text: `Can’t copy: the browser blocked clipboard access. ${link}` });
  }
}
