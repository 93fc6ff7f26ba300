import { readTransfer, type TransferInput } from '../../api/effects/transfer-make';
import { transferMoney } from '../accounts/transfers';
import { type EffectHandler, oneRecordEach } from './effect-handler';

export const makeTransfer: EffectHandler<TransferInput> = oneRecordEach(
  ({ organization, input }, id) => ({ id, organization, ...readTransfer(input, organization) }),
  transferMoney,
  'transfer.made',
);
