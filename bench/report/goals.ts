import type { Figure, Goal, PartResult } from '../part';

export type Verdict = 'holds' | 'missed' | 'not measured' | 'long form only';

export interface CheckedGoal {
  goal: Goal;
  figure: Figure | undefined;
  verdict: Verdict;
  /** The figure in parts of the goal: 0.9 of "at least" falls a tenth short; not finite when not measured, or nothing is the goal. */
  ofGoal: number;
}

/** Compares what a part measured with its goals. */
export function checkGoals(
  goals: readonly Goal[],
  result: PartResult | undefined,
  short: boolean,
): CheckedGoal[] {
  return goals.map((goal) => {
    const figure = result?.figures.find(({ name }) => name === goal.figure);
    const measured = figure !== undefined && Number.isFinite(figure.value);
    if (!measured) {
      const left = short && goal.longOnly === true;
      return { goal, figure, verdict: left ? 'long form only' : 'not measured', ofGoal: NaN };
    }
    return { goal, figure, ...judge(goal, figure.value) };
  });
}

function judge({ atLeast, atMost }: Goal, value: number): { verdict: Verdict; ofGoal: number } {
  const tooLittle = atLeast !== undefined && value < atLeast;
  const tooMuch = atMost !== undefined && value > atMost;
  const bound = tooMuch ? atMost : (atLeast ?? atMost ?? NaN);
  return { verdict: tooLittle || tooMuch ? 'missed' : 'holds', ofGoal: value / bound };
}

/** `at least 1.8 ×`. */
export function goalText({ atLeast, atMost }: Goal, unit: string): string {
  return [
    ...(atLeast === undefined ? [] : [`at least ${atLeast} ${unit}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost} ${unit}`]),
  ].join(', ');
}

/** `holds: 1.12 of the goal`; only the verdict where the goal is none at all. */
export function verdictText({ verdict, ofGoal }: CheckedGoal): string {
  return Number.isFinite(ofGoal) ? `${verdict}: ${ofGoal.toFixed(2)} of the goal` : verdict;
}
