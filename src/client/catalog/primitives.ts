/** What a server offers beside tools: resources, prompts, completion, its log level; and the roots that it may ask for. */
import { numberField, type JsonObject } from '../../base/json.ts';
import { errorMessage } from '../../base/format.ts';
import type { Reason } from '../../log/reasons/reason.ts';
import type { DriverPort, ProtocolDriver } from '../protocol/driver.ts';
import type { CurrentPreferences } from '../settings/currentPreferences.ts';
import type { Rules } from '../settings/rules.ts';
import type { Peer } from '../link/peer.ts';
import type { Session } from '../link/session.ts';
import type { AskSkills, SkillsRequest } from './skills/skillTypes.ts';
import {
  forNewSession,
  parsePreferences,
  subscribe,
  subscriptionAcknowledged,
  unsubscribe,
  unacknowledged,
  withLevel,
  type Root,
  type Acknowledgement,
  type Preference,
  type ServerPreferences,
} from '../settings/preferences.ts';

export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

export type PrimitiveCommand =
  | { readonly does: 'read'; readonly uri: string }
  | { readonly does: 'prompt'; readonly prompt: string; readonly args: Readonly<Record<string, string>> }
  | {
      readonly does: 'complete';
      readonly ref: CompletionReference;
      readonly argument: { readonly name: string; readonly value: string };
      /** What is filled in already: it may narrow the answer. */
      readonly others: Readonly<Record<string, string>>;
    }
  | { readonly does: 'skills'; readonly request: SkillsRequest }
  | { readonly does: 'ping' }
  | { readonly does: 'subscribe' | 'unsubscribe'; readonly uri: string }
  | { readonly does: 'level'; readonly level: string }
  | { readonly does: 'roots'; readonly roots: readonly Root[] }
  | { readonly does: 'rules'; readonly rules: Rules };

interface Ready {
  readonly peer: Pick<Peer, 'request' | 'ping' | 'notify'>;
  readonly session: Session;
  readonly driver: ProtocolDriver;
}

export interface PrimitivesOptions {
  readonly link: {
    readonly connection: Ready | undefined;
    /** For a stateless server: what is subscribed to has changed. */
    readonly stateless: { listen(): void } | undefined;
    /** Throws, with a sentence, where there is no connection. */
    require(): Ready;
  };
  /** As a call: a server may ask before it answers. */
  readonly requestWithInput: DriverPort['requestWithInput'];
  readonly preferences: CurrentPreferences;
  /** Without it, this page has no skills. */
  readonly askSkills?: AskSkills | undefined;
}

interface Subscribed {
  readonly asked: readonly string[];
  readonly agreed: readonly string[];
  readonly refusal: Reason;
}

export class Primitives {
  readonly #options: PrimitivesOptions;
  readonly #port: DriverPort;

  constructor(options: PrimitivesOptions) {
    this.#options = options;
    this.#port = {
      request: (method, params) => this.#request(method, params),
      notify: (method) => this.#peer.notify(method),
      requestWithInput: options.requestWithInput,
      listenAgain: () => options.link.stateless?.listen(),
    };
  }

  async perform(command: PrimitiveCommand): Promise<unknown> {
    switch (command.does) {
      case 'read':
        return this.#driver.readResource(command.uri, this.#port);
      case 'prompt':
        return this.#driver.getPrompt(command.prompt, command.args, this.#port);
      case 'complete':
        return this.#complete(command);
      case 'skills':
        return this.#options.askSkills?.(this.#options.link.require(), command.request);
      case 'ping':
        return this.#ping();
      case 'subscribe':
        await this.#save(subscribe(this.#preferences, command.uri));
        return this.#tellSubscription(command.uri);
      case 'unsubscribe':
        await this.#save(unsubscribe(this.#preferences, command.uri));
        return this.#driver.unsubscribe(command.uri, this.#port);
      case 'level':
        await this.#save(withLevel(this.#preferences, command.level));
        return this.#tellLevel(command.level);
      case 'roots':
        await this.#save({ ...this.#preferences, roots: command.roots });
        // A server that is connected to later asks by itself.
        return this.#options.link.connection?.driver.rootsChanged(this.#port);
      case 'rules':
        // What comes from another tab is looked at as what comes from storage is.
        return this.#save(parsePreferences({ ...this.#preferences, rules: command.rules }));
    }
  }

  /** Tells the server what it does not know yet: everything, if the session is new. */
  async renew(session: 'new' | 'same'): Promise<void> {
    if (session === 'new') await this.#save(forNewSession(this.#preferences));
    const { subscriptions, level } = unacknowledged(this.#preferences);
    await Promise.allSettled([
      ...subscriptions.map((uri) => this.#tellSubscription(uri)),
      ...(level === undefined ? [] : [this.#tellLevel(level)]),
    ]);
  }

  async #ping(): Promise<number> {
    const begin = performance.now();
    await this.#peer.ping();
    return performance.now() - begin;
  }

  async #complete(command: PrimitiveCommand & { does: 'complete' }): Promise<unknown> {
    const { ref, argument, others } = command;
    return this.#request('completion/complete', {
      ref,
      argument,
      ...(Object.keys(others).length > 0 && { context: { arguments: others } }),
    });
  }

  /** A stateless server says with each stream of changes what it will tell of. */
  async subscriptionsAcknowledged({ asked, agreed, refusal }: Subscribed): Promise<void> {
    const told = (uri: string): Acknowledgement =>
      agreed.includes(uri) ? { name: 'agreed' } : { name: 'refused', reason: refusal };
    await this.#save(
      asked.reduce(
        (preferences, uri) => subscriptionAcknowledged(preferences, uri, told(uri)),
        this.#preferences,
      ),
    );
  }

  #tellSubscription(uri: string): Promise<void> {
    return this.#tell(
      'subscription',
      () => this.#driver.subscribe(uri, this.#port),
      (told) => subscriptionAcknowledged(this.#preferences, uri, told),
    );
  }

  #tellLevel(level: string): Promise<void> {
    return this.#tell(
      'level',
      () => this.#driver.setLevel(level, this.#port),
      (told) =>
        this.#preferences.level?.name === level
          ? withLevel(this.#preferences, level, told)
          : this.#preferences,
    );
  }

  /** A server's "no" is kept beside the preference; no answer at all leaves it to be told when the page comes back. */
  async #tell(
    how: Preference,
    send: () => Promise<'agreed' | 'later'>,
    after: (told: Acknowledgement) => ServerPreferences,
  ): Promise<void> {
    try {
      if ((await send()) === 'later') return;
    } catch (error) {
      // A JSON-RPC error has a number as its code.
      const rpcCode = numberField(error, 'code');
      if (rpcCode !== undefined) {
        const refusal: Reason = { code: 'wish-rejected', how, rpcCode, text: errorMessage(error) };
        await this.#save(after({ name: 'refused', reason: refusal }));
      }
      throw error;
    }
    await this.#save(after({ name: 'agreed' }));
  }

  #request(method: string, params: JsonObject): Promise<JsonObject> {
    return this.#peer.request(method, params);
  }

  get #driver(): ProtocolDriver {
    return this.#options.link.require().driver;
  }

  get #peer(): Ready['peer'] {
    return this.#options.link.require().peer;
  }

  get #preferences(): ServerPreferences {
    return this.#options.preferences.value;
  }

  #save(preferences: ServerPreferences): Promise<void> {
    return this.#options.preferences.save(preferences);
  }
}
