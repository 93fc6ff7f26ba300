import type { Organization } from '../../../kernel/organization';
import type { Posting } from '../ledger/posting';
import { isRefused, type Outcome } from '../../api/ports/outcome';
import type { RecordChange } from '../changes/announce';
import { attempt } from '../../api/effects/effect-input';
import type { Attention } from '../../api/effects/attention';
import type { EffectOutput } from '../../api/effects/effect';

/** One effect whose key is reserved, on its way to its resource. */
export interface ReservedEffect<Input> {
  organization: Organization;
  key: string;
  input: Input;
  /** Identifiers for the records it will make, as many as {@link EffectHandler.recordsOf} said. */
  ids: readonly string[];
}

export interface Applied {
  output: EffectOutput;
  attention: Attention[];
  /** Records it made, to be announced in the feed. */
  changes: RecordChange[];
  /** Whether its record was there before, and is as it was. */
  found?: boolean;
}

/** How effects of one kind become records. */
export interface EffectHandler<Input> {
  /** How many records the effect makes at most: so many identifiers are made beforehand. */
  recordsOf(input: Input): number;
  /** The output if every record is made with the identifiers given. */
  outputOf(ids: readonly string[]): EffectOutput;
  /** Applies a batch of any organizations with a number of statements that does not grow with it. */
  applyMany(
    posting: Posting,
    effects: readonly ReservedEffect<Input>[],
    now: Date,
  ): Promise<Outcome<Applied>[]>;
}

/**
 * Hands what could be read to `apply`, all of it together, and puts the refusals back in their places.
 * @returns outcomes in the order of the items
 */
export async function applyReadable<T extends object, R extends object>(
  items: readonly Outcome<T>[],
  apply: (readable: T[]) => Promise<Outcome<R>[]>,
): Promise<Outcome<R>[]> {
  const readable = items.filter((item): item is T => !isRefused(item));
  const results = (await apply(readable)).values();
  return items.map((item) => {
    if (isRefused(item)) return item;
    const { value, done } = results.next();
    if (done) throw new Error('an effect was left without an outcome');
    return value;
  });
}

/**
 * A handler of effects that make one record each.
 * @param toRecord reads an effect; the identifier is the record's. @throws Problem
 * @param write writes many, with a number of statements that does not grow with them
 * @param type what the feed says of each
 */
export function oneRecordEach<Input, R extends { id: string }>(
  toRecord: (effect: ReservedEffect<Input>, id: string) => R,
  write: (posting: Posting, records: R[]) => Promise<Outcome<R>[]>,
  type: RecordChange['type'],
): EffectHandler<Input> {
  return {
    recordsOf: () => 1,
    outputOf: ([id]) => ({ id }),
    async applyMany(posting, effects) {
      const records = effects.map((effect) => attempt(() => toRecord(effect, onlyId(effect))));
      const written = await applyReadable(records, (readable) => write(posting, readable));
      return written.map((outcome) =>
        isRefused(outcome)
          ? outcome
          : { output: { id: outcome.id }, attention: [], changes: [{ type, id: outcome.id }] },
      );
    },
  };
}

/** The identifier of an effect that makes one record. */
export function onlyId({ ids: [id] }: ReservedEffect<unknown>): string {
  if (id === undefined) throw new Error('an effect that makes one record needs an identifier');
  return id;
}
