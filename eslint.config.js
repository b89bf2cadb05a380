import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import { noUnknownText } from './scripts/eslint/noUnknownText.mjs';

const typed = {
  parserOptions: {
    projectService: true,
    tsconfigRootDir: import.meta.dirname,
    extraFileExtensions: ['.svelte'],
  },
};

/** The rule against coercions looks at calls of `String`; `list.map(String)` has none. */
const NO_STRING_AS_FUNCTION = {
  selector: 'CallExpression[callee.property.name="map"] > Identifier.arguments[name="String"]',
  message: 'String throws for some objects. Use asText.',
};

export default defineConfig(
  // The programs run with packages that aren't installed here.
  globalIgnores([
    // Projects of their own: `npm run verify:examples` compiles them.
    'examples/vanilla/',
    'examples/react/',
    'dist/',
    'lib/',
    'test-results/',
    'playwright-report/',
    'coverage/',
    'docs-site/',
    'e2e/harness/public/programs/',
    'e2e/harness/clients/pages/',
  ]),
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  svelte.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { ...typed, globals: { ...globals.browser, ...globals.node } },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      // TypeScript knows which names exist, per file; ESLint only knows one list of globals.
      'no-undef': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `return done()` and `(x) => done(x)` confuse nobody.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // `return void done()` and `void done()` are habits that harm nobody.
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // TypeScript narrows a field and keeps it so across an await; the rule takes its word for it.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // The old HTTP+SSE transport is deprecated, and still served: these are its two public ends.
      '@typescript-eslint/no-deprecated': [
        'error',
        {
          allow: [
            { from: 'package', package: '@modelcontextprotocol/client', name: 'SSEClientTransport' },
            { from: 'package', package: '@modelcontextprotocol/sdk', name: 'SSEServerTransport' },
          ],
        },
      ],
      // An implementation of an async interface need not await anything.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/**'],
    rules: {
      // A server's `{"toString":null}` throws where it is coerced. `asText` turns unknown values into text.
      '@typescript-eslint/no-base-to-string': ['error', { checkUnknown: true }],
      'no-restricted-syntax': ['error', NO_STRING_AS_FUNCTION],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
    plugins: { local: { rules: { 'no-unknown-text': noUnknownText } } },
    rules: {
      'local/no-unknown-text': 'error',
      'no-restricted-syntax': [
        'error',
        NO_STRING_AS_FUNCTION,
        {
          selector: 'SvelteAttribute[key.name="style"] > SvelteLiteral',
          message:
            'The Content-Security-Policy refuses a style attribute: use a class or a style: directive.',
        },
      ],
      // A Map that nothing drawn reads need not be reactive.
      'svelte/prefer-svelte-reactivity': 'off',
      'svelte/no-at-html-tags': 'error',
      'svelte/button-has-type': 'error',
      'svelte/require-each-key': 'error',
      // `let { a, b = $bindable() } = $props()` cannot be split into const and let.
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { excludedRunes: ['$props', '$derived'] }],
    },
  },
  {
    // The workers have their own libs (WebWorker instead of DOM), and so their own project.
    files: ['src/demo/worker.ts', 'src/limited/worker.ts'],
    languageOptions: {
      parserOptions: { projectService: false, project: './tsconfig.worker.json' },
    },
  },
  {
    // The public client serves servers of up to 2025-11-25 too, which use what 2026-07-28 deprecates.
    files: ['src/client/public/*Types.ts', 'src/client/public/openOptions.ts'],
    rules: { '@typescript-eslint/no-deprecated': 'off' },
  },
  {
    files: ['scripts/**', 'e2e/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // `expect.stringContaining` and its like are typed as `any`.
    files: ['**/*.test.ts', 'e2e/specs/**'],
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  {
    // The rules against `any` do not see casts in JSDoc; svelte-check, which checks these files too, does.
    files: ['**/*.mjs'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // ESLint has no types for the nodes of Svelte templates.
    files: ['scripts/eslint/**'],
    rules: {
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    // Tool configs outside of tsconfig.json.
    files: ['*.js', '*.cjs'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
  },
);
