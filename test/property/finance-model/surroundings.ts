import fc from 'fast-check';
import { later } from './books';
import { commandOf, type Command } from './command';
import type { World } from './world';

/** Some days go by: what was due has become overdue. */
class LetDaysPass implements Command {
  constructor(readonly fields: { days: number }) {}

  perform(world: World): Promise<void> {
    world.moveOn(later(world.books.today, this.fields.days));
    return Promise.resolve();
  }
}

/** Balances and counts are rolled up; nobody may notice. */
class RollUp implements Command {
  constructor(readonly fields: object) {}

  async perform({ rollups }: World): Promise<void> {
    for (const rollup of rollups) await rollup.rollUp();
  }
}

export const letDaysPass = commandOf(LetDaysPass, { days: fc.integer({ min: 1, max: 12 }) });
export const rollUp = commandOf(RollUp, {});
