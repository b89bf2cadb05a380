/** What can be done everywhere, by key or by name. */
import type { AppView } from '../../state/appView.svelte.ts';
import { linkTo } from '../../state/linkRequest.ts';
import type { Shortcut } from '../../state/shortcuts.ts';
import type { ThemeChoice } from '../../state/theme.svelte.ts';
import { shownSections } from '../sections.ts';

export function commands(app: AppView, theme: ThemeChoice, showInbox: () => void): readonly Shortcut[] {
  const hasServer = () => app.server !== undefined;
  const go = 'Go';
  const general = 'Everywhere';
  return [
    { title: 'Search commands', group: general, keys: 'mod+k', run: () => (app.dialog = 'palette') },
    { title: 'Show shortcuts', group: general, keys: '?', run: () => (app.dialog = 'shortcuts') },
    { title: 'Help', group: general, keys: 'g h', run: () => (app.dialog = 'help') },
    { title: 'Manage servers', group: general, keys: 'g s', run: () => (app.dialog = 'servers') },
    { title: 'Settings', group: general, keys: 'g ,', run: () => (app.dialog = 'settings') },
    { title: 'Show the inbox', group: go, keys: 'g q', applies: hasServer, run: showInbox },
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((n): Shortcut => ({
      get title() {
        return `Show ${sectionAt(app, n)?.title ?? ''}`;
      },
      group: go,
      keys: `g ${n}`,
      applies: () => sectionAt(app, n) !== undefined,
      run: () => app.server?.place.write('section', sectionAt(app, n)?.id),
    })),
    {
      title: 'Show the next server',
      group: go,
      keys: 'g n',
      applies: () => app.servers.length > 1,
      run: () => nextServer(app),
    },
    {
      title: 'Connect again',
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
      title: 'Forget this server',
      group: 'Server',
      applies: hasServer,
      run: () => app.server && void app.actions.forget(app.server.id, app.server.name),
    },
    { title: 'Open the demo', group: 'Server', run: () => void app.openDemo() },
    {
      title: 'Open the demo without sessions (2026-07-28)',
      group: 'Server',
      run: () => void app.openDemo('stateless'),
    },
    {
      title: 'Copy a link to this server',
      group: 'Server',
      applies: hasServer,
      run: () => void copyLink(app, false),
    },
    {
      title: 'Copy a link to this tool',
      group: 'Tool',
      applies: () => app.server?.selection.tool !== undefined,
      run: () => void copyLink(app, true),
    },
    {
      title: 'Change the theme: light, dark, as the system',
      group: general,
      keys: 'shift+t',
      run: () => theme.advance(),
    },
  ];
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
    app.toasts.show({ text: 'The link is copied. Whoever opens it is asked before anything is connected.' });
  } catch {
    app.toasts.show({ text: `The browser does not allow it to be copied here: ${link}` });
  }
}
