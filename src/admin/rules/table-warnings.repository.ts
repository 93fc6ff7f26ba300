import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { LookupTable } from '../../rules/lookup-table';

/** A sentence about a lookup table that can be read and is seldom meant so. */
export interface TableWarning {
  /** The organization's slug. */
  readonly organization: string;
  readonly table: string;
  readonly warning: string;
}

/** What operators are told of lookup tables as they are stored, with the sources that there are. */
@Injectable()
export class TableWarnings {
  constructor(private readonly database: Database) {}

  /** By organization and table. @param slug of one organization; absent: of all */
  async all(slug?: string): Promise<TableWarning[]> {
    const { prisma } = this.database;
    const organizations = await prisma.organization.findMany({
      where: slug === undefined ? {} : { slug },
      select: { id: true, slug: true },
      orderBy: { slug: 'asc' },
    });
    const found = [];
    for (const { id: organizationId, slug: organization } of organizations) {
      const tables = await prisma.lookupTable.findMany({
        where: { organizationId },
        orderBy: { name: 'asc' },
      });
      const sources = await this.sourcesOf(organizationId);
      found.push(
        ...tables.flatMap(({ name, entries }) =>
          LookupTable.of(name, entries as Record<string, string>)
            .warnings(sources)
            .map((warning) => ({ organization, table: name, warning })),
        ),
      );
    }
    return found;
  }

  /** The slugs of an organization's sources. */
  async sourcesOf(organizationId: string): Promise<ReadonlySet<string>> {
    const rows = await this.database.prisma.source.findMany({
      where: { organizationId },
      select: { slug: true },
    });
    return new Set(rows.map(({ slug }) => slug));
  }
}
