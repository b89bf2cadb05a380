import { describe, expect, it } from 'vitest';
import { capabilitiesOf, declaredNames } from './capabilities.ts';
import { ALL_OFFERS } from '../settings/offers.ts';

describe('what the page declares', () => {
  it('is named, each extension by itself', () => {
    expect(declaredNames(ALL_OFFERS)).toEqual(
      expect.arrayContaining(['elicitation', 'sampling', 'roots', 'tasks', 'io.modelcontextprotocol/tasks']),
    );
    expect(declaredNames(ALL_OFFERS)).not.toContain('extensions');
  });

  it('is everything, if nothing is withheld', () => {
    const { always, session, stateless } = capabilitiesOf(ALL_OFFERS);
    expect(Object.keys({ ...always, ...session, ...stateless }).sort()).toEqual([
      'elicitation',
      'extensions',
      'roots',
      'sampling',
      'tasks',
    ]);
  });

  it.each(declaredNames(ALL_OFFERS))('lacks %s, and nothing else, if that is withheld', (name) => {
    const { always, session, stateless } = capabilitiesOf(ALL_OFFERS, [name]);
    const { extensions = {}, ...others } = { ...always, ...session, ...stateless };
    const left = [...Object.keys(others), ...Object.keys(extensions)].sort();
    expect(left).toEqual(
      declaredNames(ALL_OFFERS)
        .filter((one) => one !== name)
        .sort(),
    );
  });

  it('has no empty list of extensions', () => {
    const names = declaredNames(ALL_OFFERS);
    expect(capabilitiesOf(ALL_OFFERS, names)).toEqual({ always: {}, session: {}, stateless: {} });
  });
});
