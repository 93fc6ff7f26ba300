import type { Goal, PartResult } from '../../bench/part';
import { checkGoals, goalText, verdictText } from '../../bench/report/goals';

const measured = (value: number): PartResult => ({ figures: [{ name: 'rate', value, unit: '×' }] });

function verdict(goal: Goal, result: PartResult | undefined, short = false): string {
  return checkGoals([goal], result, short).map(verdictText).join();
}

describe('goals', () => {
  it.each<[Partial<Goal>, number, string]>([
    [{ atLeast: 1.8 }, 1.8, 'holds: 1.00 of the goal'],
    [{ atLeast: 1.8 }, 2.7, 'holds: 1.50 of the goal'],
    [{ atLeast: 1.8 }, 0.9, 'missed: 0.50 of the goal'],
    [{ atMost: 25 }, 20, 'holds: 0.80 of the goal'],
    [{ atMost: 0 }, 0, 'holds'],
    [{ atMost: 0 }, 1, 'missed'],
    [{ atMost: 25 }, 50, 'missed: 2.00 of the goal'],
    [{ atLeast: 0.5, atMost: 2 }, 1, 'holds: 2.00 of the goal'],
    [{ atLeast: 0.5, atMost: 2 }, 4, 'missed: 2.00 of the goal'],
  ])('%p and %d: %s', (bounds, value, expected) => {
    expect(verdict({ figure: 'rate', ...bounds }, measured(value))).toBe(expected);
  });

  it('tell a figure that is missing, no number or of a part that failed from one that falls short', () => {
    const goal = { figure: 'rate', atLeast: 1 };
    expect(verdict(goal, { figures: [] })).toBe('not measured');
    expect(verdict(goal, measured(NaN))).toBe('not measured');
    expect(verdict(goal, undefined)).toBe('not measured');
  });

  it('do not ask the short form for what only the long one measures', () => {
    const goal = { figure: 'rate', atLeast: 1, longOnly: true };
    expect(verdict(goal, { figures: [] }, true)).toBe('long form only');
    expect(verdict(goal, { figures: [] }, false)).toBe('not measured');
    expect(verdict(goal, measured(0.5), true)).toBe('missed: 0.50 of the goal');
  });

  it('read as a sentence', () => {
    expect(goalText({ figure: '', atLeast: 1.8 }, '×')).toBe('at least 1.8 ×');
    expect(goalText({ figure: '', atLeast: 1, atMost: 2 }, 'ms')).toBe('at least 1 ms, at most 2 ms');
  });
});
