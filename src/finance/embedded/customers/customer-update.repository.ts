import type { Prisma } from '../../../database/client/client';
import type { Transaction } from '../../../database/transaction';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import { notFound } from '../../api/ports/not-found';
import type { CustomerUpdateShape } from '../../api/shapes/customers.dto';
import { type Details, withChanges } from './stakeholder-changes';

/**
 * Changes what the body brings of a customer who was not erased; nobody else changes it until the transaction ends.
 * @throws Problem `not-found`; `customer-exists` with `customerId`; `validation-failed`
 */
export async function updateCustomer(
  tx: Transaction,
  organization: Organization,
  id: string,
  body: CustomerUpdateShape,
): Promise<void> {
  await tx.$queryRaw`
    select id from stakeholder
    where id = ${id}::uuid and organization_id = ${organization.id}::uuid for update`;
  const row = await tx.stakeholder.findFirst({
    where: {
      id,
      organizationId: organization.id,
      kind: { in: ['customer', 'partner'] },
      deletedAt: null,
      erasedAt: null,
    },
  });
  if (!row) throw notFound('customer');
  const before = { ...row, details: (row.details ?? {}) as Details };
  const { details, ...fields } = withChanges(before, body);
  if (fields.document !== null && fields.document !== row.document)
    await refuseTaken(tx, organization, row.kind, fields.document);
  // Instances of the shapes as the plain objects that are stored.
  const stored = JSON.parse(JSON.stringify(details)) as Prisma.InputJsonObject;
  await tx.stakeholder.update({ where: { id }, data: { ...fields, details: stored } });
}

async function refuseTaken(
  tx: Transaction,
  { id: organizationId }: Organization,
  kind: 'customer' | 'supplier' | 'partner',
  document: string,
): Promise<void> {
  const taken = await tx.stakeholder.findFirst({ where: { organizationId, kind, document } });
  if (!taken) return;
  throw new Problem('customer-exists', 'another customer has this document', {
    members: { customerId: taken.id },
  });
}
