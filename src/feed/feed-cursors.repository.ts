import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import { Clock } from '../kernel/clock';
import { Problem } from '../kernel/problem';

/** Names that one organization may use. */
const MOST_NAMES = 100;

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

  /** The last one put counts. @throws Problem `conflict` when the organization uses too many names */
  async put(organizationId: string, name: string, cursor: string): Promise<NamedCursor> {
    const updatedAt = this.clock.now();
    await this.database.transaction(async (tx) => {
      const others = await tx.feedCursor.count({ where: { organizationId, name: { not: name } } });
      if (others >= MOST_NAMES)
        throw new Problem('conflict', `an organization may keep ${MOST_NAMES} cursors; delete one`);
      await tx.feedCursor.upsert({
        where: { organizationId_name: { organizationId, name } },
        create: { organizationId, name, cursor, updatedAt },
        update: { cursor, updatedAt },
        select: { name: true },
      });
    });
    return { name, cursor, updatedAt };
  }

  /** @returns whether there was one */
  async remove(organizationId: string, name: string): Promise<boolean> {
    const { count } = await this.database.prisma.feedCursor.deleteMany({ where: { organizationId, name } });
    return count > 0;
  }
}
