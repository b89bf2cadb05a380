// The fields of package.json that name the repository, from the URL of a git remote. Pure.

/**
 * @typedef {object} RepositoryFields
 * @property {{ type: 'git', url: string }} repository
 * @property {string} homepage
 * @property {{ url: string }} bugs
 */

/** `git@host:owner/name.git`, as git writes it for SSH. */
const SCP = /^[\w.-]+@([\w.-]+):(?!\/\/)(.+)$/;

/**
 * @param {string | undefined} remote as `git remote get-url origin` prints it
 * @returns {RepositoryFields}
 */
export function repositoryFields(remote) {
  if (remote === undefined) {
    throw new Error(
      'package.json has no "repository", and this clone has no remote "origin" to read it from. Add one: git remote add origin <url>',
    );
  }
  const text = remote.replace(SCP, 'ssh://$1/$2');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const path = url?.pathname.replace(/\.git$/, '').replace(/\/$/, '') ?? '';
  if (!url || !['https:', 'http:', 'ssh:', 'git:'].includes(url.protocol) || path === '') {
    throw new Error(
      `The remote "origin" is ${remote}, which isn't a public URL. Set "repository" in package.json.`,
    );
  }
  const page = `https://${url.hostname}${path}`;
  return {
    repository: { type: 'git', url: `git+${page}.git` },
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
  };
}
