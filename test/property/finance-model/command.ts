import fc from 'fast-check';
import type { World } from './world';

/**
 * One thing a client does. It names records by numbers, which are read against those that are there when it is
 * its turn, so that any command can follow any other and some may be left out.
 */
export interface Command {
  /** Does it, to the company and to its model. @throws Error where they differ */
  perform(world: World): Promise<void>;
}

/** A command of a class whose constructor takes one record of numbers and words. */
export function commandOf<Fields extends object>(
  type: new (fields: Fields) => Command,
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
): fc.Arbitrary<Command> {
  return fc.record(fields).map((values) => new type(values as Fields));
}

/** How a command is told in the log of a run. */
export function told(command: Command): string {
  const { fields } = command as Command & { fields?: object };
  return `${command.constructor.name} ${JSON.stringify(fields ?? {})}`;
}

/** One of the records there are; undefined where there is none. */
export function pick<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)];
}

export const which = fc.nat({ max: 9_999 });
/** Cents; often a few, so that amounts meet. */
export const cents = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 500_000 }));
/** Days from today. */
export const near = fc.integer({ min: -40, max: 40 });

/** A thing that goes wrong one time in `times`. */
export function rarely<T extends string>(times: number, ...wrongs: T[]): fc.Arbitrary<T | 'right'> {
  return fc.oneof(
    { weight: times - 1, arbitrary: fc.constant('right' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...wrongs) },
  );
}
