import type { EffectResult } from '../../api/effects/effect';
import type { EffectInputs, EffectOperation } from '../../api/effects/registry';
import type { Organization } from '../../../kernel/organization';
import type { FinanceConnection } from '../client/connection';
import type { CallName, CallResult } from '../calls/call';

/** An effect that is intended, on its way to a remote service. */
export interface RemoteEffect<O extends EffectOperation> {
  readonly connection: FinanceConnection;
  readonly organization: Organization;
  readonly key: string;
  readonly input: EffectInputs[O];
  readonly deliveryId: string;
}

/** Schedules that an effect made, and whom they are about. */
export interface MadeSchedules {
  readonly stakeholderId: string;
  readonly ids: string[];
  readonly callId: string;
}

/** What came of an effect, and the schedules that it made. */
export type RemoteEffectResult = EffectResult & { readonly schedules?: MadeSchedules };

/** How effects of one operation become calls. Asked again it goes on where it was. */
export interface RemoteEffectHandler<O extends EffectOperation> {
  /** @throws Problem when the effect is refused before anything is sent; Unreadable when it has to wait */
  advance(effect: RemoteEffect<O>): Promise<RemoteEffectResult>;
}

export function nameOf(
  { organization, key }: Pick<RemoteEffect<EffectOperation>, 'organization' | 'key'>,
  part = 1,
): CallName {
  return { organizationId: organization.id, effectKey: key, part };
}

/** How far an effect has come whose call has not been applied. */
export function stalled(result: Exclude<CallResult, { state: 'applied' }>): EffectResult {
  switch (result.state) {
    case 'rejected': {
      const { code, detail, status } = result.problem;
      const reason = `the finance service refused it: ${detail ?? code ?? `status ${status}`}`;
      return { state: 'refused', code: code ?? 'finance-refused', reason };
    }
    case 'planned':
    case 'sending':
    case 'unknown':
      return { state: 'pending', until: result.until, reason: result.reason };
    case 'needs-review':
      return undecided(result.reason);
    case 'abandoned':
      return { state: 'refused', code: 'effect-abandoned', reason: result.reason };
  }
}

/** The refusal of an effect that only a person can decide about. */
export function undecided(reason: string): EffectResult {
  return { state: 'refused', code: UNDECIDED, reason };
}

/** The code of {@link undecided}. */
export const UNDECIDED = 'effect-unknown';
