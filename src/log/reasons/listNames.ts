/** The lists of a server, by the members of their results. */
export const LIST_NAMES = ['tools', 'resources', 'resourceTemplates', 'prompts', 'tasks'] as const;
export type ListName = (typeof LIST_NAMES)[number];
