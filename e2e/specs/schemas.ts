/**
 * Sixty input schemas: of tools that people use (by what their servers list, shortened), of generators, and odd ones.
 * For each, what a person does in the form and what the server then gets; or why there is no form.
 */
export type Step =
  | readonly ['fill' | 'choose', label: string, text: string]
  | readonly ['check' | 'press', name: string];

export interface SchemaCase {
  readonly name: string;
  readonly schema: object;
  readonly steps: readonly Step[];
  readonly args: object;
  /** There is no form, and the page says why. The arguments are typed as JSON. */
  readonly says?: RegExp;
}

const object = (properties: object, required: readonly string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...more,
});
const string = { type: 'string' };
const number = { type: 'number' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const list = (items: unknown, more: object = {}) => ({ type: 'array', items, ...more });
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }], default: null });

const fill = (label: string, text: string): Step => ['fill', label, text];
const choose = (label: string, text: string): Step => ['choose', label, text];
const check = (name: string): Step => ['check', name];
const press = (name: string): Step => ['press', name];

function form(name: string, schema: object, steps: readonly Step[], args: object): SchemaCase {
  return { name, schema, steps, args };
}

function json(name: string, schema: object, says: RegExp, args: object): SchemaCase {
  return { name, schema, steps: [], args, says };
}

