import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Clock } from '../../kernel/clock';
import { Problem } from '../../kernel/problem';
import type { FinanceConnection } from '../wire/connection';
import { connectionOf } from './connection-settings';
import { ConnectionsRepository } from './connections.repository';

/** Milliseconds after which a changed connection is noticed by every replica. */
const FRESH_MS = 5_000;

interface Kept {
  connection: FinanceConnection;
  until: number;
}

/** How each organization's finance service is reached. */
@Injectable()
export class FinanceConnections {
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly repository: ConnectionsRepository,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem `finance-not-connected` */
  async of(organization: { readonly id: string }): Promise<FinanceConnection> {
    const { id } = organization;
    const now = this.clock.now().getTime();
    const kept = this.kept.get(id);
    if (kept && kept.until > now) return kept.connection;
    const found = await this.repository.read(id);
    if (!found) {
      this.kept.delete(id);
      throw new Problem('finance-not-connected', 'an operator has to connect the finance service first');
    }
    const connection = connectionOf(id, found.stored, found.apiKey, this.settings.financeBaseUrl);
    this.kept.set(id, { connection, until: now + FRESH_MS });
    return connection;
  }

  /** What was stored just now counts from here on, on this replica. */
  forget(organizationId: string): void {
    this.kept.delete(organizationId);
  }
}
