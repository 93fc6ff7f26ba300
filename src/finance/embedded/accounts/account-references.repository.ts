import type { Transaction } from '../../../database/transaction';
import type { Organization } from '../../../kernel/organization';
import { unacceptable } from '../../../kernel/problem';
import type { AccountFieldsShape } from '../../api/shapes/accounts.dto';

/**
 * Looks up the records that an account's fields name; only what the request brings is read.
 * @throws Problem `validation-failed` with a pointer to the first that the organization does not have
 */
export async function requireReferences(
  tx: Transaction,
  organization: Organization,
  { bankId, virtualAccountDetails }: AccountFieldsShape,
): Promise<void> {
  const live = (id: string) => ({ where: { id, organizationId: organization.id, deletedAt: null } });
  if (bankId && (await tx.bank.count(live(bankId))) === 0) {
    throw unacceptable('/bankId', 'unknown', 'there is no such bank');
  }
  const accountId = virtualAccountDetails?.accountToTransfer?.accountWithDrawId;
  if (accountId) {
    const where = { id: accountId, organizationId: organization.id };
    const pointer = '/virtualAccountDetails/accountToTransfer/accountWithDrawId';
    if ((await tx.account.count({ where })) === 0) {
      throw unacceptable(pointer, 'unknown', 'there is no such account');
    }
  }
  const { stakeholderId, categoryId } = virtualAccountDetails?.configuration?.tax ?? {};
  const tax = '/virtualAccountDetails/configuration/tax';
  if (stakeholderId && (await tx.stakeholder.count(live(stakeholderId))) === 0) {
    throw unacceptable(`${tax}/stakeholderId`, 'unknown', 'there is no such stakeholder');
  }
  if (categoryId && (await tx.category.count(live(categoryId))) === 0) {
    throw unacceptable(`${tax}/categoryId`, 'unknown', 'there is no such category');
  }
}
