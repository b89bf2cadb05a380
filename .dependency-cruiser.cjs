// Imports go one way: base ← {log, limited} ← {wire, storage, timeline, apps} ← {auth, recorder} ← client ← state ← ui.

/** For each layer, the layers that it may import from, beside itself. */
const layers = {
  base: [],
  log: ['base'],
  limited: ['base'],
  wire: ['base', 'log'],
  storage: ['base', 'log'],
  timeline: ['base', 'log', 'limited'],
  apps: ['base', 'log'],
  recorder: ['base', 'log', 'wire', 'storage'],
  auth: ['base', 'log', 'wire', 'storage', 'timeline'],
  client: ['base', 'log', 'limited', 'wire', 'storage', 'timeline', 'recorder', 'auth'],
  state: ['base', 'log', 'limited', 'wire', 'storage', 'timeline', 'auth', 'apps', 'client'],
  ui: ['base', 'log', 'limited', 'wire', 'storage', 'timeline', 'auth', 'apps', 'client', 'state'],
};

/**
 * The rooms of src/client: for each, the rooms that it may import from, beside itself. The lowest come first:
 * settings ← exchange ← streams ← protocol ← link ← { calls, questions, tasks, catalog } ← { session, tabs } ← servers ← workspace.
 */
const rooms = {
  settings: [],
  exchange: [],
  inputRounds: [],
  doctor: ['settings'],
  streams: ['exchange'],
  protocol: ['settings', 'streams'],
  link: ['settings', 'exchange', 'doctor', 'streams', 'protocol'],
  calls: ['exchange', 'protocol', 'link'],
  questions: ['settings', 'exchange', 'protocol', 'link'],
  tasks: ['streams', 'protocol', 'link'],
  catalog: ['settings', 'protocol', 'link'],
  session: [
    ...['settings', 'exchange', 'doctor', 'streams', 'protocol', 'link'],
    ...['calls', 'questions', 'tasks', 'inputRounds', 'catalog'],
  ],
  tabs: ['settings', 'calls', 'catalog'],
  servers: ['settings', 'link', 'catalog', 'session', 'tabs'],
  workspace: ['settings', 'link', 'tabs', 'servers'],
  console: ['settings', 'catalog', 'servers', 'workspace'],
  public: ['settings', 'link', 'catalog', 'tabs', 'servers', 'console'],
  inspector: ['settings', 'protocol', 'link', 'calls', 'catalog', 'servers', 'workspace', 'console'],
};

/** What every room of the client may use. */
const SHARED = '^src/client/(commandError\\.ts$|testing/)';

/** Everything that is not a package. */
const PROJECT = '^(src|harness|targets|bridge|e2e|scripts)/';
const TESTS = '\\.(test|explore)\\.ts$';
/** What the worker takes from the app: it sends a refresh for a page, and seals the answer. */
const RELAYS = '^src/(auth/refreshRelay|storage/(vault|idbStore))\\.ts$';
/** What the rest of the app knows of the recorder. */
const PORT = ['serverLog', 'localLog', 'openRecorder'];
const PLAYBACK = '^src/state/playback/playedServer\\.ts$';
const REGISTER = '^src/demo/register\\.ts$';

/** `npm run verify:public` and `verify:clients` install the packages of these files in a temporary folder. */
const INSTALLED_ELSEWHERE = '^e2e/tables/(public/programs|clients/pages)/[^/]+\\.mjs$';

/** The libraries of the app. */
const BUNDLED = [
  '@cfworker/json-schema',
  '@codemirror/[^/]+',
  '@lezer/[^/]+',
  '@modelcontextprotocol/(client|ext-apps|ext-tasks|sdk|server)',
  'eventsource-parser',
  'idb-keyval',
  'marked',
  'svelte',
  'zod',
];

const layering = Object.entries(layers).map(([layer, below]) => ({
  name: `layer-${layer}`,
  comment: `src/${layer} may import from: ${[layer, ...below].join(', ')}.`,
  severity: 'error',
  from: { path: `^src/${layer}/`, pathNot: TESTS },
  to: {
    path: PROJECT,
    pathNot: [`^src/(${[layer, ...below].join('|')})/`, ...(layer === 'state' ? [REGISTER] : [])],
  },
}));

