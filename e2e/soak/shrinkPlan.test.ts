import { expect, it } from 'vitest';
import { planOf, type Plan } from './plan.ts';
import { shrinkPlan } from './shrinkPlan.ts';

const plan: Plan = { seed: 1, server: 'resumable', steps: [1, 2, 3].flatMap((seed) => planOf(seed).steps) };
const LOST = 'lost: 1-0, no result';
const has = ({ steps }: Plan, kind: string) => steps.some((step) => step.kind === kind);
const problemsOf = (some: Plan) => (has(some, 'death') ? [LOST] : []);

it('leaves the one step that a failure needs', async () => {
  const small = await shrinkPlan(plan, LOST, async (shorter) => problemsOf(shorter));
  expect(small?.steps.map(({ kind }) => kind)).toEqual(['death']);
  expect(small).toMatchObject({ seed: 1, server: 'resumable' });
});

it('is not led astray by a failure of another kind', async () => {
  const small = await shrinkPlan(plan, LOST, async (shorter) =>
    has(shorter, 'call') ? problemsOf(shorter) : ['stuck: no call'],
  );
  expect(new Set(small?.steps.map(({ kind }) => kind))).toEqual(new Set(['call', 'death']));
});

it('finds a race that is lost every other time', async () => {
  let runs = 0;
  const small = await shrinkPlan(plan, LOST, async (shorter) =>
    (runs += 1) % 2 === 0 ? problemsOf(shorter) : [],
  );
  expect(small?.steps).toHaveLength(1);
});

it('says that a plan does not fail again', async () => {
  expect(await shrinkPlan(plan, LOST, async () => [])).toBeUndefined();
});
