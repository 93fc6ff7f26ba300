import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { allParts, chooseParts } from '../../bench/parts';

const FOLDER = join(__dirname, '../../bench/parts');

describe('the parts of the suite', () => {
  const parts = allParts();

  it('are named as their files, and run in their order', () => {
    expect(parts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['intake', 'whole-way', 'embedded', 'latency']),
    );
    for (const { name } of parts) expect(existsSync(join(FOLDER, `${name}.ts`))).toBe(true);
    const orders = parts.map(({ order }) => order);
    expect(orders).toEqual([...orders].sort((left, right) => left - right));
  });

  it('have goals that say how much', () => {
    for (const goal of parts.flatMap(({ goals }) => goals))
      expect([goal.atLeast, goal.atMost].filter((bound) => bound !== undefined)).not.toEqual([]);
  });

  it('are chosen by name, in the order they run; without a name, all', () => {
    expect(chooseParts(parts, ['whole-way', 'intake']).map(({ name }) => name)).toEqual([
      'intake',
      'whole-way',
    ]);
    expect(chooseParts(parts, [])).toEqual(parts);
    expect(() => chooseParts(parts, ['intake', 'outtake'])).toThrow(
      'there is no part outtake; there are intake',
    );
  });
});
