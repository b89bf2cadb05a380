/** What an app reads from its server: lists, resources, prompts, and whatever else it requests. */
import type {
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  Tool,
} from '@modelcontextprotocol/client';
import type { Catalog } from '../catalog/catalog.ts';
import type { WaitOptions } from './clientTypes.ts';
import type { CommandRunner } from './commandRunner.ts';
import { requestCommand } from './requestCommand.ts';

export abstract class ServerRequests {
  protected abstract readonly commands: CommandRunner;
  protected abstract readonly lists: Catalog;

  tools(options?: WaitOptions): Promise<readonly Tool[]> {
    return this.#list('tools', options);
  }

  resources(options?: WaitOptions): Promise<readonly Resource[]> {
    return this.#list('resources', options);
  }

  resourceTemplates(options?: WaitOptions): Promise<readonly ResourceTemplateType[]> {
    return this.#list('resourceTemplates', options);
  }

  prompts(options?: WaitOptions): Promise<readonly Prompt[]> {
    return this.#list('prompts', options);
  }

  async readResource(uri: string, options?: WaitOptions): Promise<ReadResourceResult> {
    return (await this.#request('resources/read', { uri }, options)) as ReadResourceResult;
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options?: WaitOptions,
  ): Promise<GetPromptResult> {
    return (await this.#request('prompts/get', { name, arguments: args }, options)) as GetPromptResult;
  }

  /** The types of the interface tell what a method takes and gives. */
  async request(method: string, params: object = {}, options?: WaitOptions): Promise<never> {
    return (await this.#request(method, params, options)) as never;
  }

  async #list<Name extends keyof Catalog>(name: Name, { signal }: WaitOptions = {}): Promise<Catalog[Name]> {
    await this.commands.whenConnected({ name: 'lists' }, signal);
    return this.lists[name];
  }

  #request(method: string, params: object, { signal }: WaitOptions = {}): Promise<unknown> {
    return this.commands.whenConnected(requestCommand(method, params), signal);
  }
}
