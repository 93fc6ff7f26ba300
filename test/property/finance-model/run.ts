import fc from 'fast-check';
import { changeAccount, openAccount, transfer } from './accounts';
import { audit, verify } from './audit';
import { told, type Command } from './command';
import { changeCostCenter, createCustomer } from './customers';
import { readCategory, readList, walkList } from './lists';
import { createDebitSchedule, moveDirectly, payDebitSchedule, removePayment } from './payments';
import { createCreditSchedule, createRecurrence, receive } from './receivables';
import { letDaysPass, rollUp } from './surroundings';
import { World, type Interface } from './world';

/** Everything is compared after so many commands, and at the end. */
const AUDIT_EVERY = 250;
/** Most shortened sequences tried after a failure. */
const SHORTENINGS = 200;

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: createCustomer },
  { weight: 1, arbitrary: openAccount },
  { weight: 20, arbitrary: createCreditSchedule },
  { weight: 2, arbitrary: createRecurrence },
  { weight: 30, arbitrary: receive },
  { weight: 5, arbitrary: transfer },
  { weight: 4, arbitrary: changeAccount },
  { weight: 8, arbitrary: moveDirectly },
  { weight: 8, arbitrary: createDebitSchedule },
  { weight: 12, arbitrary: payDebitSchedule },
  { weight: 6, arbitrary: removePayment },
  { weight: 2, arbitrary: changeCostCenter },
  { weight: 3, arbitrary: letDaysPass },
  { weight: 2, arbitrary: rollUp },
  { weight: 10, arbitrary: readList },
  { weight: 2, arbitrary: walkList },
  { weight: 1, arbitrary: readCategory },
);

/** The same seed gives the same commands. */
export function commandsOf(seed: number, length: number): Command[] {
  const [commands = []] = fc.sample(
    fc.array(command, { minLength: length, maxLength: length, size: 'max' }),
    {
      seed,
      numRuns: 1,
    },
  );
  return commands;
}

/**
 * Plays the commands of a seed on a company of its own and compares it with the model after each one.
 * @throws Error with the seed and the shortest sequence found that still fails
 */
export async function playSeed(served: Interface, seed: number, length: number): Promise<void> {
  const commands = commandsOf(seed, length);
  const failure = await play(served, commands);
  if (!failure) return;
  const shortest = await shorten(served, commands.slice(0, failure.at + 1), failure);
  throw new Error(
    [
      `MODEL_SEED=${seed} MODEL_OPERATIONS=${length} fails at command ${failure.at + 1}: ${failure.message}`,
      `Shortened to ${shortest.commands.length} commands: ${shortest.failure.message}`,
      ...shortest.commands.map((each, index) => `  ${index + 1}. ${told(each)}`),
    ].join('\n'),
  );
}

interface Failure {
  /** Index of the command. */
  at: number;
  message: string;
}

async function play(served: Interface, commands: readonly Command[]): Promise<Failure | undefined> {
  const world = await World.found(served);
  for (const [index, each] of commands.entries()) {
    const isLast = index === commands.length - 1;
    try {
      await each.perform(world);
      if (isLast || (index + 1) % AUDIT_EVERY === 0) await audit(world);
      if (isLast) await verify(world);
    } catch (error) {
      return {
        at: index,
        message: `${told(each)}: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  }
  return undefined;
}

/** Leaves out halves, quarters and so on for as long as the rest still fails. */
async function shorten(
  served: Interface,
  commands: Command[],
  failure: Failure,
): Promise<{ commands: Command[]; failure: Failure }> {
  let shortest = { commands, failure };
  let tries = 0;
  for (let size = Math.ceil(commands.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < shortest.commands.length && tries < SHORTENINGS; tries++) {
      const without = shortest.commands.toSpliced(start, size);
      const still = await play(served, without);
      if (still) shortest = { commands: without.slice(0, still.at + 1), failure: still };
      else start += size;
    }
  }
  return shortest;
}
