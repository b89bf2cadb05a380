/** Everything that can be done or gone to from where somebody is. */
import type { AppView } from '../../state/appView.svelte.ts';
import { focusForm } from '../tools/focusForm.ts';

export interface PaletteItem {
  readonly title: string;
  readonly group: string;
  readonly keys?: string;
  readonly run: () => void;
}

export function paletteItems(app: AppView): readonly PaletteItem[] {
  const { server } = app;
  const tools = server
    ? server.tools.map(({ name }) => ({
        title: name,
        group: 'Tool',
        run: () => {
          server.place.write('section', 'tools');
          server.selection.pickTool(name);
          focusForm();
        },
      }))
    : [];
  const resources = server
    ? server.lists.resources.map(({ uri, title, name }) => ({
        title: title ?? name,
        group: 'Resource',
        run: () => {
          server.place.write('resource', JSON.stringify({ kind: 'resource', uri }));
          server.place.write('section', 'resources');
        },
      }))
    : [];
  const prompts = server
    ? server.lists.prompts.map(({ title, name }) => ({
        title: title ?? name,
        group: 'Prompt',
        run: () => {
          server.place.write('prompt', name);
          server.place.write('section', 'prompts');
        },
      }))
    : [];
  const servers = app.servers
    .filter(({ id }) => id !== server?.id)
    .map(({ id, name }) => ({ title: name, group: 'Server', run: () => app.select(id) }));
  // Going to the palette from the palette leads nowhere.
  const actions = app.commands.filter(({ keys }) => keys !== 'mod+k');
  return [...tools, ...actions, ...servers, ...resources, ...prompts];
}
