/** What the page can declare to a server, for the section that shows it: loaded with that section. */
export { declaredNames } from '../link/capabilities.ts';
export { ALL_OFFERS } from '../settings/offers.ts';
