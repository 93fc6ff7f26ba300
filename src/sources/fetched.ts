import { Payload, UnreadablePayload } from './payload';
import type { FetchedAnswer, StoredWebhook } from './source';

/** Whether an answer says that there is no such thing any more. */
export function isGone({ status }: FetchedAnswer): boolean {
  return status === 404 || status === 410;
}

/** What the API answered to the request of this name; undefined: nothing yet. */
export function answerTo({ fetched = [] }: StoredWebhook, name: string): FetchedAnswer | undefined {
  return fetched.find((answer) => answer.name === name);
}

/**
 * What an answer has; undefined where it says that there is no such thing any more.
 * @param unfetched a sentence about what was not asked for
 * @throws UnreadablePayload with that sentence where there is no answer
 */
export function parseAnswer(answer: FetchedAnswer | undefined, unfetched: string): Payload | undefined {
  if (answer === undefined) throw new UnreadablePayload(unfetched);
  return isGone(answer) ? undefined : Payload.parse(answer.body);
}

/** Headers of a request that shows an access token. */
export function bearerHeaders(token = ''): Record<string, string> {
  return { accept: 'application/json', authorization: `Bearer ${token}` };
}

/** Headers of a request that shows a name and a password, as the basic scheme has them (RFC 7617). */
export function basicHeaders(name = '', password = ''): Record<string, string> {
  const user = Buffer.from(`${name}:${password}`).toString('base64');
  return { accept: 'application/json', authorization: `Basic ${user}` };
}
