/** Which URLs an `endpoint` names: a glob, a regular expression or a predicate, as in `page.route()`. Pure. */

export function endpointMatcher(endpoint: string | RegExp | ((url: URL) => boolean)): (url: URL) => boolean {
  if (typeof endpoint === 'function') return endpoint;
  const pattern = typeof endpoint === 'string' ? globToRegExp(endpoint) : endpoint;
  // A pattern with the flag g would remember where it stopped.
  const source = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
  return ({ href }) => source.test(href);
}

/** `*` doesn't match a slash, `**` does, `{a,b}` is one of both. Without a query in it, a glob matches any query. */
function globToRegExp(glob: string): RegExp {
  const parts = glob.match(/\*\*\/?|\*|\{[^}]*\}|[^*{]+|\{/g) ?? [];
  const body = parts.map((part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (/^\{.*\}$/.test(part)) return `(?:${part.slice(1, -1).split(',').map(escape).join('|')})`;
    return escape(part);
  });
  const query = glob.includes('?') ? '' : '(?:\\?.*)?';
  return new RegExp(`^${body.join('')}${query}$`);
}

const escape = (text: string): string => text.replace(/[.+?^$()|[\]\\{}*]/g, '\\$&');
