import { Injectable } from '@nestjs/common';
import { SettingError, type Settings } from '../config/settings';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { Clock } from '../kernel/clock';
import { newId } from '../kernel/identifier';
import { hashOf, newKey } from './api-keys';
import { ApiKeysRepository } from './api-keys.repository';

/** Names distinguish a key that was set from one that was made, in lists and here. */
const SET = 'ADMIN_API_KEY';
const MADE = 'made at first start';

/** Sees to it at start-up that there is exactly one live operators' key. */
@Injectable()
export class OperatorKey {
  constructor(
    private readonly database: Database,
    private readonly keys: ApiKeysRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * With `ADMIN_API_KEY` set, that is the operators' key and every earlier one stops working. Without it, the
   * key made at an earlier start stays, or else one is made.
   * @returns a key that was made just now, to be printed once; else undefined
   * @throws SettingError when `ADMIN_API_KEY` is the key of an organization
   */
  async ensureOperatorKey(settings: Pick<Settings, 'adminApiKey'>): Promise<string | undefined> {
    return this.database.transaction(async (tx) => {
      await this.keys.lockOperatorKeys(tx);
      if (settings.adminApiKey !== undefined) {
        await this.install(tx, SET, settings.adminApiKey);
        return undefined;
      }
      if ((await this.keys.operatorKeyNames(tx)).includes(MADE)) return undefined;
      const key = newKey();
      await this.install(tx, MADE, key);
      return key;
    });
  }

  private async install(tx: Transaction, name: string, key: string): Promise<void> {
    const record = { id: newId(), name, hash: hashOf(key), scopes: ['admin'] };
    if (!(await this.keys.replaceOperatorKeys(tx, record, this.clock.now())))
      throw new SettingError('ADMIN_API_KEY is the key of an organization; choose another one');
  }
}
