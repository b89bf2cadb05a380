/**
 * Skills (SEP-2640): one that is right, and one for each thing that can be wrong with a skill or its entry. The entries
 * are made by hand, because the SDK's server refuses to publish a wrong one.
 */
import { createHash } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Catalog, CatalogResource } from '../core/catalog.ts';
import { RpcFault } from '../core/toolContext.ts';
import { modern } from './modern.ts';
import type { Profile } from './profile.ts';

const EXTENSION = 'io.modelcontextprotocol/skills';
const CACHE = { ttlMs: 60_000, cacheScope: 'public' };
const INVALID_PARAMS = -32602;

interface SkillFile {
  readonly uri: string;
  readonly text: string;
}

const manifest = (name: string, description: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nCall countdown, and reload the page.\n`;

const fileOf = (name: string, path: string, text: string): SkillFile => ({
  uri: `skill://${name}/${path}`,
  text,
});

const entryOf = ({ uri, text }: SkillFile) => ({
  uri,
  digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
  size: Buffer.byteLength(text),
});

function skillOf(name: string, description: string, more: readonly SkillFile[] = []) {
  const files = [fileOf(name, 'SKILL.md', manifest(name, description)), ...more];
  const entry = {
    uri: `skill://${name}/SKILL.md`,
    frontmatter: { name, description },
    resources: files.map(entryOf),
  };
  return { files, entry };
}

const GOOD = skillOf('countdown-guide', 'How to use countdown.', [
  fileOf('countdown-guide', 'references/TICKS.md', 'A tick is a progress notification.\n'),
]);
const WRONG_DIGEST = skillOf('wrong-digest', 'Its digest is of another text.');
const WRONG_SIZE = skillOf('wrong-size', 'Its size is one byte too large.');
const WRONG_FRONT_MATTER = skillOf('wrong-front-matter', 'As its file says.');
const MISSING_FILE = skillOf('missing-file', 'One of its files can\u2019t be read.');
const DYNAMIC = skillOf('dynamic', 'Its files are made when they are read.');

const first = <T>(items: readonly T[]): T => items[0] as T;

/** As they are published. */
const ENTRIES = [
  GOOD.entry,
  {
    ...WRONG_DIGEST.entry,
    resources: [{ ...first(WRONG_DIGEST.entry.resources), digest: `sha256:${'0'.repeat(64)}` }],
  },
  {
    ...WRONG_SIZE.entry,
    resources: WRONG_SIZE.entry.resources.map((file) => ({ ...file, size: file.size + 1 })),
  },
  {
    ...WRONG_FRONT_MATTER.entry,
    frontmatter: { ...WRONG_FRONT_MATTER.entry.frontmatter, description: 'As its entry says.' },
  },
  {
    ...MISSING_FILE.entry,
    resources: [
      ...MISSING_FILE.entry.resources,
      entryOf(fileOf('missing-file', 'references/GONE.md', 'gone')),
    ],
  },
  { ...DYNAMIC.entry, resources: 'dynamic' },
];
/** Its name isn't the last part of its path. */
const INVALID_ENTRY = { ...GOOD.entry, uri: 'skill://other-name/SKILL.md' };

const FILES = [GOOD, WRONG_DIGEST, WRONG_SIZE, WRONG_FRONT_MATTER, MISSING_FILE, DYNAMIC].flatMap(
  ({ files }) => files,
);

const catalog: Catalog = {
  resources: FILES.map(({ uri, text }): CatalogResource => ({
    name: uri.slice('skill://'.length),
    uri,
    mimeType: 'text/markdown',
    read: () => ({ text }),
  })),
  templates: [],
  prompts: [],
};

function serveSkills({ server }: McpServer): void {
  server.setRequestHandler('skills/list', { params: z.looseObject({}) }, () => ({
    skills: [...ENTRIES, INVALID_ENTRY],
    ...CACHE,
  }));
  server.setRequestHandler('skills/get', { params: z.looseObject({ uri: z.string() }) }, ({ uri }) => {
    const skill = ENTRIES.find((entry) => entry.uri === uri);
    if (!skill) throw new RpcFault(INVALID_PARAMS, 'Unknown skill.');
    return { skill, ...CACHE };
  });
}

export const skills: Profile = {
  name: 'skills',
  summary: '2026-07-28 with skills (SEP-2640): a valid one, and one with each issue',
  options: () => ({
    ...modern.options(),
    extraCatalog: catalog,
    modernExtension: { declares: { [EXTENSION]: {} }, serve: serveSkills },
  }),
};
