/** What an app can do when a server asks. */
export interface Offers {
  readonly elicitation: boolean;
  readonly sampling: boolean;
  readonly roots: boolean;
  /** Shows the views of MCP Apps. */
  readonly apps?: boolean;
}

export const ALL_OFFERS: Offers = { elicitation: true, sampling: true, roots: true, apps: true };
