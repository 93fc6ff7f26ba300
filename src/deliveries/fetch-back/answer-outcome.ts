import { retryAfterMs } from '../../finance/remote/client/retry-after';
import type { SendResult } from '../../finance/remote/client/send-request';
import type { AccessTokens, FetchedAnswer, FetchRequest, GrantedAccess } from '../../sources/source';

/** What came of asking a provider's API once. */
export type AnswerOutcome =
  | { readonly state: 'answered'; readonly answer: FetchedAnswer }
  /** It is asked again later. */
  | {
      readonly state: 'later';
      readonly reason: string;
      readonly delayMs: number;
      /** Nothing else of the source is asked meanwhile either. */
      readonly forAll: boolean;
      /** Whether the try counts: not where the API only said when to come back. */
      readonly failed: boolean;
      readonly unauthorized?: true;
    }
  /** A person has to do something about it. */
  | {
      readonly state: 'refused';
      readonly reason: string;
      /** Set where the API answered 401: another access token may help at once. */
      readonly unauthorized?: true;
    };

/** Every outcome but an answer. */
export type AskedAgain = Exclude<AnswerOutcome, { state: 'answered' }>;

/** What came of asking for an access token once. */
export type GrantOutcome = { readonly state: 'answered'; readonly granted: GrantedAccess } | AskedAgain;

/** Statuses that mean "not there", and those that are an answer where a request names none. */
const GONE: readonly number[] = [404, 410];
/** Tries until "not there" is believed: what was just made may take a moment to be found. */
export const TRIES_UNTIL_GONE = 5;
/** Tries until a refusal is a person's: credentials that were just changed may take a moment. */
const TRIES_UNTIL_REFUSED = 6;
/** Tries until an API that is down, or does not answer, is a person's: more than a day. */
const TRIES_UNTIL_GIVEN_UP = 60;
const FIRST_MS = 5_000;
const LONGEST_MS = 30 * 60_000;
/** Where an API says that it is asked too often and not for how long. */
const TOO_OFTEN_MS = 10_000;
/** The same where only its body says so: such APIs block whoever goes on. */
const BLOCKED_MS = 60_000;
/** Statuses by which an API says that it does not take the credentials. */
const CREDENTIALS: readonly number[] = [401, 403];
/** Statuses by which it says that they grant nothing. */
const REFUSED_GRANTS: readonly number[] = [400, 401, 403];

/**
 * What to make of an answer, or of none.
 * @param tries how often it was asked in vain before this time
 * @param random of [0, 1), so that not all are tried again at once
 * @param isTooOften as of the provider
 */
export function outcomeOfAsking(
  sent: SendResult,
  { name, answers = GONE }: Pick<FetchRequest, 'name' | 'answers'>,
  { tries, now, random }: { tries: number; now: Date; random: number },
  isTooOften: (answer: FetchedAnswer) => boolean = () => false,
): AnswerOutcome {
  const again = (why: string, most: number): AskedAgain =>
    againUnless(`fetching "${name}": ${why}`, most, { tries, random });
  if (sent.stage !== 'answered') return again(silence(sent.cause), TRIES_UNTIL_GIVEN_UP);
  const { status, headers, body } = sent;
  const asked = retryAfterMs(headers['retry-after'], now);
  if (status === 429 || (status === 503 && asked !== undefined))
    return tooOften(name, status, Math.max(1_000, asked ?? TOO_OFTEN_MS));
  if (body && isTooOften({ name, status, body })) return tooOften(name, status, asked ?? BLOCKED_MS);
  if (CREDENTIALS.includes(status) && !answers.includes(status)) {
    const refused = again(`its API does not take the source's credentials (${status})`, TRIES_UNTIL_REFUSED);
    return status === 401 ? { ...refused, unauthorized: true } : refused;
  }
  const isFine = status >= 200 && status < 300;
  if (isFine || answers.includes(status)) {
    if (body === undefined) return again('the answer broke off or is too large', TRIES_UNTIL_REFUSED);
    if (GONE.includes(status) && tries + 1 < TRIES_UNTIL_GONE)
      return again(`it is not there (${status})`, TRIES_UNTIL_GONE + 1);
    return { state: 'answered', answer: { name, status, body } };
  }
  const most = status >= 500 || status === 408 ? TRIES_UNTIL_GIVEN_UP : TRIES_UNTIL_REFUSED;
  return again(`its API answered with status ${status}`, most);
}

function tooOften(name: string, status: number, delayMs: number): AskedAgain {
  const reason = `fetching "${name}": its API says that it is asked too often (${status}); trying again`;
  return { state: 'later', reason, delayMs, forAll: true, failed: false };
}

/**
 * What to make of an answer about an access token, or of none. The answer is no reason: it may hold secrets.
 * @param read what the provider makes of it
 */
export function outcomeOfGrant(
  sent: SendResult,
  read: AccessTokens['read'],
  soFar: { tries: number; now: Date; random: number },
): GrantOutcome {
  // By RFC 6749, 5.2, 400 says that the refresh token is none any more, or the application is unknown.
  if (sent.stage === 'answered' && REFUSED_GRANTS.includes(sent.status))
    return againUnless(
      `its API grants no access for the source's credentials (${sent.status})`,
      TRIES_UNTIL_REFUSED,
      soFar,
    );
  const outcome = outcomeOfAsking(sent, { name: 'access token', answers: [] }, soFar);
  if (outcome.state !== 'answered') return outcome;
  const granted = read(outcome.answer.body);
  return granted
    ? { state: 'answered', granted }
    : againUnless('its API answers the request for access with no token', TRIES_UNTIL_REFUSED, soFar);
}

/** What is done where the answers came and nobody can read them. @param why of the provider; nothing personal */
export function unreadAnswer(why: string, soFar: { tries: number; random: number }): AskedAgain {
  return againUnless(`what was fetched cannot be read: ${why}`, TRIES_UNTIL_REFUSED, soFar);
}

/** @param most tries, until it is a person's */
function againUnless(
  why: string,
  most: number,
  { tries, random }: { tries: number; random: number },
): AskedAgain {
  if (tries + 1 >= most) return { state: 'refused', reason: `${why}, ${tries + 1} times` };
  const reason = `${why}; trying again`;
  return { state: 'later', reason, delayMs: delayMs(tries, random), forAll: false, failed: true };
}

/** It was not asked, or not to the end, and nobody is to blame. */
export function later(delayMs: number, reason: string): Extract<AnswerOutcome, { state: 'later' }> {
  return { state: 'later', reason, delayMs, forAll: false, failed: false };
}

/** Whether the API seems to be down, by what came of asking it. @param answers statuses that are an answer all the same */
export function isDown(sent: SendResult, answers: readonly number[] = []): boolean {
  return sent.stage !== 'answered' || (sent.status >= 500 && !answers.includes(sent.status));
}

/** Twice as long each time, give or take a quarter. @param tries in vain before this time */
function delayMs(tries: number, random: number): number {
  return Math.round(Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 20)) * (0.75 + random / 2));
}

/** For a person; nothing of what the API said. */
function silence(cause: string): string {
  if (cause === 'PONTE_ADDRESS')
    return 'its address leads into a network that is not allowed: see PROVIDER_ALLOWED_NETWORKS';
  return `no answer came (${cause})`;
}
