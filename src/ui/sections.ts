/**
 * The sections of the left rail, in their order.
 *
 * To add one: write a component that takes `SectionProps` (as `src/ui/info/InfoSection.svelte` does) and add a line
 * here. Give its component by `load`, so that its code is fetched when it is first opened; the frame draws the loading
 * and the error state. `count` is the number beside its name; `shows` hides it where it makes no sense. Which section
 * is open is kept for each tab and server; what a section wants to keep of its own goes to `server.place` (a picked
 * item, a filter, an open pane) and `keptScroll`. Its content fills the place between the rail and the timeline, and
 * scrolls in itself. Below 900 px it has the whole width.
 */
import type { Component } from 'svelte';
import { offersSkills } from '../client/inspector/index.ts';
import type { AppView } from '../state/appView.svelte.ts';
import type { Drafts } from '../state/storage/drafts.ts';
import type { Topic } from '../state/newSince.ts';
import type { Now } from '../state/now.svelte.ts';
import type { ServerView } from '../state/serverView.svelte.ts';

export interface SectionProps {
  app: AppView;
  server: ServerView;
  drafts: Drafts;
  now: Now;
}

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly count?: (server: ServerView) => number | undefined;
  /** What it shows that can be new; the rail shows how much. */
  readonly topics?: readonly Topic[];
  readonly shows?: (server: ServerView) => boolean;
  /** It begins with a list, and the names of the sections stand above that. */
  readonly hasList?: boolean;
  /** The server's values that it draws, shown as raw text if the section can't be displayed. */
  readonly raw?: (server: ServerView) => unknown;
  /** The first section comes with the frame; the others come when they are first opened. */
  readonly load?: LoadSection;
}

type LoadSection = () => Promise<{ readonly default: Component<SectionProps> }>;

const TOOLS: Section = {
  id: 'tools',
  title: 'Tools',
  count: ({ tools }) => tools.length,
  topics: ['tools', 'calls'],
  raw: ({ tools }) => tools,
  hasList: true,
};

const SECTIONS: readonly Section[] = [
  TOOLS,
  {
    id: 'resources',
    title: 'Resources',
    count: ({ lists }) => lists.resources.length,
    topics: ['resources'],
    hasList: true,
    raw: ({ lists: { resources, resourceTemplates } }) => ({ resources, resourceTemplates }),
    load: () => import('./resources/ResourcesSection.svelte'),
  },
  {
    id: 'prompts',
    title: 'Prompts',
    count: ({ lists }) => lists.prompts.length,
    topics: ['prompts'],
    hasList: true,
    raw: ({ lists }) => lists.prompts,
    load: () => import('./prompts/PromptsSection.svelte'),
  },
  {
    id: 'tasks',
    title: 'Tasks',
    count: ({ tasks }) => tasks.started.length + tasks.others.length || undefined,
    topics: ['tasks'],
    shows: ({ tasks }) => tasks.areOffered || tasks.started.length > 0,
    raw: ({ tasks }) => tasks.started,
    load: () => import('./tasks/TasksSection.svelte'),
  },
  {
    id: 'logs',
    title: 'Logs',
    topics: ['logs'],
    raw: ({ log }) => log.tail,
    load: () => import('./logs/LogsSection.svelte'),
  },
  {
    id: 'client',
    title: 'Client',
    raw: ({ preferences }) => preferences,
    load: () => import('./client/ClientSection.svelte'),
  },
  {
    id: 'auth',
    title: 'Auth',
    raw: ({ login }) => login.steps,
    load: () => import('./auth/AuthSection.svelte'),
  },
  {
    id: 'bridge',
    title: 'Bridge',
    shows: ({ bridge }) => bridge !== undefined,
    load: () => import('./bridge/BridgeSection.svelte'),
  },
  {
    id: 'info',
    title: 'Info',
    raw: ({ session }) => session?.handshake,
    load: () => import('./info/InfoSection.svelte'),
  },
  {
    id: 'skills',
    title: 'Skills',
    shows: ({ session }) => offersSkills(session?.handshake.capabilities),
    hasList: true,
    load: () => import('./skills/SkillsSection.svelte'),
  },
  {
    id: 'interface',
    title: 'Interface',
    shows: ({ hasLists }) => hasLists,
    raw: ({ lists }) => lists,
    load: () => import('./interface/InterfaceSection.svelte'),
  },
];

/** The section that was open; Tools, if there was none, or if it is not there for this server. */
export function openSection(server: ServerView): Section {
  const id = server.place.read('section');
  return shownSections(server).find((section) => section.id === id) ?? TOOLS;
}

export function shownSections(server: ServerView): readonly Section[] {
  return SECTIONS.filter(({ shows }) => shows?.(server) ?? true);
}
