import type { DeliverySnapshot } from './delivery-requeue.repository';

/** So many steps are kept of a delivery at most. */
const MOST_STEPS = 200;

/**
 * How a delivery stood, for the audit log: its runs are overwritten when it is worked on again, and this is where it
 * remains what the rules did before, version by version. Keys and states only: a
 * reason may repeat what a finance service said of a person.
 */
export function standingOf({ state, outcome, attempts, runs }: DeliverySnapshot) {
  let steps = 0;
  const kept = runs.map((run) => ({
    ...run,
    steps: run.steps.slice(0, Math.max(0, MOST_STEPS - steps)).map((step) => {
      steps += 1;
      return { ...step };
    }),
  }));
  return { state, outcome, attempts, runs: kept };
}
