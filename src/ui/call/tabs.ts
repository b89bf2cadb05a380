/** The tabs of an exchange, in their order. */

export type DetailTab = 'result' | 'arguments' | 'messages' | 'timing' | 'http' | 'why';

export const TABS: readonly { readonly id: DetailTab; readonly title: string }[] = [
  { id: 'result', title: 'Result' },
  { id: 'arguments', title: 'Arguments' },
  { id: 'messages', title: 'Messages' },
  { id: 'timing', title: 'Timing' },
  { id: 'http', title: 'HTTP' },
  { id: 'why', title: 'Why' },
];
