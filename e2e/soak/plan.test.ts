import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEATHS, FAULTS, planOf, tellPlan } from './plan.ts';
import { findSoakServer, SOAK_SERVERS } from './servers.ts';
import { findProfile } from '../../targets/profiles/index.ts';

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

it('is the same for the same seed', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      expect(planOf(seed)).toEqual(planOf(seed));
    }),
  );
});

it('has 1 to 12 short calls, a death, and a call before everything else', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { steps, server } = planOf(seed);
      const calls = steps.flatMap((step) => (step.kind === 'call' ? [step] : []));
      expect(calls.length).toBeGreaterThanOrEqual(1);
      expect(calls.length).toBeLessThanOrEqual(12);
      expect(new Set(calls.map(({ key }) => key)).size).toBe(calls.length);
      for (const { ticks, everyMs, asks } of calls) {
        expect(ticks * everyMs).toBeLessThan(1000);
        expect(asks && !findSoakServer(server).asks).toBe(false);
      }
      expect(steps[0]?.kind).toBe('call');
      expect(steps.some(({ kind }) => kind === 'death')).toBe(true);
    }),
  );
});

it('draws every server, death and fault', () => {
  const plans = Array.from({ length: 3000 }, (_, seed) => planOf(seed));
  const steps = plans.flatMap((plan) => plan.steps);
  expect(new Set(plans.map(({ server }) => server))).toEqual(new Set(SOAK_SERVERS.map(({ name }) => name)));
  expect(new Set(steps.flatMap((step) => (step.kind === 'death' ? [step.death] : [])))).toEqual(
    new Set(DEATHS),
  );
  expect(new Set(steps.flatMap((step) => (step.kind === 'fault' ? [step.fault] : [])))).toEqual(
    new Set(FAULTS),
  );
});

it('leaves out what an engine has no way to do', () => {
  const cannot = ['crash', 'kill', 'offline', 'freeze'] as const;
  const steps = Array.from({ length: 1000 }, (_, seed) => planOf(seed, cannot)).flatMap((plan) => plan.steps);
  const drawn = steps.flatMap((step) =>
    step.kind === 'death' ? [step.death] : step.kind === 'fault' ? [step.fault] : [],
  );
  expect(drawn.length).toBeGreaterThan(1000);
  expect(drawn.filter((name) => cannot.some((one) => one === name))).toEqual([]);
});

it('names profiles that exist', () => {
  for (const { name, isBridge } of SOAK_SERVERS) if (!isBridge) expect(findProfile(name)?.name).toBe(name);
});

it('is told with its seed, its server and each step', () => {
  const plan = planOf(7);
  expect(tellPlan(plan)).toContain(`seed 7, ${plan.server}:`);
  expect(tellPlan(plan).split('\n')).toHaveLength(plan.steps.length + 1);
});
