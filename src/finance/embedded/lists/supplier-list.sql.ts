import { Prisma } from '../../../database/client/client';
import type { Organization } from '../../../kernel/organization';
import { keptCount } from '../counts/counts.repository';
import { column, optional, type Column } from './columns.sql';
import type { ListDeclaration } from './list.repository';

function detail(group: string, name: string): Column {
  return optional('text', `t.details->'${group}'->>'${name}'`);
}

/** The first character of every word. */
const INITIALS = `upper(regexp_replace(t.name, '\\s*(\\S)\\S*\\s*', '\\1', 'g'))`;

/** Suppliers that were not deleted (operation 19). */
export function suppliers({ id }: Organization): ListDeclaration {
  const list = stakeholders(id);
  return {
    ...list,
    name: 'suppliers',
    where: Prisma.sql`${list.where} and t.kind = 'supplier' and t.deleted_at is null`,
    kept: keptCount(id, 'supplier'),
  };
}

/** Customers that were not deleted. */
export function customers({ id }: Organization): ListDeclaration {
  const list = stakeholders(id);
  return {
    ...list,
    name: 'customers',
    where: Prisma.sql`${list.where} and t.kind = 'customer' and t.deleted_at is null`,
  };
}

/** Whoever a receivable may be with: customers and partners. To find one by its identifier. */
export function payers({ id }: Organization): ListDeclaration {
  const list = stakeholders(id);
  return {
    ...list,
    name: 'payers',
    where: Prisma.sql`${list.where} and t.kind in ('customer', 'partner') and t.deleted_at is null`,
  };
}

/** Everybody who owes or is owed, in the form of operation 19. */
export function stakeholders(organizationId: string): ListDeclaration {
  return {
    name: 'stakeholders',
    columns: {
      id: column('guid', 't.id'),
      name: column('text', 't.name'),
      initialsName: column('text', INITIALS),
      email: optional('text', 't.email'),
      phone: optional('text', 't.phone'),
      'document/number': optional('text', 't.document'),
      'document/type': optional('text', 't.document_type'),
      'communication/contactName': detail('communication', 'contactName'),
      'communication/email': detail('communication', 'email'),
      'communication/phone': detail('communication', 'phone'),
      'communication/cellPhone': detail('communication', 'cellPhone'),
      'communication/webSite': detail('communication', 'webSite'),
      'address/line1': detail('address', 'line1'),
      'address/line2': detail('address', 'line2'),
      'address/number': optional('integer', `(t.details->'address'->>'number')::int`),
      'address/district': detail('address', 'district'),
      'address/city': detail('address', 'city'),
      'address/state': detail('address', 'state'),
      'address/zipCode': detail('address', 'zipCode'),
      'address/country': detail('address', 'country'),
      'address/ibgeCode': detail('address', 'ibgeCode'),
      'bankAccountInformation/bank': detail('bankAccountInformation', 'bank'),
      'bankAccountInformation/agency': detail('bankAccountInformation', 'agency'),
      'bankAccountInformation/accountNumber': detail('bankAccountInformation', 'accountNumber'),
      'companyInformation/companyName': detail('companyInformation', 'companyName'),
      'companyInformation/municipalInscription': detail('companyInformation', 'municipalInscription'),
      type: column('text', 'initcap(t.kind::text)'),
    },
    hidden: {
      cpfCnpj: optional('text', 't.document'),
      createDate: column('instant', 't.created_at'),
      updateDate: column('instant', 'coalesce(t.updated_at, t.created_at)'),
      isArchived: column('boolean', '(t.deleted_at is not null)'),
      isDeleted: column('boolean', '(t.deleted_at is not null)'),
    },
    from: Prisma.sql`stakeholder t`,
    where: Prisma.sql`t.organization_id = ${organizationId}::uuid`,
    identifier: Prisma.sql`t.id`,
  };
}
