/** The skills of a server as they are told from tab to tab: plain values. Types, and what is read of capabilities. */
import { objectField } from '../../../base/json.ts';
import type { Peer } from '../../link/peer.ts';
import type { Session } from '../../link/session.ts';

const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

export interface SkillEntry {
  /** Of its `SKILL.md`. */
  readonly uri: string;
  readonly frontmatter: {
    readonly name: string;
    readonly description: string;
    readonly [key: string]: unknown;
  };
  readonly resources:
    | 'dynamic'
    | readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
}

export interface SkillList {
  readonly skills: readonly SkillEntry[];
  readonly invalid: readonly { readonly index: number; readonly uri?: string; readonly reason: string }[];
}

/** What is wrong with a file. */
export type WrongFile = 'unlisted' | 'size' | 'digest' | 'frontmatter';

export type CheckedFile = { readonly uri: string } & (
  | { readonly name: 'verified' | 'dynamic'; readonly sizeBytes: number; readonly text?: string }
  | {
      readonly name: 'wrong';
      readonly failed: WrongFile;
      readonly why: string;
      readonly differences: readonly string[];
    }
  | { readonly name: 'unreadable'; readonly why: string }
);

export interface SkillCheck {
  readonly files: readonly CheckedFile[];
  /** What is wrong with the entry itself. */
  readonly problem?: string;
}

export type SkillsRequest =
  | { readonly asks: 'list' }
  | { readonly asks: 'check'; readonly skill: SkillEntry };

/** A connection, as far as skills matter. */
export interface SkillsConnection {
  readonly peer: Pick<Peer, 'request'>;
  readonly session: Session;
}

export type AskSkills = (
  connection: SkillsConnection,
  request: SkillsRequest,
) => Promise<SkillList | SkillCheck>;

export function offersSkills(capabilities: unknown): boolean {
  return objectField(objectField(capabilities, 'extensions'), SKILLS_EXTENSION) !== undefined;
}
