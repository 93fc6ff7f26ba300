import type { Attention } from '../../api/effects/attention';
import type { EffectOutput } from '../../api/effects/effect';
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

/** How far an effect has come. */
export type Progress =
  | {
      readonly state: 'done';
      readonly output: EffectOutput;
      readonly attention: Attention[];
      /** Whether its record was there before. */
      readonly found?: boolean;
      /** The schedules it made, and whom they are about. */
      readonly schedules?: { stakeholderId: string; ids: string[]; callId?: string };
    }
  | { readonly state: 'pending'; readonly until: Date; readonly reason: string }
  /** `refused`: surely not in effect. `unknown`: a person must decide. */
  | { readonly state: 'refused' | 'unknown'; readonly code: string; readonly reason: string };

/** How effects of one operation become calls. Asked again it goes on where it was. */
export interface RemoteEffectHandler<O extends EffectOperation> {
  /** @throws Problem when the effect is refused before anything is sent; Unreadable when it has to wait */
  advance(effect: RemoteEffect<O>): Promise<Progress>;
}

export function nameOf(
  { organization, key }: Pick<RemoteEffect<EffectOperation>, 'organization' | 'key'>,
  part = 1,
): CallName {
  return { organizationId: organization.id, effectKey: key, part };
}

/** How far an effect has come whose call has not been applied. */
export function stalled(result: Exclude<CallResult, { state: 'applied' }>): Progress {
  switch (result.state) {
    case 'refused': {
      const { code, detail, status } = result.problem;
      const reason = `the finance service refused it: ${detail ?? code ?? `status ${status}`}`;
      return { state: 'refused', code: code ?? 'finance-refused', reason };
    }
    case 'not-arrived':
    case 'unknown':
      return { state: 'pending', until: result.until, reason: result.reason };
    case 'parked':
      return { state: 'unknown', code: 'effect-unknown', reason: result.reason };
    case 'abandoned':
      return { state: 'refused', code: 'effect-abandoned', reason: result.reason };
  }
}
