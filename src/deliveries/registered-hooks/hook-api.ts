import { Injectable } from '@nestjs/common';
import { HEADERS_TIMEOUT, type SendResult, TOTAL_TIMEOUT } from '../../finance/remote/client/send-request';
import type { ChangeRequest, HookRegistration, RegisteredHook } from '../../sources/hook-registration';
import { UnreadablePayload } from '../../sources/payload';
import type { FetchAccess, FetchedAnswer, FetchRequest } from '../../sources/source';
import { ProviderApi } from '../fetch-back/provider-api';
import { ProviderRequests } from '../fetch-back/provider-requests';
import type { LiveSource } from '../source-directory';

/** Why a provider's webhooks could not be listed; nothing of what its API said. */
export interface ListTrouble {
  /** A sentence's second half, after whose API it is. */
  readonly reason: string;
  /** A person has to do something about it; false: it may pass by itself. */
  readonly needsPerson: boolean;
}

export type Listing = { readonly hooks: readonly RegisteredHook[] } | { readonly trouble: ListTrouble };

/** What came of a request that changes something. */
export type ChangeOutcome =
  | { readonly state: 'done'; readonly answer: Buffer }
  /** It had no effect. */
  | { readonly state: 'refused'; readonly reason: string; readonly endsAll: boolean }
  /** It may have had its effect, or may still come to have it where `isSlow`. */
  | { readonly state: 'unknown'; readonly reason: string; readonly isSlow: boolean };

const BUSY = 'is left alone for a moment, because it did not answer before; try again in a minute';
const BLOCKED = 'has an address in a network that is not allowed: see PROVIDER_ALLOWED_NETWORKS';
const CREDENTIALS: readonly number[] = [401, 403];
const TOO_OFTEN = 429;

/** A provider's API for its webhooks: each request is sent once, and what comes back becomes a sentence of ours. */
@Injectable()
export class HookApi {
  private readonly apis = new Map<string, ProviderApi>();

  constructor(private readonly requests: ProviderRequests) {}

  /** Every webhook that the provider lists. */
  async list(source: LiveSource, registration: HookRegistration): Promise<Listing> {
    const answers: FetchedAnswer[] = [];
    const access = accessOf(source);
    try {
      for (;;) {
        const request = registration.list(access, answers);
        if (!request) return { hooks: registration.read(answers) };
        const sent = await this.requests.sendOnce(source, request, this.apiOf(source));
        const answer = answerOf(sent, request);
        if ('reason' in answer) return { trouble: answer };
        answers.push(answer);
      }
    } catch (error) {
      if (!(error instanceof UnreadablePayload)) throw error;
      return { trouble: { reason: `gave a list that cannot be read: ${error.message}`, needsPerson: true } };
    }
  }

  async change(source: LiveSource, request: ChangeRequest): Promise<ChangeOutcome> {
    const sent = await this.requests.sendOnce(source, request, this.apiOf(source));
    if (!sent) return { state: 'refused', reason: BUSY, endsAll: true };
    if (sent.stage === 'unsent') return { state: 'refused', reason: silence(sent.cause), endsAll: true };
    if (sent.stage === 'unanswered')
      return { state: 'unknown', reason: silence(sent.cause), isSlow: isTimeout(sent.cause) };
    const { status, body } = sent;
    if (status >= 500 || status === 408)
      return { state: 'unknown', reason: `answered with status ${status}`, isSlow: status === 408 };
    if (status < 200 || status > 299)
      return { state: 'refused', reason: refusal(status), endsAll: endsAll(status) };
    if (!body) return { state: 'unknown', reason: 'broke its answer off', isSlow: false };
    return { state: 'done', answer: body };
  }

  private apiOf({ id }: LiveSource): ProviderApi {
    const known = this.apis.get(id);
    if (known) return known;
    const api = new ProviderApi();
    this.apis.set(id, api);
    return api;
  }
}

/** What a provider's requests about webhooks are made with. */
export function accessOf({ settings, credentials }: LiveSource): FetchAccess {
  return { settings, credentials: credentials ?? {} };
}

function answerOf(
  sent: SendResult | undefined,
  { name, answers = [] }: FetchRequest,
): FetchedAnswer | ListTrouble {
  if (!sent) return { reason: BUSY, needsPerson: false };
  if (sent.stage !== 'answered')
    return { reason: silence(sent.cause), needsPerson: sent.cause === 'PONTE_ADDRESS' };
  const { status, body } = sent;
  const isAnswer = (status >= 200 && status < 300) || answers.includes(status);
  if (!isAnswer) return { reason: refusal(status), needsPerson: status < 500 && !mayPass(status) };
  if (!body) return { reason: 'broke its answer off, or it is too large', needsPerson: false };
  return { name, status, body };
}

function refusal(status: number): string {
  if (CREDENTIALS.includes(status))
    return `does not take the source's credentials, or they may not do this (${status})`;
  if (status === TOO_OFTEN) return `says that it is asked too often (${status}); try again in a minute`;
  return `answered with status ${status}`;
}

/** Whether whatever comes next is refused as well. */
function endsAll(status: number): boolean {
  return CREDENTIALS.includes(status) || status === TOO_OFTEN;
}

function mayPass(status: number): boolean {
  return status === TOO_OFTEN || status === 408;
}

function silence(cause: string): string {
  return cause === 'PONTE_ADDRESS' ? BLOCKED : `gave no answer (${cause})`;
}

function isTimeout(cause: string): boolean {
  return cause === HEADERS_TIMEOUT || cause === TOTAL_TIMEOUT;
}
