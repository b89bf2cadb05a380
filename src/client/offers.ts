/** What an app can do when a server asks. */
export interface Offers {
  readonly elicitation: boolean;
  readonly sampling: boolean;
  readonly roots: boolean;
}

export const ALL_OFFERS: Offers = { elicitation: true, sampling: true, roots: true };
