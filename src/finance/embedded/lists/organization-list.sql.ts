import { Prisma } from '../../../database/client/client';
import type { Organization } from '../../../kernel/organization';
import { column } from './columns.sql';
import type { ListDeclaration } from './list.repository';

/** The caller's organization and no other. */
export function organizations({ id }: Organization): ListDeclaration {
  return {
    name: 'organizations',
    columns: {
      id: column('guid', 'o.id'),
      slug: column('text', 'o.slug'),
      name: column('text', 'o.name'),
      timeZone: column('text', 'o.time_zone'),
      currency: column('text', 'o.currency::text'),
    },
    hidden: { createDate: column('instant', 'o.created_at') },
    from: Prisma.sql`organization o`,
    where: Prisma.sql`o.id = ${id}::uuid`,
    identifier: Prisma.sql`o.id`,
  };
}
