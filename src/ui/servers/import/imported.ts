/** What one entry of somebody's configuration comes to. */
import type { Credentials } from '../../../client/inspector/index.ts';

export type Imported =
  | {
      readonly kind: 'http';
      readonly name: string;
      /** May hold `${…}` for what is missing. */
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** Values that the configuration takes from elsewhere, by the sign that stands for them. */
      readonly missing: readonly Missing[];
      readonly notes: readonly string[];
    }
  /** A program on somebody's computer: a page cannot start it, and says what can. */
  | {
      readonly kind: 'stdio';
      readonly name: string;
      readonly command: string;
      /** The command to run instead. */
      readonly bridge: string;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'unusable'; readonly name: string; readonly why: string };

export interface Missing {
  /** As it stands in the text, for example `${input:token}`. */
  readonly sign: string;
  readonly label: string;
  readonly isSecret: boolean;
  readonly preset?: string;
}

/** Puts the values in the place of their signs. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [sign, value]) => filled.replaceAll(sign, value), text);
}

/** A bearer token among the headers is taken for what it is. */
export function credentialsFrom(headers: readonly (readonly [string, string])[]): Credentials {
  const isBearer = ([name, value]: readonly [string, string]) =>
    name.toLowerCase() === 'authorization' && /^bearer /i.test(value);
  const bearer = headers.find(isBearer)?.[1].slice('bearer '.length).trim();
  const rest = headers.filter((header) => !isBearer(header));
  return {
    ...(bearer !== undefined && { bearer }),
    ...(rest.length > 0 && { headers: Object.fromEntries(rest) }),
  };
}
