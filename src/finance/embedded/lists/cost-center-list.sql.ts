import { Prisma } from '../../../database/client/client';
import type { Organization } from '../../../kernel/organization';
import { column, optional } from './columns.sql';
import type { ListDeclaration } from './list.repository';

/** Cost centers that were not deleted (operation 14). */
export function costCenters({ id }: Organization): ListDeclaration {
  return {
    name: 'cost-centers',
    columns: {
      costCenterId: column('guid', 'e.id'),
      description: column('text', 'e.description'),
      externalCode: optional('text', 'e.external_code'),
    },
    hidden: {
      id: column('guid', 'e.id'),
      name: column('text', 'e.description'),
      isArchived: column('boolean', '(e.deleted_at is not null)'),
      isDeleted: column('boolean', '(e.deleted_at is not null)'),
    },
    from: Prisma.sql`cost_center e`,
    where: Prisma.sql`e.organization_id = ${id}::uuid and e.deleted_at is null`,
    identifier: Prisma.sql`e.id`,
  };
}
