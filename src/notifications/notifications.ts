import { lookup } from 'node:dns';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';
import type { EffectRequest, EffectResult } from '../finance/api/effects/effect';
import type { NotificationInput } from '../finance/api/effects/http-notify';
import { OutsideEffects, type SentSoFar } from '../finance/api/effects/outside-effects.port';
import { outwardRule } from '../finance/remote/client/addresses';
import { guardedAgents } from '../finance/remote/client/agents';
import type { ConnectionTimeouts } from '../finance/remote/client/connection';
import { retryAfterMs } from '../finance/remote/client/retry-after';
import { sendRequest, type SendResult } from '../finance/remote/client/send-request';
import { Clock, SharedClock } from '../kernel/clock';
import { VERSION } from '../kernel/version';
import { NotificationEndpoints } from './endpoints.repository';
import { messageOf, signedHeaders } from './message';
import { nextTryMs } from './retry-plan';

/** The status by which a receiver says that it wants no more messages. */
const GONE = 410;

/**
 * Sends signed messages to addresses that operators listed. A message may be sent more than once: a receiver knows it by
 * its `webhook-id`.
 */
@Injectable()
export class Notifications extends OutsideEffects implements BeforeApplicationShutdown {
  /** How long a receiver may take, in milliseconds. */
  protected readonly timeouts: ConnectionTimeouts = { connectMs: 5_000, headersMs: 15_000, totalMs: 20_000 };
  private readonly agents: Readonly<Record<'http:' | 'https:', ReturnType<typeof guardedAgents>>>;

  constructor(
    private readonly endpoints: NotificationEndpoints,
    private readonly clock: Clock,
    private readonly shared: SharedClock,
    { notificationAllowedNetworks: networks }: Settings,
  ) {
    super();
    this.agents = {
      'http:': guardedAgents({ allowed: outwardRule('http:', networks), lookup }),
      'https:': guardedAgents({ allowed: outwardRule('https:', networks), lookup }),
    };
  }

  override async apply(
    { organization, effect }: EffectRequest,
    { attempts, askedAt }: SentSoFar,
  ): Promise<EffectResult> {
    const input = effect.input as NotificationInput;
    const endpoint = await this.endpoints.find(organization.id, input.endpoint);
    if (!endpoint) {
      const reason = `there is no notification endpoint "${input.endpoint}": list one with that name`;
      return { state: 'refused', code: 'validation-failed', reason };
    }
    const message = messageOf(organization.id, effect.key, input, askedAt);
    const now = this.clock.now();
    const headers = {
      ...signedHeaders(message, endpoint.secrets, now),
      ...{ 'user-agent': `Ponte/${VERSION}`, accept: '*/*' },
    };
    const sent = await this.send(endpoint.url, headers, message.body);
    return this.resultOf(sent, attempts);
  }

  /** Idle connections must not keep the process. */
  async beforeApplicationShutdown(): Promise<void> {
    for (const { httpAgent, httpsAgent } of Object.values(this.agents)) {
      httpAgent.destroy();
      httpsAgent.destroy();
    }
  }

  private send(url: string, headers: Record<string, string>, body: string): Promise<SendResult> {
    const agents = new URL(url).protocol === 'https:' ? this.agents['https:'] : this.agents['http:'];
    return sendRequest({ method: 'POST', url, headers, body }, { ...agents, timeouts: this.timeouts });
  }

  private resultOf(sent: SendResult, attempts: number): EffectResult {
    if (sent.stage === 'answered' && sent.status >= 200 && sent.status < 300)
      return { state: 'applied', output: {}, attention: [] };
    const reason = reasonOf(sent);
    if (sent.stage === 'answered' && sent.status === GONE)
      return { state: 'refused', code: 'notification-refused', reason };
    const asked =
      sent.stage === 'answered' ? retryAfterMs(sent.headers['retry-after'], this.clock.now()) : undefined;
    const delayMs = nextTryMs(attempts, asked, Math.random());
    return delayMs === undefined
      ? { state: 'refused', code: 'notification-refused', reason: `${reason}; it was tried for three days` }
      : { state: 'pending', until: new Date(this.shared.now().getTime() + delayMs), reason };
  }
}

/** For a person; nothing of what the receiver said. */
function reasonOf(sent: SendResult): string {
  if (sent.stage === 'answered') {
    if (sent.status >= 300 && sent.status < 400)
      return `the receiver answered with a redirect (${sent.status}), which is not followed: list its own address`;
    return `the receiver answered with status ${sent.status}`;
  }
  if (sent.cause === 'PONTE_ADDRESS')
    return 'its address leads into a network that is not allowed: see NOTIFICATION_ALLOWED_NETWORKS';
  return sent.stage === 'unsent'
    ? `no connection was made (${sent.cause})`
    : `no answer came (${sent.cause})`;
}
