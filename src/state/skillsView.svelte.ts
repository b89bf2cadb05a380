/** The skills of a server: which one is open, and what a check of its files has found. */
import { errorMessage } from '../base/format.ts';
import type { SkillCheck, SkillEntry, SkillList } from '../client/inspector/index.ts';
import type { ServerView } from './serverView.svelte.ts';

export type Checking =
  | { readonly name: 'checking' }
  | { readonly name: 'checked'; readonly check: SkillCheck }
  | { readonly name: 'failed'; readonly why: string };

const PLACE = 'skill';
const NONE: SkillList = { skills: [], invalid: [] };

export class SkillsView {
  readonly #server: ServerView;
  #list = $state.raw<SkillList>(NONE);
  #problem = $state<string>();
  #checks = $state.raw<ReadonlyMap<string, Checking>>(new Map());

  constructor(server: ServerView) {
    this.#server = server;
  }

  get list(): SkillList {
    return this.#list;
  }

  /** Why the list couldn't be read. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get picked(): string | undefined {
    return this.#server.place.read(PLACE);
  }

  pick(uri: string | undefined): void {
    this.#server.place.write(PLACE, uri);
  }

  checkOf(uri: string): Checking | undefined {
    return this.#checks.get(uri);
  }

  async load(): Promise<void> {
    try {
      this.#list = (await this.#server.perform({ does: 'skills', request: { asks: 'list' } })) as SkillList;
      this.#problem = undefined;
    } catch (error) {
      this.#problem = errorMessage(error);
    }
  }

  async check(skill: SkillEntry): Promise<void> {
    this.#note(skill.uri, { name: 'checking' });
    try {
      const request = { asks: 'check', skill } as const;
      const check = (await this.#server.perform({ does: 'skills', request })) as SkillCheck;
      this.#note(skill.uri, { name: 'checked', check });
    } catch (error) {
      this.#note(skill.uri, { name: 'failed', why: errorMessage(error) });
    }
  }

  async checkAll(): Promise<void> {
    for (const skill of this.#list.skills) await this.check(skill);
  }

  #note(uri: string, checking: Checking): void {
    this.#checks = new Map([...this.#checks, [uri, checking]]);
  }
}
