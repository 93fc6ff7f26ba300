import { attempt } from '../../api/effects/effect-input';
import { leftOver, readAllocation, type ReceiptAllocationInput } from '../../api/effects/receipt-allocate';
import { isRefused, type Outcome } from '../../api/ports/outcome';
import { type EffectKey, findEffects, keyOf } from '../../effects/effects.repository';
import { wroteOff } from '../../effects/existing-effect';
import { Money } from '../../../kernel/money';
import { newId } from '../../../kernel/identifier';
import { schedulesPaid } from '../changes/announce';
import type { Posting } from '../ledger/posting';
import { type DirectRegistration, registerDirectly } from '../payments/direct-registrations';
import { settleSchedules } from '../receipts/receipts.repository';
import type { Settled, Settlement } from '../receipts/settlement';
import { type Applied, applyReadable, type EffectHandler, type ReservedEffect } from './effect-handler';

/** A settlement that remembers its effect's key, to speak of it, and what becomes of it after a write-off. */
type KeyedSettlement = Settlement &
  Pick<ReturnType<typeof readAllocation>, 'afterWriteOff'> & { key: string };

/** The receipt of what a payment found nothing open for, or why there is none; undefined: there is to be none. */
type Income = Outcome<DirectRegistration> | undefined;

export const allocateReceipt: EffectHandler<ReceiptAllocationInput> = {
  recordsOf: ({ schedules }) => [schedules].flat().length,
  outputOf: (ids) => ({ id: ids[0], all: [...ids] }),
  async applyMany(posting, effects) {
    const settlements = effects.map((effect) => attempt(() => toSettlement(effect)));
    const settled = await applyReadable(settlements, (readable) => settleSchedules(posting, readable));
    const incomes = await bookIncome(posting, settlements, settled);
    return settled.map((outcome, index) => {
      const settlement = settlements[index];
      if (isRefused(outcome)) return outcome;
      if (!settlement || isRefused(settlement)) throw new Error('what cannot be read is not settled');
      return toApplied(settlement, outcome, incomes.get(settlement));
    });
  },
};

/** Books as income what found nothing open because it was written off. Nothing is asked where all found something. */
async function bookIncome(
  posting: Posting,
  settlements: readonly Outcome<KeyedSettlement>[],
  settled: readonly Outcome<Settled>[],
): Promise<Map<KeyedSettlement, Income>> {
  const late = settlements.flatMap((settlement, index) => {
    const outcome = settled[index];
    if (isRefused(settlement) || !outcome || isRefused(outcome) || outcome.leftOverMinor === 0n) return [];
    const { organization, afterWriteOff } = settlement;
    if (!afterWriteOff) return [];
    const writeOff: EffectKey = { organizationId: organization.id, key: afterWriteOff.key };
    return [{ settlement, afterWriteOff, writeOff, minor: outcome.leftOverMinor }];
  });
  if (late.length === 0) return new Map();
  const writeOffs = await findEffects(
    posting.tx,
    late.map(({ writeOff }) => writeOff),
  );
  const due = late.filter(
    ({ afterWriteOff, writeOff }) => afterWriteOff.late || wroteOff(writeOffs.get(keyOf(writeOff))),
  );
  const booked = await registerDirectly(
    posting,
    due.map(({ settlement: { organization, account, date, identifier }, afterWriteOff, minor }) => ({
      ...{ id: newId(), organization, kind: 'receipt', account, date, reference: identifier },
      value: Money.ofMinor(minor, organization.currency),
      ...{ category: afterWriteOff.category, description: afterWriteOff.description },
    })),
  );
  return new Map(due.map(({ settlement }, index) => [settlement, booked[index]]));
}

function toApplied(settlement: KeyedSettlement, settled: Settled, income: Income): Outcome<Applied> {
  const { entryIds, paidIds } = settled;
  const refused = income && isRefused(income) ? income : undefined;
  // Nothing is booked yet: once the reason is gone, it can be tried again.
  if (refused && entryIds.length === 0) return refused;
  const all = income && !isRefused(income) ? [...entryIds, income.id] : entryIds;
  const attention = income && !refused ? [] : leftOver(settlement, settled, refused?.detail);
  const receipts = all.map((id) => ({ type: 'receipt.registered', id }) as const);
  return { output: { id: all[0], all }, attention, changes: [...receipts, ...schedulesPaid(paidIds)] };
}

function toSettlement({
  organization,
  key,
  input,
  ids,
}: ReservedEffect<ReceiptAllocationInput>): KeyedSettlement {
  return {
    key,
    organization,
    kind: 'credit',
    ...readAllocation(input, organization),
    mode: 'oldest-first',
    entryIds: ids,
  };
}