const roomRules = Object.entries(rooms).map(([room, below]) => ({
  name: `room-${room}`,
  comment: `src/client/${room} may import from: ${[room, ...below].join(', ')}.`,
  severity: 'error',
  from: { path: `^src/client/${room}/`, pathNot: TESTS },
  to: { path: '^src/client/', pathNot: [`^src/client/(${[room, ...below].join('|')})/`, SHARED] },
}));

module.exports = {
  forbidden: [
    ...layering,
    ...roomRules,
    {
      name: 'log-is-behind-its-port',
      comment:
        'A log may be recorded in another thread: it is used as a ServerLog, or read as a LogView. Only playback folds entries itself.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(log|recorder|storage)/', '/testing/', PLAYBACK, TESTS] },
      to: {
        path: '^src/(log/log\\.ts$|recorder/)',
        pathNot: `^src/recorder/(${PORT.join('|')})\\.ts$`,
      },
    },
    {
      name: 'inspector-is-the-door',
      comment:
        'src/state and src/ui use the client by the modules of src/client/inspector alone; src/main.ts puts it together.',
      severity: 'error',
      from: { path: '^src/(state|ui)/', pathNot: TESTS },
      to: { path: '^src/client/', pathNot: '^src/client/inspector/' },
    },
    {
      name: 'demo-register-only',
      comment: 'The page knows the demo by src/demo/register.ts alone: the worker is another program.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/demo/', TESTS] },
      to: { path: '^src/demo/', pathNot: REGISTER },
    },
    {
      name: 'demo-is-the-reference-target',
      comment:
        'The demo is the reference target in a service worker: it imports src/base, targets/core, and what carries a refresh.',
      severity: 'error',
      from: { path: '^src/demo/', pathNot: TESTS },
      to: { path: PROJECT, pathNot: ['^src/(demo|base)/', RELAYS, '^targets/core/'] },
    },
    {
      name: 'public-client-is-a-door',
      comment:
        'src/client/public is mcp-reprise/client: it stands on the rest of the client, which knows nothing of it.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/client/public/', TESTS] },
      to: { path: '^src/client/public/' },
    },
    {
      name: 'components-live-in-ui',
      comment:
        'Type imports in a .svelte file are compiled away before they are seen: they belong at the top.',
      severity: 'error',
      from: {},
      to: { path: '\\.svelte$', pathNot: ['^src/ui/', 'node_modules'] },
    },
    {
      name: 'targets-know-nothing-of-src',
      comment: 'A target is what Reprise is tested against; sharing code would share the bugs.',
      severity: 'error',
      from: { path: '^targets/' },
      to: { path: '^src/' },
    },
    {
      name: 'what-ships-needs-no-tests',
      comment: 'e2e tests what src, harness, targets and bridge are; none of them may need it.',
      severity: 'error',
      from: { path: '^(src|harness|targets|bridge)/', pathNot: TESTS },
      to: { path: '^e2e/' },
    },
    {
      name: 'core-is-runtime-neutral',
      comment: 'targets/core runs in Node and in a service worker.',
      severity: 'error',
      from: { path: '^targets/core/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'src-runs-in-a-browser',
      comment: 'Nothing of the app may need Node.',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'src-needs-no-tools',
      comment:
        'The app is bundled with these packages alone. All are devDependencies, so that an install brings none.',
      severity: 'error',
      from: { path: '^src/', pathNot: TESTS },
      to: { path: 'node_modules/', pathNot: `node_modules/(${BUNDLED.join('|')})/` },
    },
    {
      name: 'nobody-imports-tests',
      severity: 'error',
      from: {},
      to: { path: TESTS },
    },
    {
      name: 'no-circular',
      comment: 'Type-only cycles are gone before anything runs, and are left alone.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolvable',
      comment: 'A path that cannot be resolved is a path that no rule sees.',
      severity: 'error',
      from: { pathNot: INSTALLED_ELSEWHERE },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Type imports count too: a layer that knows the types of another knows that layer.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: `${__dirname}/tsconfig.json` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json'],
    },
  },
};
