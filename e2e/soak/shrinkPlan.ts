/** Makes a counterexample short: the fewest steps that still fail in the same way. */
import { shrink } from '../fuzz/shrink.ts';
import type { Plan } from './plan.ts';

/** A race may need more than one try to be lost again. */
const TRIES = 3;

/**
 * @param problem of the plan; a shorter one that fails in another way is another counterexample
 * @param play the problems of a plan
 * @param tries one is enough where nothing depends on time
 * @returns undefined where the whole plan doesn't fail again
 */
export async function shrinkPlan(
  plan: Plan,
  problem: string,
  play: (plan: Plan) => Promise<readonly string[]>,
  tries = TRIES,
): Promise<Plan | undefined> {
  const fails = async (steps: Plan['steps']) => {
    for (let i = 0; i < tries; i += 1) {
      const problems = await play({ ...plan, steps });
      if (problems.some((one) => kindOf(one) === kindOf(problem))) return true;
    }
    return false;
  };
  if (!(await fails(plan.steps))) return undefined;
  return { ...plan, steps: await shrink(plan.steps, fails) };
}

/** A problem begins with its kind, such as `lost: 7-0, …`. */
function kindOf(problem: string): string {
  return problem.slice(0, problem.indexOf(':'));
}
