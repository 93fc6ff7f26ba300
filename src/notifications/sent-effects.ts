import { Injectable } from '@nestjs/common';
import type { EffectRequest, EffectResult } from '../finance/api/effects/effect';
import { OutsideEffects, type SentSoFar } from '../finance/api/effects/outside-effects.port';
import { Emails } from './email/emails';
import { Notifications } from './notifications';

/** Everything that leaves the process: each operation by what sends it. */
@Injectable()
export class SentEffects extends OutsideEffects {
  constructor(
    private readonly notifications: Notifications,
    private readonly emails: Emails,
  ) {
    super();
  }

  override apply(request: EffectRequest, soFar: SentSoFar): Promise<EffectResult> {
    const { operation } = request.effect;
    return operation === 'email.send'
      ? this.emails.send(request, soFar)
      : this.notifications.apply(request, soFar);
  }
}
