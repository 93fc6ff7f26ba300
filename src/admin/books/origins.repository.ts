import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';

/** What a record of the books was booked for. */
export interface Origin {
  businessKey: string | null;
  delivery: string | null;
}

export const NO_ORIGIN: Origin = { businessKey: null, delivery: null };

/** A record of the books, with what a rule's action writes into it: the key that the rule gave. */
export interface Booked {
  kind: 'receivable' | 'receipt' | 'payment' | 'other';
  reference: string | null;
  identifier: string | null;
}

interface OriginRow extends Origin {
  key: string;
}

/** Finds what rules booked records for, by the keys that the records carry. */
@Injectable()
export class OriginsRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param records at most a page of them
   * @returns for each, in their order, what it was booked for: {@link NO_ORIGIN} where no effect has its key any more
   */
  async of(organizationId: string, records: readonly Booked[]): Promise<Origin[]> {
    const keys = [...new Set(records.flatMap(effectKeysOf))];
    if (keys.length === 0) return records.map(() => NO_ORIGIN);
    const rows = await this.database.prisma.$queryRaw<OriginRow[]>`
      select e.key, r.business_key as "businessKey", r.delivery_id as delivery
      from effect e
      join run r on r.id = e.run_id and r.organization_id = e.organization_id
      where e.organization_id = ${organizationId}::uuid and e.key = any(${keys}::text[]) and e.state = 'applied'`;
    const origins = new Map(
      rows.map(({ key, businessKey, delivery }) => [key, { businessKey, delivery }] as const),
    );
    return records.map(
      (record) => effectKeysOf(record).flatMap((key) => origins.get(key) ?? [])[0] ?? NO_ORIGIN,
    );
  }
}

/** Keys of the effects that may have made it: the actions in `rules/actions` make them of the rule's key. */
function effectKeysOf({ kind, reference, identifier }: Booked): string[] {
  switch (kind) {
    case 'receivable':
      return keysOf(reference, 'credit-schedule');
    case 'receipt':
      return [...keysOf(identifier, 'receipt', 'write-off'), ...keysOf(reference, 'direct-receipt')];
    case 'payment':
      return keysOf(reference, 'payment', 'write-off');
    case 'other':
      return [];
  }
}

function keysOf(key: string | null, ...prefixes: readonly string[]): string[] {
  return key ? prefixes.map((prefix) => `${prefix}/${key}`) : [];
}
