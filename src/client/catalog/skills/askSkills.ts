/** The skills of a server (SEP-2640), listed and checked by the SDK's client of the extension. */
import { SkillsClient, SkillVerificationError, type Skill } from '@modelcontextprotocol/client/ext/skills';
import { errorMessage } from '../../../base/format.ts';
import { canonical } from '../../../base/canonical.ts';
import { sdkClient } from './sdkClient.ts';
import type { CheckedFile, SkillCheck, SkillList, SkillsConnection, SkillsRequest } from './skillTypes.ts';

export async function askSkills(
  connection: SkillsConnection,
  request: SkillsRequest,
): Promise<SkillList | SkillCheck> {
  const skills = new SkillsClient(await sdkClient(connection), { skipInvalid: true });
  return request.asks === 'list' ? list(skills) : check(skills, request.skill as Skill);
}

async function list(client: SkillsClient): Promise<SkillList> {
  const { skills, invalid } = await client.list();
  return { skills, invalid };
}

/** Reads every file of a skill as a host would: each must be as its entry says. */
async function check(client: SkillsClient, skill: Skill): Promise<SkillCheck> {
  const uris = skill.resources === 'dynamic' ? [skill.uri] : skill.resources.map(({ uri }) => uri);
  const files: CheckedFile[] = [];
  for (const uri of uris) files.push(await checkFile(client, skill, uri));
  const problem = await compareEntry(client, skill);
  return { files, ...(problem !== undefined && { problem }) };
}

async function checkFile(client: SkillsClient, skill: Skill, uri: string): Promise<CheckedFile> {
  try {
    const { bytes, text, verified } = await client.read(skill, uri, { cacheMode: 'refresh' });
    const read = { uri, sizeBytes: bytes.length, ...(text !== undefined && { text }) };
    return { ...read, name: verified ? 'verified' : 'dynamic' };
  } catch (error) {
    if (!(error instanceof SkillVerificationError))
      return { uri, name: 'unreadable', why: errorMessage(error) };
    const { reason: failed, message, differences } = error;
    return { uri, name: 'wrong', failed, why: message, differences };
  }
}

/** A host may ask for one skill without the list, and must get the same entry. */
async function compareEntry(client: SkillsClient, skill: Skill): Promise<string | undefined> {
  try {
    const { skill: got } = await client.get(skill.uri);
    return canonical(got) === canonical(skill)
      ? undefined
      : 'skills/get returns another entry than skills/list.';
  } catch (error) {
    return `skills/get failed: ${errorMessage(error)}`;
  }
}