const REAL: readonly SchemaCase[] = [
  form(
    'echo',
    object({ message: { ...string, description: 'Message to echo' } }, ['message']),
    [fill('message', 'hi')],
    {
      message: 'hi',
    },
  ),
  form('add', object({ a: number, b: number }, ['a', 'b']), [fill('a', '1'), fill('b', '2.5')], {
    a: 1,
    b: 2.5,
  }),
  form(
    'read_file',
    object({ path: string, tail: number, head: number }, ['path']),
    [fill('path', '/tmp/a b')],
    {
      path: '/tmp/a b',
    },
  ),
  form(
    'read_multiple_files',
    object({ paths: list(string, { minItems: 1 }) }, ['paths']),
    [fill('paths 1', 'a'), press('Add to paths'), fill('paths 2', 'b')],
    { paths: ['a', 'b'] },
  ),
  form(
    'edit_file',
    object(
      {
        path: string,
        edits: list(
          object({ oldText: string, newText: string }, ['oldText', 'newText'], {
            additionalProperties: false,
          }),
        ),
        dryRun: { ...boolean, default: false },
      },
      ['path', 'edits'],
    ),
    [
      fill('path', 'x.ts'),
      press('Add to edits'),
      fill('oldText', 'a'),
      fill('newText', 'b'),
      check('dryRun'),
    ],
    { path: 'x.ts', edits: [{ oldText: 'a', newText: 'b' }], dryRun: true },
  ),
  form(
    'directory_tree',
    object({ path: string, excludePatterns: list(string, { default: [] }) }, ['path']),
    [fill('path', '.')],
    { path: '.' },
  ),
  form(
    'create_entities',
    object(
      {
        entities: list(
          object({ name: string, entityType: string, observations: list(string) }, [
            'name',
            'entityType',
            'observations',
          ]),
        ),
      },
      ['entities'],
    ),
    [
      press('Add to entities'),
      fill('name', 'Ada'),
      fill('entityType', 'person'),
      press('Add to observations'),
      fill('observations 1', 'wrote a program'),
    ],
    { entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote a program'] }] },
  ),
  form(
    'create_issue',
    object(
      {
        owner: string,
        repo: string,
        title: string,
        body: string,
        assignees: list(string),
        labels: list(string),
        milestone: number,
      },
      ['owner', 'repo', 'title'],
    ),
    [
      fill('owner', 'o'),
      fill('repo', 'r'),
      fill('title', 't'),
      press('Add to labels'),
      fill('labels 1', 'bug'),
    ],
    { owner: 'o', repo: 'r', title: 't', labels: ['bug'] },
  ),
  form(
    'list_pull_requests',
    object(
      {
        owner: string,
        repo: string,
        state: { ...string, enum: ['open', 'closed', 'all'] },
        sort: { ...string, enum: ['created', 'updated', 'popularity', 'long-running'] },
        perPage: { ...number, minimum: 1, maximum: 100 },
      },
      ['owner', 'repo'],
    ),
    [fill('owner', 'o'), fill('repo', 'r'), choose('state', 'all'), fill('perPage', '30')],
    { owner: 'o', repo: 'r', state: 'all', perPage: 30 },
  ),
  form(
    'push_files',
    object(
      {
        branch: string,
        files: list(object({ path: string, content: string }, ['path', 'content']), { minItems: 1 }),
      },
      ['branch', 'files'],
    ),
    [fill('branch', 'main'), fill('path', 'a'), fill('content', 'b')],
    { branch: 'main', files: [{ path: 'a', content: 'b' }] },
  ),
  form(
    'browser_click',
    object(
      {
        element: string,
        ref: string,
        doubleClick: boolean,
        button: { ...string, enum: ['left', 'right', 'middle'] },
        modifiers: list({ ...string, enum: ['Alt', 'Control', 'Shift'] }),
      },
      ['element', 'ref'],
      { additionalProperties: false, $schema: 'http://json-schema.org/draft-07/schema#' },
    ),
    [
      fill('element', 'button'),
      fill('ref', 'e1'),
      check('Control'),
      check('Shift'),
      choose('doubleClick', 'true'),
    ],
    { element: 'button', ref: 'e1', doubleClick: true, modifiers: ['Control', 'Shift'] },
  ),
  form(
    'browser_fill_form',
    object(
      {
        fields: list(
          object({ name: string, type: { enum: ['textbox', 'checkbox'] }, value: string }, [
            'name',
            'type',
            'value',
          ]),
        ),
      },
      ['fields'],
    ),
    [press('Add to fields'), fill('name', 'q'), choose('type', 'textbox'), fill('value', 'v')],
    { fields: [{ name: 'q', type: 'textbox', value: 'v' }] },
  ),
  form(
    'sequentialthinking',
    object(
      {
        thought: string,
        nextThoughtNeeded: boolean,
        thoughtNumber: { ...integer, minimum: 1 },
        totalThoughts: { ...integer, minimum: 1 },
        isRevision: boolean,
      },
      ['thought', 'nextThoughtNeeded', 'thoughtNumber', 'totalThoughts'],
    ),
    [fill('thought', 'so'), fill('thoughtNumber', '1'), fill('totalThoughts', '3')],
    { thought: 'so', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 3 },
  ),
  form(
    'fetch',
    object(
      {
        url: { ...string, format: 'uri', minLength: 1, title: 'Url' },
        max_length: {
          ...integer,
          default: 5000,
          exclusiveMinimum: 0,
          exclusiveMaximum: 1_000_000,
          title: 'Max Length',
        },
        raw: { ...boolean, default: false, title: 'Raw' },
      },
      ['url'],
      { title: 'Fetch' },
    ),
    [fill('Url', 'https://example.com/')],
    { url: 'https://example.com/', max_length: 5000, raw: false },
  ),
  form('query', object({ sql: string }), [fill('sql', 'select 1')], { sql: 'select 1' }),
  form(
    'convert_time',
    object(
      { source_timezone: string, time: { ...string, pattern: '^\\d\\d:\\d\\d$' }, target_timezone: string },
      ['source_timezone', 'time', 'target_timezone'],
    ),
    [fill('source_timezone', 'UTC'), fill('time', '12:30'), fill('target_timezone', 'Asia/Tokyo')],
    { source_timezone: 'UTC', time: '12:30', target_timezone: 'Asia/Tokyo' },
  ),
  form(
    'maps_distance_matrix',
    object(
      {
        origins: list(string),
        destinations: list(string),
        mode: { ...string, enum: ['driving', 'walking'] },
      },
      ['origins', 'destinations'],
    ),
    [
      press('Add to origins'),
      fill('origins 1', 'Bonn'),
      press('Add to destinations'),
      fill('destinations 1', 'Köln'),
    ],
    { origins: ['Bonn'], destinations: ['Köln'] },
  ),
  form(
    'slack_post_message',
    object({ channel_id: string, text: string, blocks: { type: 'array' } }, ['channel_id', 'text']),
    [fill('channel_id', 'C1'), fill('text', 'hello'), fill('blocks', '[{"type":"divider"}]')],
    { channel_id: 'C1', text: 'hello', blocks: [{ type: 'divider' }] },
  ),
  form(
    'notion_patch_page',
    object(
      {
        page_id: { ...string, format: 'uuid' },
        properties: { type: 'object', additionalProperties: true },
        archived: boolean,
      },
      ['page_id'],
    ),
    [
      fill('page_id', '123e4567-e89b-12d3-a456-426614174000'),
      fill('properties', '{"Status":{"select":{"name":"Done"}}}'),
    ],
    { page_id: '123e4567-e89b-12d3-a456-426614174000', properties: { Status: { select: { name: 'Done' } } } },
  ),
  form(
    'kubectl_apply',
    object(
      {
        manifest: string,
        namespace: { ...string, default: 'default' },
        dryRun: { ...boolean, default: false },
      },
      ['manifest'],
    ),
    [fill('manifest', 'kind: Pod\n')],
    { manifest: 'kind: Pod\n', namespace: 'default', dryRun: false },
  ),
  form(
    'http_request',
    object(
      {
        method: { enum: ['GET', 'POST'], default: 'GET' },
        url: string,
        headers: { type: 'object', additionalProperties: string },
      },
      ['url'],
    ),
    [fill('url', 'https://a/'), press('Add to headers'), fill('Name 1', 'accept'), fill('Value 1', '*/*')],
    { method: 'GET', url: 'https://a/', headers: { accept: '*/*' } },
  ),
  form(
    'stripe_create_price',
    object(
      {
        product: string,
        unit_amount: { ...integer, minimum: 0 },
        currency: string,
        recurring: object(
          { interval: { ...string, enum: ['day', 'month', 'year'] }, interval_count: integer },
          ['interval'],
        ),
      },
      ['product', 'unit_amount', 'currency'],
    ),
    [
      fill('product', 'p'),
      fill('unit_amount', '100'),
      fill('currency', 'eur'),
      press('Add recurring'),
      choose('interval', 'month'),
    ],
    { product: 'p', unit_amount: 100, currency: 'eur', recurring: { interval: 'month' } },
  ),
  form(
    'jira_search',
    object(
      {
        jql: string,
        fields: { ...string, default: 'summary,status' },
        limit: { ...integer, default: 10, minimum: 1, maximum: 50 },
      },
      ['jql'],
      { additionalProperties: false },
    ),
    [fill('jql', 'project = A'), fill('limit', '20')],
    { jql: 'project = A', fields: 'summary,status', limit: 20 },
  ),
  form(
    'set_geometry',
    object({ points: list(list(number, { minItems: 2, maxItems: 2 }), { minItems: 1 }) }, ['points']),
    [fill('points 1 1', '1'), fill('points 1 2', '2')],
    { points: [[1, 2]] },
  ),
];

const GENERATED: readonly SchemaCase[] = [
  form(
    'pydantic_optional',
    object(
      { query: { ...string, title: 'Query' }, limit: { ...orNull(integer), title: 'Limit' } },
      ['query'],
      { title: 'searchArguments' },
    ),
    [fill('Query', 'x')],
    { query: 'x' },
  ),
  form(
    'pydantic_model',
    object({ user: { $ref: '#/$defs/User' } }, ['user'], {
      $defs: {
        User: object({ name: string, address: { $ref: '#/$defs/Address' } }, ['name', 'address']),
        Address: object({ street: string, zip: orNull(string) }, ['street']),
      },
    }),
    [fill('name', 'Ada'), fill('street', 'Main')],
    { user: { name: 'Ada', address: { street: 'Main' } } },
  ),
  form(
    'pydantic_enum_ref',
    object({ colour: { $ref: '#/$defs/Colour', default: 'red' } }, [], {
      $defs: { Colour: { enum: ['red', 'blue'], type: 'string' } },
    }),
    [choose('colour', 'blue')],
    { colour: 'blue' },
  ),
  form(
    'pydantic_discriminated',
    object(
      {
        pet: {
          discriminator: { propertyName: 'kind' },
          oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
        },
      },
      ['pet'],
      {
        $defs: {
          Cat: object({ kind: { const: 'cat', type: 'string' }, lives: integer }, ['kind', 'lives'], {
            title: 'Cat',
          }),
          Dog: object({ kind: { const: 'dog', type: 'string' }, name: string }, ['kind', 'name'], {
            title: 'Dog',
          }),
        },
      },
    ),
    [choose('pet type', 'Dog'), choose('kind', 'dog'), fill('name', 'Rex')],
    { pet: { kind: 'dog', name: 'Rex' } },
  ),
  form(
    'zod_union',
    object({ id: { anyOf: [string, number] } }, ['id'], { additionalProperties: false }),
    [choose('id type', 'number'), fill('id', '7')],
    { id: 7 },
  ),
  form(
    'zod_record',
    object({ env: { type: 'object', propertyNames: string, additionalProperties: string } }, ['env']),
    [press('Add to env'), fill('Name 1', 'A'), fill('Value 1', '1')],
    { env: { A: '1' } },
  ),
  form(
    'zod_tuple',
    object({ range: { type: 'array', prefixItems: [integer, string], items: false } }, ['range']),
    [fill('range 1', '1'), fill('range 2', 'b')],
    { range: [1, 'b'] },
  ),
  form(
    'draft7_tuple',
    object({ pair: { type: 'array', items: [number, number], minItems: 2, maxItems: 2 } }, ['pair'], {
      $schema: 'http://json-schema.org/draft-07/schema#',
    }),
    [fill('pair 1', '1'), fill('pair 2', '2')],
    { pair: [1, 2] },
  ),
  form(
    'zod_literal_union',
    object({ size: { anyOf: [{ const: 'S' }, { const: 'M' }, { const: 3 }] } }, ['size']),
    [choose('size', '3')],
    { size: 3 },
  ),
  form(
    'zod_lazy_tree',
    object({ root: { $ref: '#/$defs/Node' } }, ['root'], {
      $defs: { Node: object({ label: string, children: list({ $ref: '#/$defs/Node' }) }, ['label']) },
    }),
    [fill('label', 'a'), press('Add to children'), fill('label >> 2', 'b')],
    { root: { label: 'a', children: [{ label: 'b' }] } },
  ),
  form(
    'titled_enum',
    object({
      colour: {
        ...string,
        oneOf: [
          { const: '#f00', title: 'Red' },
          { const: '#00f', title: 'Blue' },
        ],
      },
    }),
    [choose('colour', 'Blue')],
    { colour: '#00f' },
  ),
  form(
    'enum_names',
    object({ level: { type: 'integer', enum: [1, 2], enumNames: ['low', 'high'] } }, ['level']),
    [choose('level', 'high')],
    { level: 2 },
  ),
  form(
    'multi_select',
    object({ days: list({ enum: ['mon', 'tue', 'wed'] }, { uniqueItems: true, minItems: 1 }) }, ['days']),
    [check('mon'), check('wed')],
    { days: ['mon', 'wed'] },
  ),
  form(
    'type_array_null',
    object({ note: { type: ['string', 'null'] }, count: { type: ['integer', 'null'] } }, ['note', 'count']),
    [fill('note', 'x'), check('count is null')],
    { note: 'x', count: null },
  ),
  form(
    'openapi_nullable',
    object({ when: { ...string, format: 'date-time', nullable: true } }, ['when']),
    [fill('when', '2026-11-16T12:00:00Z')],
    { when: '2026-11-16T12:00:00Z' },
  ),
  form(
    'csharp_nested_definitions',
    object({ filter: { $ref: '#/definitions/Filter' } }, [], {
      definitions: { Filter: object({ from: { ...string, format: 'date' }, tags: list(string) }, ['from']) },
    }),
    [press('Add filter'), fill('from', '2026-01-31')],
    { filter: { from: '2026-01-31' } },
  ),
  form(
    'all_of_mixins',
    object({ page: { allOf: [{ $ref: '#/$defs/Paged' }, object({ sort: string })] } }, ['page'], {
      $defs: {
        Paged: object({ offset: { ...integer, default: 0 }, limit: { ...integer, default: 10 } }, ['limit']),
      },
    }),
    [fill('sort', 'name')],
    { page: { offset: 0, limit: 10, sort: 'name' } },
  ),
];

const ODD: readonly SchemaCase[] = [
  form('no_schema_words', {}, [], {}),
  form('no_properties', { type: 'object' }, [], {}),
  form('closed_and_empty', { type: 'object', properties: {}, additionalProperties: false }, [], {}),
  form('property_without_schema', object({ anything: true, x: {} }), [fill('anything', '[1, "a"]')], {
    anything: [1, 'a'],
  }),
  form('property_that_cannot_be', object({ never: false, a: string }), [fill('a', 'x')], { a: 'x' }),
  form(
    'names_with_signs',
    object({ 'a/b': string, 'c~d': string, 'e#f': string, 'g h': string, __proto__x: string }, ['a/b']),
    [fill('a/b', '1'), fill('c~d', '2'), fill('e#f', '3'), fill('g h', '4'), fill('__proto__x', '5')],
    { 'a/b': '1', 'c~d': '2', 'e#f': '3', 'g h': '4', __proto__x: '5' },
  ),
  form(
    'root_one_of',
    {
      type: 'object',
      oneOf: [
        object({ id: integer }, ['id'], { title: 'By id' }),
        object({ name: string }, ['name'], { title: 'By name' }),
      ],
    },
    [choose('One of type', 'By name'), fill('name', 'x')],
    { name: 'x' },
  ),
  form(
    'either_is_required',
    object({ a: string, b: string }, [], { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    [fill('b', 'x')],
    { b: 'x' },
  ),
  form(
    'if_then_else',
    object({ kind: { enum: ['card', 'cash'] } }, ['kind'], {
      if: { properties: { kind: { const: 'card' } } },
      then: { properties: { number: string }, required: ['number'] },
    }),
    [choose('kind', 'card'), fill('number', '4242')],
    { kind: 'card', number: '4242' },
  ),
  form(
    'pattern_properties',
    object({}, [], { patternProperties: { '^x-': string } }),
    [press('Add to Properties'), fill('Name 1', 'x-a'), fill('Value 1', '1')],
    { 'x-a': '1' },
  ),
  form(
    'list_of_lists_of_objects',
    object({ grid: list(list(object({ v: integer }, ['v']))) }, ['grid']),
    [press('Add to grid'), press('Add to grid 1'), fill('v', '1')],
    { grid: [[{ v: 1 }]] },
  ),
  form(
    'reference_elsewhere',
    object({ geo: { $ref: 'https://geojson.org/schema/Point.json' }, a: string }, ['a']),
    [fill('a', 'x')],
    { a: 'x' },
  ),
  form(
    'default_object',
    object({ options: object({ depth: integer, deep: boolean }, [], { default: { depth: 3, deep: true } }) }),
    [],
    { options: { depth: 3, deep: true } },
  ),
  form('const_only', object({ version: { const: 2 } }, ['version']), [choose('version', '2')], {
    version: 2,
  }),
  form(
    'anchor_reference',
    object({ item: { $ref: '#thing' } }, ['item'], {
      $defs: { T: { $anchor: 'thing', ...object({ n: integer }, ['n']) } },
    }),
    [fill('n', '4')],
    { item: { n: 4 } },
  ),
  json(
    'root_is_a_list',
    { type: 'array', items: string },
    /has type array, but arguments must be an object/,
    {},
  ),
  json(
    'leads_nowhere',
    { $ref: '#/$defs/Gone' },
    /The schema’s \$ref can’t be resolved \(#\/\$defs\/Gone\)/,
    { a: 1 },
  ),
  json(
    'without_an_end',
    object({ node: { $ref: '#/$defs/Node' } }, ['node'], {
      $defs: { Node: object({ next: { $ref: '#/$defs/Node' } }, ['next']) },
    }),
    /requires itself recursively/,
    { node: {} },
  ),
  json(
    'four_hundred_fields',
    object(Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`field${i}`, string]))),
    /The schema has 400 fields, too many for a form/,
    { field7: 'x' },
  ),
];

export const SCHEMAS: readonly SchemaCase[] = [...REAL, ...GENERATED, ...ODD];
