import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { isUuid } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { unacceptable } from '../../../kernel/problem';
import type { FinanceConnection } from '../client/connection';
import { RemoteReads } from './remote-reads';

/** Milliseconds for which a name stands for the record found. */
const KEPT_MS = 60_000;
const MOST_KEPT = 10_000;

/** Finds records of a remote service that rules name otherwise than by identifier. */
@Injectable()
export class RemoteNames {
  private readonly kept = new Map<string, { id: string; until: number }>();

  constructor(
    private readonly reads: RemoteReads,
    private readonly clock: Clock,
  ) {}

  /**
   * An account's UUID, by itself or by the exact name of exactly one account.
   * @throws Problem when there is no such account, or more than one; Unreadable
   */
  async account(connection: FinanceConnection, organization: Organization, name: string): Promise<string> {
    return this.find(`${organization.id}/account/${name}`, name, 'account', async () =>
      (await this.reads.accounts(connection, organization, name)).map(({ id }) => id),
    );
  }

  /**
   * A cost center's UUID, by itself or by the external code of exactly one cost center.
   * @throws Problem when there is no such cost center, or more than one; Unreadable
   */
  async costCenter(connection: FinanceConnection, { id }: Organization, code: string): Promise<string> {
    return this.find(`${id}/cost-center/${code}`, code, 'cost center', () =>
      this.reads.costCenters(connection, code),
    );
  }

  /** A category's UUID. @throws Problem when it is named by its reference code: no operation finds it by that */
  category(name: string): string {
    if (isUuid(name)) return name.toLowerCase();
    const sentence =
      `the category ${name} has to be named by its identifier: ` +
      'the finance interface does not find categories by their reference code';
    throw unacceptable('/categoryId', 'unknown', sentence);
  }

  /**
   * The UUIDs of a category and a cost center; undefined for what is not named.
   * @throws as {@link category} and {@link costCenter}
   */
  async classes(
    connection: FinanceConnection,
    organization: Organization,
    { category, costCenter }: { category?: string | undefined; costCenter?: string | undefined },
  ): Promise<{ categoryId: string | undefined; costCenterId: string | undefined }> {
    return {
      categoryId: category === undefined ? undefined : this.category(category),
      costCenterId:
        costCenter === undefined ? undefined : await this.costCenter(connection, organization, costCenter),
    };
  }

  private async find(
    key: string,
    name: string,
    what: string,
    read: () => Promise<string[]>,
  ): Promise<string> {
    if (isUuid(name)) return name.toLowerCase();
    const now = this.clock.now().getTime();
    const kept = this.kept.get(key);
    if (kept && kept.until > now) return kept.id;
    const [id, ...others] = await read();
    if (id === undefined || others.length > 0) {
      const sentence =
        id === undefined
          ? `the finance service has no ${what} ${name}`
          : `the finance service has more than one ${what} ${name}`;
      throw unacceptable('', 'unknown', sentence);
    }
    if (this.kept.size >= MOST_KEPT) this.kept.clear();
    this.kept.set(key, { id, until: now + KEPT_MS });
    return id;
  }
}
