import { Injectable } from '@nestjs/common';
import { textSetting } from '../sources/settings';
import type { IncomingWebhook } from '../sources/source';
import type { LiveSource } from './source-directory';
import { SourceLookup } from './source-lookup';

/**
 * Finds the source that a webhook is for, where a provider sends those of many stores to one address: an application has
 * one, and each store that connects it is a source of its own, perhaps of another organization. The address is that of
 * any of these sources.
 */
@Injectable()
export class StoreRouting {
  constructor(private readonly sources: SourceLookup) {}

  /**
   * @param addressed the source that the address names
   * @returns the source of the store that the webhook is about, if its own secrets verify the webhook; the addressed one,
   *   if the webhook names no store or the source none; undefined: nobody has connected that store
   * @throws Problem as {@link SourceLookup.ofStore}
   */
  async find(addressed: LiveSource, webhook: IncomingWebhook, now: Date): Promise<LiveSource | undefined> {
    const store = addressed.provider.storeOf?.(webhook);
    const own = textSetting(addressed.settings, 'storeId');
    if (store === undefined || store === own) return addressed;
    const connected = await this.sources.ofStore(addressed, store);
    return (
      connected.find(
        ({ provider, secrets, settings }) => provider.verify(webhook, secrets, settings, now).ok,
      ) ??
      // Another replica can read its secrets, and the sender is told to come again.
      connected.find(({ secretsUnread }) => secretsUnread) ??
      (own === undefined ? addressed : undefined)
    );
  }
}
