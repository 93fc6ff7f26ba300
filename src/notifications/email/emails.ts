import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import type { EffectRequest, EffectResult } from '../../finance/api/effects/effect';
import type { EmailInput } from '../../finance/api/effects/email-send';
import type { SentSoFar } from '../../finance/api/effects/outside-effects.port';
import { SharedClock } from '../../kernel/clock';
import { messageIdOf } from '../message';
import { nextTryMs } from '../retry-plan';
import { Subscriptions } from '../subscriptions/subscriptions.repository';
import { type HandedOver, handOver } from './mail-client';

/**
 * Sends e-mails to addresses that operators listed. One may be sent more than once: it has the same `Message-ID` each time.
 */
@Injectable()
export class Emails {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly clock: SharedClock,
    private readonly settings: Settings,
  ) {}

  /** Tries once, as {@link OutsideEffects.apply} says. */
  async send({ organization, effect }: EffectRequest, soFar: SentSoFar): Promise<EffectResult> {
    const { subscription: id, to, subject, text, html } = effect.input as EmailInput;
    const subscription = await this.subscriptions.byId(organization.id, id);
    if (!subscription?.emails.includes(to))
      return { state: 'refused', code: 'validation-failed', reason: 'its subscription was removed' };
    const server = this.settings.mailServer;
    if (!server) return this.again('SMTP_URL and SMTP_FROM are not set', soFar);
    const domain = server.from.address.split('@').at(-1) ?? '';
    const messageId = `${messageIdOf(organization.id, effect.key)}@${domain}`;
    const handedOver = await handOver(server, { to, subject, text, html, messageId, date: soFar.askedAt });
    return this.resultOf(handedOver, soFar);
  }

  private resultOf(handedOver: HandedOver, soFar: SentSoFar): EffectResult {
    if (handedOver.state === 'taken') return { state: 'applied', output: {}, attention: [] };
    if (handedOver.state === 'failed') return this.again(handedOver.reason, soFar);
    return { state: 'refused', code: 'notification-refused', reason: handedOver.reason };
  }

  private again(reason: string, { attempts }: SentSoFar): EffectResult {
    const delayMs = nextTryMs(attempts, undefined, Math.random());
    return delayMs === undefined
      ? { state: 'refused', code: 'notification-refused', reason: `${reason}; it was tried for three days` }
      : { state: 'pending', until: new Date(this.clock.now().getTime() + delayMs), reason };
  }
}
