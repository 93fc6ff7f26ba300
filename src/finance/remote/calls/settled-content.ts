import { FOLLOWED_CUSTOMER_FIELDS } from '../../api/effects/customer-ensure';
import type { OperationId } from '../../api/operations/operations';
import { digestOf } from '../../effects/followed-fields.repository';
import type { CallContent } from './call';
import { isRequest, type StoredCall } from './call-states';

/** Operations whose bodies are about a person, all of it. */
const ABOUT_PEOPLE: ReadonlySet<OperationId> = new Set(['customers.create', 'customers.update']);

/**
 * What a call was sent with, as it is kept in the state that the call is in. Where nothing is left to be sent or to be read
 * back, what it says of a person is left out. What later events of a shop are compared with is kept as digests.
 */
export function keptContent(
  call: Pick<StoredCall, 'organizationId' | 'effectKey' | 'content' | 'state'>,
): CallContent {
  const { organizationId, content } = call;
  const { body, ...rest } = content;
  if (body === undefined || !isAboutPeople(content) || !isSettled(call)) return content;
  const said = digestsOf(organizationId, { ...body });
  return { ...rest, leftOut: Object.keys(body), ...(!isRequest(call) && { said }) };
}

export function isAboutPeople({ operation }: CallContent): boolean {
  return ABOUT_PEOPLE.has(operation);
}

/** Whether what a call was sent with is there to be sent again, or to be read back. */
export function isWhole({ leftOut }: CallContent): boolean {
  return leftOut === undefined;
}

/** Whether what is asked for now is sent, and not what is stored. */
export function isSentAnew(call: StoredCall): boolean {
  return call.state === 'rejected' || isRequest(call) || !isWhole(call.content);
}

/** Digests of what a customer was made with, by the fields that can follow a shop. @param body as it was sent */
export function digestsOf(
  organizationId: string,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    FOLLOWED_CUSTOMER_FIELDS.map((field) => [
      field,
      digestOf({ organizationId, value: body[field] ?? null }),
    ]),
  );
}

function isSettled({ state }: Pick<StoredCall, 'state'>): boolean {
  return state === 'applied' || state === 'rejected' || state === 'abandoned';
}
