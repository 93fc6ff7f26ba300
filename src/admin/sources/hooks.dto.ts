import { HOOK_STATES } from '../../deliveries/registered-hooks/hook-plan';
import { ObjectOf, reply, request } from '../fields';
import { MaybeReasonBody } from '../reasons.dto';

export class RepairHooksBody extends ObjectOf(
  {
    /** `true` unless said otherwise: only says what would be done. */
    dryRun: request.flag().optional(),
    /** Of a dry run; needed where `dryRun` is `false`. Where something else would be done by now, nothing is. */
    plan: request.text({ max: 64 }).optional(),
  },
  MaybeReasonBody,
) {}

/** One webhook: as it is registered at the provider, and as it has to be. */
export class RegisteredHookView extends ObjectOf({
  state: reply.oneOf(
    HOOK_STATES,
    '`missing`: none is registered. `secret-unknown`: the provider made its secret, and the source has none. `extra`: it leads to the source, and nobody needs it. `foreign`: it leads elsewhere, and is never touched',
  ),
  action: reply.oneOf(['create', 'repair'], 'What a repair does about it; null: nothing').nullable(),
  topics: reply.texts('What it is for, or has to be for'),
  id: reply.text("The provider's own name for it; null: it is missing").nullable(),
  address: reply.text('Where it leads, without secrets; null: it is missing').nullable(),
  enabled: reply.flag().nullable(),
  problem: reply.text('What the provider says is wrong with it').nullable(),
}) {}

/** A credential that the source needs so that Ponte can ask its provider's API. */
export class MissingCredentialView extends ObjectOf({ name: reply.text(), description: reply.text() }) {}

/** What came of one step of a repair. */
export class HookStepView extends ObjectOf({
  action: reply.oneOf(['create', 'repair']),
  topics: reply.texts(),
  outcome: reply.oneOf(
    ['done', 'refused', 'unknown'],
    '`unknown`: it may have been done, and what the provider lists does not show it',
  ),
  reason: reply.text('Why it is not simply done').nullable(),
}) {}

/** The webhooks of a source at its provider. */
export class SourceHooksView extends ObjectOf({
  registers: reply.flag(
    'Whether Ponte registers webhooks at this provider; false: a person does, by `setUp`',
  ),
  reason: reply.text('Why nothing can be compared or done; null: something can').nullable(),
  missingCredentials: reply.listOf(
    MissingCredentialView,
    "What the provider's API is asked with, and the source does not have",
  ),
  address: reply
    .text('Where webhooks have to lead; null: `PUBLIC_URL` is not set to an https address')
    .nullable(),
  hooks: reply.listOf(
    RegisteredHookView,
    'Those that have to be there, then all others that the provider lists',
  ),
  plan: reply.text('Names what a repair would do; null: it can do nothing, see `reason`').nullable(),
  steps: reply.listOf(HookStepView, 'What a repair has done; empty in a dry run'),
  setUp: reply.texts('What a person has to do to connect the provider, in order'),
}) {}
