/** The contract of a store, to be run against any: it needs no test runner. */
import type { Store } from './storeTypes.ts';

interface Rule {
  readonly name: string;
  readonly holds: (store: Store) => Promise<boolean>;
}

const one = async (store: Store, key: string): Promise<unknown> => (await store.getMany([key]))[0];

const RULES: readonly Rule[] = [
  {
    name: 'has a name',
    holds: (store) => Promise.resolve(typeof store.name === 'string' && store.name !== ''),
  },
  {
    name: 'returns one value for each key, in the order of the keys, undefined where there is none',
    async holds(store) {
      await store.write([
        ['a', { n: 1 }],
        ['b', [2]],
      ]);
      return isEqual(await store.getMany(['b', 'nothing', 'a']), [[2], undefined, { n: 1 }]);
    },
  },
  {
    name: 'lists the keys of all records',
    async holds(store) {
      await store.write([
        ['x', 1],
        ['y', undefined],
      ]);
      const keys = await store.keys();
      return keys.includes('x') && new Set(keys).size === keys.length;
    },
  },
  {
    name: 'replaces the value of a key',
    async holds(store) {
      await store.write([['a', 1]]);
      await store.write([['a', 2]]);
      return (await one(store, 'a')) === 2;
    },
  },
  {
    name: 'removes records, and ignores keys that are not there',
    async holds(store) {
      await store.write([['a', 1]]);
      await store.write([], ['a', 'never there']);
      return (await one(store, 'a')) === undefined && !(await store.keys()).includes('a');
    },
  },
  {
    name: 'keeps a copy: a later change of the value does not reach the store',
    async holds(store) {
      const value = { list: [1] };
      await store.write([['a', value]]);
      value.list.push(2);
      return isEqual(await one(store, 'a'), { list: [1] });
    },
  },
  {
    name: 'writes all of a batch or nothing',
    async holds(store) {
      await store.write([['a', 1]]);
      const batch = [['a', 2] as const, ['b', () => undefined] as const];
      const isRefused = await Promise.resolve()
        .then(() => store.write(batch, []))
        .then(
          () => false,
          () => true,
        );
      return isRefused && (await one(store, 'a')) === 1;
    },
  },
  {
    name: 'keeps bytes and dates as they are',
    async holds(store) {
      await store.write([['a', { bytes: new Uint8Array([1, 2]), at: new Date(3) }]]);
      const value = (await one(store, 'a')) as
        | { readonly bytes?: unknown; readonly at?: unknown }
        | undefined;
      const { bytes, at } = value ?? {};
      return bytes instanceof Uint8Array && bytes[1] === 2 && at instanceof Date && at.getTime() === 3;
    },
  },
  {
    name: 'keeps a CryptoKey that can’t be exported',
    async holds(store) {
      if (!('subtle' in crypto)) return true;
      const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt']);
      await store.write([['a', made]]);
      return (await one(store, 'a')) instanceof CryptoKey;
    },
  },
];

/**
 * Runs the contract of {@link Store} against yours.
 * @param create gives an empty store each time
 * @throws Error that names the first rule that it breaks
 */
export async function checkStore(create: () => Store | Promise<Store>): Promise<void> {
  for (const { name, holds } of RULES) {
    const isKept = await holds(await create()).catch((error: unknown) => {
      throw new Error(`The store breaks a rule: it ${name}.`, { cause: error });
    });
    if (!isKept) throw new Error(`The store breaks a rule: it ${name}.`);
  }
}

const isEqual = (a: unknown, b: unknown): boolean => print(a) === print(b);
const print = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part === undefined ? '(undefined)' : part));
