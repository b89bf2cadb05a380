/** Values that should not stand on the command line: `env:NAME` reads one from the environment. Pure. */
import { HarnessError } from '../harnessError.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface GivenSecret {
  readonly value: string;
  /** It was given as it is, so others can read it where it stands. */
  readonly isPlain: boolean;
}

/** Also behind a scheme: `Token env:NAME`. */
const FROM_ENV = /^((?:[\w-]+\s+)?)env:(.*)$/s;

/** @param where such as `--bearer`, for the message */
export function readSecret(text: string, where: string, env: Env): GivenSecret {
  const [, scheme = '', name] = FROM_ENV.exec(text.trim()) ?? [];
  if (name === undefined) return { value: text, isPlain: true };
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw new HarnessError(
      'usage',
      `${where}: env: must be followed by the name of an environment variable.`,
    );
  }
  const value = env[name];
  if (value) return { value: `${scheme}${value}`, isPlain: false };
  throw new HarnessError('usage', `${where}: The environment variable ${name} isn't set, or is empty.`);
}
