// Components get their types from one TypeScript program. Without this, svelte-eslint-parser makes a new program for each
// component, which takes most of the time, and a component that is imported has no types. Imported before the parser.
process.env['SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK'] = '1';
