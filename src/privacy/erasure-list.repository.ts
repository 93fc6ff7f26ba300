import { Injectable } from '@nestjs/common';
import type { ErasureState, Prisma } from '../database/client/client';
import { Database } from '../database/database';
import type { ListPage } from '../kernel/list-page';

export const ERASURE_STATES = ['running', 'waiting', 'done'] as const satisfies readonly ErasureState[];

/** An erasure as operators see it: nothing in it says who was erased. */
export interface ListedErasure {
  id: string;
  state: ErasureState;
  requestedBy: string;
  reason: string | null;
  delivery: string | null;
  person: string;
  requestedAt: Date;
  finishedAt: Date | null;
  step: string;
  note: string | null;
  customers: string[];
  counts: unknown;
}

/** Which erasures there were, and how far they are. */
@Injectable()
export class ErasureList {
  constructor(private readonly database: Database) {}

  /** Milliseconds since the oldest erasure that is not done was asked for; 0: all are done. */
  async oldestOpenMs(): Promise<number> {
    const [row] = await this.database.prisma.$queryRaw<{ ms: number }[]>`
      select coalesce(extract(epoch from clock_timestamp() - min(requested_at)) * 1000, 0)::float8 as ms
      from erasure where state <> 'done'`;
    return Math.max(row?.ms ?? 0, 0);
  }

  /** Newest first. */
  async list(organizationId: string, { limit, after }: ListPage): Promise<ListedErasure[]> {
    const rows = await this.database.prisma.erasure.findMany({
      where: { organizationId, ...(after !== undefined && { id: { lt: after } }) },
      orderBy: { id: 'desc' },
      take: limit,
    });
    return rows.map(listed);
  }

  /** @returns undefined when the organization has no such erasure */
  async find(organizationId: string, id: string): Promise<ListedErasure | undefined> {
    const row = await this.database.prisma.erasure.findFirst({ where: { organizationId, id } });
    return row ? listed(row) : undefined;
  }
}

function listed(row: Prisma.ErasureGetPayload<object>): ListedErasure {
  const { id, state, requestedBy, reason, requestedAt, finishedAt, note, counts } = row;
  return {
    ...{ id, state, requestedBy, reason, requestedAt, finishedAt, note, counts },
    delivery: row.deliveryId,
    person: Buffer.from(row.digest).toString('hex'),
    step: state === 'done' ? 'none' : row.step,
    customers: row.records,
  };
}
