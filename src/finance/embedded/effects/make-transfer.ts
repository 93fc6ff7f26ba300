import { attempt } from '../../api/effects/effect-input';
import { readTransfer, type TransferInput } from '../../api/effects/transfer-make';
import { isRefused } from '../../api/ports/outcome';
import { type Transfer, transferMoney } from '../accounts/transfers';
import { applyReadable, type EffectHandler, type ReservedEffect } from './effect-handler';

export const makeTransfer: EffectHandler<TransferInput> = {
  recordsOf: () => 1,
  outputOf: ([id]) => ({ id }),
  async applyMany(posting, effects) {
    const transfers = effects.map((effect) => attempt(() => toTransfer(effect)));
    const made = await applyReadable(transfers, (readable) => transferMoney(posting, readable));
    return made.map((outcome) =>
      isRefused(outcome)
        ? outcome
        : { output: { id: outcome.id }, attention: [], changes: [{ type: 'transfer.made', id: outcome.id }] },
    );
  },
};

function toTransfer({ organization, input, ids }: ReservedEffect<TransferInput>): Transfer {
  const [id] = ids;
  if (id === undefined) throw new Error('a transfer needs an identifier');
  return { id, organization, ...readTransfer(input, organization) };
}
