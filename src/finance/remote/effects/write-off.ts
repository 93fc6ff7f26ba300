import { Money } from '../../../kernel/money';
import { readWriteOff, type WriteOffInput } from '../../api/effects/write-off';
import type { EffectKey } from '../../effects/effects.repository';
import type { CallContent } from '../calls/call';
import type { StoredCall } from '../calls/call-states';
import type { PlannedCall } from '../calls/calls';
import { isReceiptPart, makeParts, receiptsFor, sumOf } from './receipt-parts';
import type { RemoteEffectHandler, RemoteEffectTools } from './remote-effect';

/**
 * Gives up what is open of schedules (operation 13): a receipt for each (operation 5), newest due date first, and then a
 * payment of the same sum from the same account (operation 3). What each comes to is written down before the first is
 * sent. Where others settled a schedule meanwhile, the receipts that are not made and the payment are decided anew.
 */
export const writeOff: RemoteEffectHandler<WriteOffInput> = async (effect) => {
  const { connection, organization, tools } = effect;
  const { schedules, account, date, description, reference, most, ...classes } = readWriteOff(
    effect.input,
    organization,
  );
  /** The payment again, from the account and of the sum that the receipts have. */
  const correct = async ({ body, ...content }: CallContent): Promise<CallContent> => ({
    ...content,
    body: { ...body, ...(await tools.names.classes(connection, organization, classes)), description },
  });
  const decide = async (kept: readonly StoredCall[]): Promise<PlannedCall[]> => {
    const named = await tools.names.classes(connection, organization, classes);
    const before = kept.filter(isReceiptPart);
    // A payment from another account than that of the receipts would leave both with a difference.
    const accountId = accountOf(before[0]) ?? (await tools.names.account(connection, organization, account));
    const common = { accountId, date: date.toString() };
    const rest = most && most.minor - sumOf(organization, before);
    const receipts = await receiptsFor(
      effect,
      schedules,
      rest,
      { ...common, identifier: reference },
      'newest-first',
    );
    const minor = sumOf(organization, [...before, ...receipts]);
    if (minor === 0n) return [];
    const value = Number(Money.ofMinor(minor, organization.currency).toString());
    const body = { ...common, ...named, value, description, reference };
    const payment: PlannedCall = { content: { operation: 'payments.register', body } };
    return [...receipts, payment];
  };
  const made = await makeParts(effect, decide, correct);
  if (!Array.isArray(made)) return made;
  const payment = made.find((part) => !isReceiptPart(part));
  return payment
    ? { state: 'applied', output: { ...payment.output, all: [] }, attention: [] }
    : { state: 'existing', output: { all: [] }, attention: [] };
};

function accountOf(receipt: StoredCall | undefined): string | undefined {
  return (receipt?.content.body as { accountId?: string } | undefined)?.accountId;
}

/** Whether an effect has written something off, if only in part by now. */
export async function wroteOff(
  { calls }: Pick<RemoteEffectTools, 'calls'>,
  { organizationId, key }: EffectKey,
): Promise<boolean> {
  const parts = await calls.planned(organizationId, key);
  return parts.some(({ state }) => state === 'applied');
}
