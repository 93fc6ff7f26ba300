import { Prisma } from '../../../database/client/client';
import type { Organization } from '../../../kernel/organization';
import { column } from './columns.sql';
import type { ListDeclaration } from './list.repository';

/** Categories that were not deleted. */
export function categories({ id }: Organization): ListDeclaration {
  return {
    name: 'categories',
    columns: {
      id: column('guid', 'c.id'),
      name: column('text', 'c.name'),
      referenceCode: column('text', 'c.reference_code'),
      type: column('text', 'c.type'),
      'group/id': column('guid', 'g.id'),
      'group/name': column('text', 'g.name'),
      'group/referenceCode': column('text', 'g.reference_code'),
    },
    hidden: { isArchived: column('boolean', 'false'), isDeleted: column('boolean', 'false') },
    from: Prisma.sql`category c join category_group g on g.id = c.group_id`,
    where: Prisma.sql`c.organization_id = ${id}::uuid and c.deleted_at is null`,
    identifier: Prisma.sql`c.id`,
  };
}
