/** Scripts that have broken the app once. The gate plays them first. */
import type { Script } from './script.ts';

export const COUNTEREXAMPLES: readonly Script[] = [
  {
    kind: 'session',
    edits: [
      {
        message: 'item tool',
        copy: 0,
        at: '/inputSchema/properties/nested',
        odd: 'required without toString',
      },
      { message: 'item tool', copy: 1, at: '/inputSchema/properties/text', odd: 'evil schema' },
      { message: 'item tool', copy: 2, at: '/inputSchema/properties/list', odd: 'long default' },
      {
        message: 'item tool',
        copy: 3,
        at: '/inputSchema/properties/map/additionalProperties',
        odd: 'ref to itself',
      },
      { message: 'item tool', copy: 4, at: '/inputSchema', odd: 'deep object' },
      { message: 'item prompt', copy: 0, at: '/arguments', odd: 'twice' },
      { message: 'message cancelled', copy: 0, at: '/params/requestId', odd: 'no toString' },
      { message: 'message elicitation', copy: 0, at: '/id', odd: 'no toString' },
      {
        message: 'message elicitation',
        copy: 1,
        at: '/params/requestedSchema/properties/email/format',
        odd: 'proto name',
      },
      { message: 'message list changed', copy: 0, at: '/method', odd: 'constructor name' },
      {
        message: 'result tools/call',
        copy: 0,
        at: '/content/0/annotations/audience',
        odd: 'list without toString',
      },
      { message: 'result tools/call', copy: 1, at: '/structuredContent', odd: 'deep list' },
      { message: 'result tools/call', copy: 2, at: '/content/4/resource/text', odd: 'nested quotes' },
    ],
  },
  {
    kind: 'import',
    edits: [
      { message: 'log', copy: 0, at: '/entries/8/change/name', odd: 'in a list' },
      { message: 'log', copy: 1, at: '/entries/8/change', odd: 'object of no toString' },
      { message: 'log', copy: 2, at: '/entries/7/state/how', odd: 'constructor name' },
      { message: 'log', copy: 3, at: '/entries/30/at', odd: 'after the last date' },
      { message: 'log', copy: 4, at: '/entries/24/message/result', odd: 'deep object' },
      {
        message: 'log',
        copy: 5,
        at: '/entries/24/message/result/content/0/annotations/audience',
        odd: 'list without toString',
      },
    ],
  },
];
