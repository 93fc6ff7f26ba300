import {
  type IncomeAfterWriteOff,
  leftOver,
  readAllocation,
  type ReceiptAllocationInput,
} from '../../api/effects/receipt-allocate';
import { Money } from '../../../kernel/money';
import type { CallContent } from '../calls/call';
import type { StoredCall } from '../calls/call-states';
import type { PlannedCall } from '../calls/calls';
import { makeParts, receiptsFor, sumOf } from './receipt-parts';
import type { RemoteEffect, RemoteEffectHandler } from './remote-effect';
import { wroteOff } from './write-off';

/**
 * Spreads a payment over schedules (operation 13), oldest due date first, and registers one receipt a schedule
 * (operation 5). What finds nothing open because it was written off is a receipt without a schedule (operation 4).
 */
export const allocateReceipt: RemoteEffectHandler<ReceiptAllocationInput> = async (effect) => {
  const { connection, organization, key, tools } = effect;
  const { schedules, value, date, account, identifier, afterWriteOff } = readAllocation(
    effect.input,
    organization,
  );
  // What is received already may be this very payment, which is looked for.
  const isRecovered = connection.recoveredAt !== undefined;
  /** Minor units that receipts leave over of the payment. */
  const restOf = (receipts: readonly Pick<StoredCall, 'content'>[]): bigint => {
    const spread = sumOf(organization, receipts);
    return value.minor > spread ? value.minor - spread : 0n;
  };
  const named = (income: IncomeAfterWriteOff): Promise<object> =>
    tools.names.classes(connection, organization, { category: income.category });
  /** The receipt without a schedule again, of the same sum. */
  const correct = async ({ body, ...content }: CallContent): Promise<CallContent> => ({
    ...content,
    body: afterWriteOff ? { ...body, ...(await named(afterWriteOff)) } : body,
  });
  const decide = async (kept: readonly StoredCall[]): Promise<PlannedCall[]> => {
    const accountId = await tools.names.account(connection, organization, account);
    const fields = { accountId, date: date.toString(), identifier };
    const receipts = afterWriteOff?.late
      ? []
      : await receiptsFor(effect, schedules, restOf(kept), fields, 'oldest-first', isRecovered);
    const rest = restOf([...kept, ...receipts]);
    if (rest === 0n || !afterWriteOff || !(await isWrittenOff(effect, afterWriteOff))) return receipts;
    const body = {
      ...{ accountId, ...(await named(afterWriteOff)), date: date.toString() },
      value: Number(Money.ofMinor(rest, organization.currency).toString()),
      ...{ description: afterWriteOff.description, reference: identifier },
    };
    return [...receipts, { content: { operation: 'receipts.register', body } }];
  };
  const made = await makeParts(effect, decide, correct);
  if (!Array.isArray(made)) return made;
  const attention = leftOver({ key, value }, { leftOverMinor: restOf(made) });
  return { state: 'applied', output: { all: [] }, attention };
};

/** Whether all that finds nothing open is income. */
async function isWrittenOff(
  { organization, tools }: RemoteEffect<unknown>,
  { key, late = false }: IncomeAfterWriteOff,
): Promise<boolean> {
  return late || wroteOff(tools, { organizationId: organization.id, key });
}
