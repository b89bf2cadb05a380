/** The orders of a page to a recorder, kept until they are carried out: one that ends can be followed by another. */
import type { Clock } from '../base/clock.ts';
import type { Channel, Command, Order, Report } from './messages.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class OrderBook {
  readonly #clock: Clock;
  /** By their numbers, in order. */
  readonly #open = new Map<number, Order>();
  readonly #waiting = new Map<number, Waiting>();
  #channel: Pick<Channel<Order, Report>, 'post'> | undefined;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  give(command: Command): void {
    this.#post(command, false);
  }

  ask(command: Command): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(this.#post(command, true), { resolve, reject });
    });
  }

  /** Is such an order still to be carried out? */
  holds(name: Command['name']): boolean {
    return [...this.#open.values()].some(({ command }) => command.name === name);
  }

  /** @param first what a new recorder has to be told before anything else */
  attach(channel: Channel<Order, Report>, first: readonly Command[], ready?: Promise<void>): void {
    const postAll = (): void => {
      this.#channel = channel;
      for (const command of first) channel.post({ n: 0, at: this.#clock.now(), command, isAsked: false });
      for (const order of this.#open.values()) channel.post(order);
    };
    if (ready) void ready.then(postAll);
    else postAll();
  }

  detach(): void {
    this.#channel = undefined;
  }

  /** Everything up to this order is carried out; who waits for an answer still gets it. */
  confirm(through: number): void {
    for (const [n, { isAsked }] of this.#open) {
      if (n > through) return;
      if (!isAsked) this.#open.delete(n);
    }
  }

  answer(n: number, value: unknown): void {
    this.#take(n)?.resolve(value);
  }

  fail(n: number, why: string): void {
    this.#take(n)?.reject(new Error(why));
  }

  #post(command: Command, isAsked: boolean): number {
    const order: Order = { n: ++this.#count, at: this.#clock.now(), command, isAsked };
    this.#open.set(order.n, order);
    this.#channel?.post(order);
    return order.n;
  }

  #take(n: number): Waiting | undefined {
    const waiting = this.#waiting.get(n);
    this.#waiting.delete(n);
    this.#open.delete(n);
    return waiting;
  }
}
