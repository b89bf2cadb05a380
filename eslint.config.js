// Svelte components with their types, and the workers. Everything else is in .oxlintrc.json, which takes a tenth of the time.
import './scripts/eslint/componentTypes.mjs';
import svelte from 'eslint-plugin-svelte';
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import { noStringAsFunction } from './scripts/eslint/noStringAsFunction.mjs';
import { noUnknownText } from './scripts/eslint/noUnknownText.mjs';

const SVELTE = ['**/*.svelte', '**/*.svelte.ts'];
/** The workers have their own libs (WebWorker instead of DOM), and so their own project, which oxlint doesn't find. */
const WORKERS = ['src/demo/worker.ts', 'src/limited/worker.ts', 'src/recorder/logWorker.ts'];

export default defineConfig(
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
    '.svelte-check/',
    // They run with packages that aren't installed here.
    'e2e/tables/public/programs/',
    'e2e/tables/clients/pages/',
  ]),
  {
    files: [...SVELTE, ...WORKERS],
    extends: [js.configs.recommended, ts.configs.strictTypeChecked, svelte.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    plugins: {
      local: { rules: { 'no-unknown-text': noUnknownText, 'no-string-as-function': noStringAsFunction } },
    },
    rules: {
      'local/no-string-as-function': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
      // TypeScript knows which names exist, per file; ESLint only knows one list of globals.
      'no-undef': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-exports': 'error',
      // A server's `{"toString":null}` throws where it is coerced. `asText` turns unknown values into text.
      '@typescript-eslint/no-base-to-string': ['error', { checkUnknown: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `return done()` and `(x) => done(x)` confuse nobody.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // TypeScript narrows a field and keeps it so across an await; the rule takes its word for it.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      // An implementation of an async interface need not await anything.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: SVELTE,
    languageOptions: { parserOptions: { parser: ts.parser } },
    rules: {
      'local/no-unknown-text': 'error',
      'no-restricted-syntax': [
        'error',
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
    files: WORKERS,
    languageOptions: { parserOptions: { projectService: false, project: './tsconfig.worker.json' } },
  },
);
