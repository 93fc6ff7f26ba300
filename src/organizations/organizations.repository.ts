import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { isUuid, newId } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';

/** What is needed to make an organization; see {@link Organization} for the meaning of each field. */
export type NewOrganization = Omit<Organization, 'id'>;

const SHAPE = { id: true, slug: true, name: true, timeZone: true, currency: true } as const;

/** Organization records. */
@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: Database) {}

  /** By id or slug, in any letter case. */
  async find(idOrSlug: string): Promise<Organization | undefined> {
    const name = idOrSlug.trim().toLowerCase();
    const where = isUuid(name) ? { id: name } : { slug: name };
    const found = await this.database.prisma.organization.findUnique({ where, select: SHAPE });
    return found ?? undefined;
  }

  /** All of them, by slug. */
  async list(): Promise<Organization[]> {
    return this.database.prisma.organization.findMany({ select: SHAPE, orderBy: { slug: 'asc' } });
  }

  /** @throws Problem conflict when the slug is taken */
  async create(organization: NewOrganization): Promise<Organization> {
    const id = newId();
    const { count } = await this.database.prisma.organization.createMany({
      data: [{ id, ...organization }],
      skipDuplicates: true,
    });
    if (count === 0) throw new Problem('conflict', 'There is an organization with this slug');
    return { id, ...organization };
  }

  /**
   * Makes the organization of configuration, or brings the one with its slug in line with it. However many
   * replicas do so at once, one record comes of it, and each is given that one.
   */
  async upsert(organization: NewOrganization): Promise<Organization> {
    const { slug, name, timeZone, currency } = organization;
    return this.database.prisma.organization.upsert({
      where: { slug },
      create: { id: newId(), slug, name, timeZone, currency },
      update: { name, timeZone, currency },
      select: SHAPE,
    });
  }
}
