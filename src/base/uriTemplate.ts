/** URI templates (RFC 6570, all four levels): which variables one has, and what it becomes with their values. */
import { err, ok, type Result } from './result.ts';

export interface Variable {
  readonly name: string;
  /** `*`: each value of a list stands for itself. */
  readonly explodes: boolean;
  /** `:n`: only so many characters of the value. */
  readonly maxLength?: number;
}

type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'expression'; readonly operator: string; readonly variables: readonly Variable[] };

export interface UriTemplate {
  readonly parts: readonly Part[];
  /** Each once, in the order in which they come. */
  readonly variables: readonly Variable[];
}

export type Value = string | readonly string[] | Readonly<Record<string, string>>;

interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly isNamed: boolean;
  /** What stands after the name of an empty value. */
  readonly ifEmpty: string;
  readonly keepsReserved: boolean;
}

const operator = (first: string, separator: string, flags: Partial<Operator> = {}): Operator => ({
  first,
  separator,
  isNamed: false,
  ifEmpty: '',
  keepsReserved: false,
  ...flags,
});

/** RFC 6570, appendix A. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  '': operator('', ','),
  '+': operator('', ',', { keepsReserved: true }),
  '#': operator('#', ',', { keepsReserved: true }),
  '.': operator('.', '.'),
  '/': operator('/', '/'),
  ';': operator(';', ';', { isNamed: true }),
  '?': operator('?', '&', { isNamed: true, ifEmpty: '=' }),
  '&': operator('&', '&', { isNamed: true, ifEmpty: '=' }),
};

const VARIABLE = /^((?:[\w]|%[0-9A-Fa-f]{2})(?:\.?(?:[\w]|%[0-9A-Fa-f]{2}))*)(?:(\*)|:([1-9]\d{0,3}))?$/;

export function parseUriTemplate(text: string): Result<UriTemplate, string> {
  const parts: Part[] = [];
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('{', at);
    const literal = text.slice(at, open === -1 ? undefined : open);
    if (literal.includes('}')) return err('Unmatched }.');
    if (literal !== '') parts.push({ kind: 'literal', text: literal });
    if (open === -1) break;
    const close = text.indexOf('}', open);
    if (close === -1) return err('Unmatched {.');
    const expression = parseExpression(text.slice(open + 1, close));
    if (!expression.ok) return expression;
    parts.push(expression.value);
    at = close + 1;
  }
  const variables = new Map<string, Variable>();
  for (const part of parts) {
    if (part.kind === 'literal') continue;
    for (const variable of part.variables) {
      if (!variables.has(variable.name)) variables.set(variable.name, variable);
    }
  }
  return ok({ parts, variables: [...variables.values()] });
}

/** Variables without a value are left out, with whatever would have stood around them. */
export function expandUriTemplate(template: UriTemplate, values: ReadonlyMap<string, Value>): string {
  return template.parts
    .map((part) => (part.kind === 'literal' ? encodeReserved(part.text) : expand(part, values)))
    .join('');
}

function parseExpression(text: string): Result<Part, string> {
  const sign = /^[+#./;?&]/.exec(text)?.[0] ?? '';
  const variables: Variable[] = [];
  for (const spec of text.slice(sign.length).split(',')) {
    const [, name, star, length] = VARIABLE.exec(spec) ?? [];
    if (name === undefined) return err(`“${spec}” isn’t a valid variable name.`);
    variables.push({
      name,
      explodes: star !== undefined,
      ...(length !== undefined && { maxLength: Number(length) }),
    });
  }
  return ok({ kind: 'expression', operator: sign, variables });
}

function expand(part: Part & { kind: 'expression' }, values: ReadonlyMap<string, Value>): string {
  const how = OPERATORS[part.operator] ?? operator('', ',');
  const written = part.variables.flatMap((variable) => {
    const value = values.get(variable.name);
    return value === undefined ? [] : writeVariable(variable, value, how);
  });
  return written.length === 0 ? '' : how.first + written.join(how.separator);
}

function writeVariable(variable: Variable, value: Value, how: Operator): readonly string[] {
  const { name, explodes, maxLength } = variable;
  const encode = how.keepsReserved ? encodeReserved : encodeURIComponentStrictly;
  const named = (key: string, text: string): string => {
    if (!how.isNamed) return text;
    return text === '' ? key + how.ifEmpty : `${key}=${text}`;
  };
  if (typeof value === 'string') {
    return [
      named(name, encode(maxLength === undefined ? value : Array.from(value).slice(0, maxLength).join(''))),
    ];
  }
  if (isList(value)) {
    if (value.length === 0) return [];
    const items = value.map((item) => encode(item));
    return explodes ? items.map((item) => named(name, item)) : [named(name, items.join(','))];
  }
  const pairs = Object.entries(value).map(([key, item]) => [encode(key), encode(item)] as const);
  if (pairs.length === 0) return [];
  if (!explodes) return [named(name, pairs.flat().join(','))];
  return pairs.map(([key, item]) => (how.isNamed ? named(key, item) : `${key}=${item}`));
}

const isList = (value: Value): value is readonly string[] => Array.isArray(value);

/** Everything but the unreserved characters of RFC 3986. */
function encodeURIComponentStrictly(text: string): string {
  return encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Reserved characters and what is percent-encoded already stay as they are. */
function encodeReserved(text: string): string {
  return text
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((piece, i) =>
      i % 2 === 1 ? piece : encodeURI(wellFormed(piece)).replace(/%5B/g, '[').replace(/%5D/g, ']'),
    )
    .join('');
}

/** Half a surrogate pair cannot be encoded. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
