import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../src/database/database';
import { failureCodes } from '../../../src/database/failure-codes';
import type { Transaction } from '../../../src/database/transaction';
import { appendChanges, type Change } from '../../../src/feed/changes/changes.repository';
import { newId } from '../../../src/kernel/identifier';
import type { Organization } from '../../../src/kernel/organization';
import type { Random } from '../../support/random';

/** What a change of these writers holds: each change of an entity has the next version. */
export interface Version {
  entity: string;
  version: number;
}

/** Records that writers fight over, each with a version that only whoever holds its row may raise. */
export class Entities {
  /** Versions that were committed, by entity. */
  readonly committed = new Map<string, number>();

  private constructor(
    readonly organization: Organization,
    readonly ids: readonly string[],
  ) {}

  static async make(database: Database, organization: Organization, count: number): Promise<Entities> {
    const ids = Array.from({ length: count }, newId).sort();
    await database.prisma.costCenter.createMany({
      data: ids.map((id) => ({ id, organizationId: organization.id, description: '0' })),
    });
    return new Entities(organization, ids);
  }

  /** How many changes were committed. */
  get total(): number {
    return [...this.committed.values()].reduce((sum, version) => sum + version, 0);
  }
}

/** Milliseconds that a transaction dawdles, at most, before it locks and before it commits. */
export interface Pace {
  dawdleMs: number;
  /** One transaction in a hundred stays open for so long. */
  longMs: number;
}

class RolledBack extends Error {}

/** Whether a lock was not granted in time, as on a busy machine: the transaction was rolled back, too. */
function lacksLock(error: unknown): boolean {
  return failureCodes(error).includes('55P03');
}

/** Writes transactions of random lengths, one in five rolled back, until enough is committed. @returns its roll-backs */
export async function write(
  database: Database,
  entities: Entities,
  random: Random,
  { dawdleMs, longMs }: Pace,
  enough: number,
): Promise<number> {
  let rolledBack = 0;
  while (entities.total < enough) {
    const raised: Version[] = [];
    try {
      await database.transaction(async (tx) => {
        // Has its transaction id early and its locks late, as often as not.
        if (random.next() < 0.5) await tx.$executeRaw`select pg_current_xact_id()`;
        await sleep(random.between(0, dawdleMs));
        // Always in one order, so that no two wait for each other.
        for (const id of entities.ids.filter(() => random.next() < 2 / entities.ids.length)) {
          raised.push(await raise(tx, entities.organization, id, random.between(1, 80)));
          await sleep(random.between(0, dawdleMs));
        }
        if (random.next() < 0.01) await sleep(longMs);
        if (random.next() < 0.2) throw new RolledBack();
      });
      for (const { entity, version } of raised)
        entities.committed.set(entity, Math.max(version, entities.committed.get(entity) ?? 0));
    } catch (error) {
      if (!(error instanceof RolledBack) && !lacksLock(error)) throw error;
      rolledBack += 1;
    }
  }
  return rolledBack;
}

/** Raises an entity's version so many times, and tells of each. @returns what it is now */
async function raise(tx: Transaction, { id: organizationId }: Organization, entity: string, times: number) {
  const [row] = await tx.$queryRaw<{ description: string }[]>`
    select description from cost_center where id = ${entity}::uuid for update`;
  const before = Number(row!.description);
  const version = before + times;
  await tx.costCenter.update({ where: { id: entity }, data: { description: String(version) } });
  const changes = Array.from({ length: times }, (_, index): Change => ({
    organizationId,
    type: 'cost-center.updated',
    recordId: entity,
    data: { entity, version: before + index + 1 } satisfies Version,
  }));
  await appendChanges(tx, changes, new Date());
  return { entity, version };
}
