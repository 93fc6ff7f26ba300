import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { Clock } from '../kernel/clock';
import { Problem } from '../kernel/problem';
import { readCursor } from './cursor';

/** Names that one organization may use. */
const MOST_NAMES = 100;

/** Cursors of all organizations that a scrape reads. */
const MOST_MEASURED = 1_000;

export interface NamedCursor {
  name: string;
  cursor: string;
  updatedAt: Date;
}

/** How far connectors have read, by the names they go by. */
@Injectable()
export class FeedCursors {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(organizationId: string, name: string): Promise<NamedCursor | undefined> {
    const found = await this.database.prisma.feedCursor.findUnique({
      where: { organizationId_name: { organizationId, name } },
      select: { name: true, cursor: true, updatedAt: true },
    });
    return found ?? undefined;
  }

  /** All of an organization's, by name. */
  all(organizationId: string): Promise<NamedCursor[]> {
    return this.database.prisma.feedCursor.findMany({
      where: { organizationId },
      orderBy: { name: 'asc' },
      select: { name: true, cursor: true, updatedAt: true },
    });
  }

  /** The last one put counts. @throws Problem `conflict` when the organization uses too many names */
  async put(organizationId: string, name: string, cursor: string): Promise<NamedCursor> {
    const updatedAt = this.clock.now();
    await this.database.transaction(async (tx) => {
      const others = await tx.feedCursor.count({ where: { organizationId, name: { not: name } } });
      if (others >= MOST_NAMES)
        throw new Problem(
          'conflict',
          `an organization may keep ${MOST_NAMES} cursors; GET /feed/cursors lists them, delete one`,
        );
      await tx.feedCursor.upsert({
        where: { organizationId_name: { organizationId, name } },
        create: { organizationId, name, cursor, updatedAt },
        update: { cursor, updatedAt },
        select: { name: true },
      });
    });
    return { name, cursor, updatedAt };
  }

  /**
   * When the oldest change was made that one of the cursors has not acknowledged; of more than
   * {@link MOST_MEASURED} cursors, those not put for longest are read.
   */
  async oldestUnacknowledged(): Promise<Date | undefined> {
    const cursors = await this.database.prisma.feedCursor.findMany({
      orderBy: { updatedAt: 'asc' },
      take: MOST_MEASURED,
      select: { organizationId: true, cursor: true },
    });
    const read = cursors.map(({ organizationId, cursor }) => {
      const { position, number } = readCursor(cursor) ?? { position: 0n, number: 0 };
      return { organization_id: organizationId, position: String(position), number };
    });
    const [row] = await this.database.prisma.$queryRaw<{ at: Date | null }[]>`
      select min(next.at) as at
      from jsonb_to_recordset(${JSON.stringify(read)}::jsonb) as c(
        organization_id uuid, position bigint, number int)
      cross join lateral (
        select b.at from feed_batch b
        where b.organization_id = c.organization_id and b.position >= c.position
          and (b.position > c.position or b.changes > c.number)
        order by b.position limit 1
      ) next`;
    return row?.at ?? undefined;
  }

  /** @returns whether there was one */
  async remove(organizationId: string, name: string): Promise<boolean> {
    const { count } = await this.database.prisma.feedCursor.deleteMany({ where: { organizationId, name } });
    return count > 0;
  }
}
