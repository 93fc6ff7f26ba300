import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Settings, SHORTEST_SECRET } from '../config/settings';
import { Problem } from '../kernel/problem';
import { ApiKeys, hasFormOfKey, type VerifiedKey } from '../organizations/api-keys';
import { hasFormOfSession, OperatorSessions } from '../organizations/operator-sessions';
import { BoundedMap } from '../kernel/bounded-map';
import { credentialOf, keyMissing } from './credential';
import { keyNeedOf } from './key-need';
import { remoteNetworkOf } from './remote-network';
import { requireOwnPage, sessionTokenOf } from './session-cookie';
import { TokenBuckets } from './token-buckets';

/** So many wrong keys a minute are looked up for each remote network; those beyond are answered 429. */
const WRONG_KEYS_A_MINUTE = 30;
/** How many wrong keys a network can owe that sent them all at once: two minutes' worth. */
const DEBT = 60;
/** So many texts a minute that could be keys are looked up all the same for a network that owes. */
const LOOKUPS_A_MINUTE = 600;
/** How many pairs of a network and a key are remembered. */
const MOST_PAIRS = 10_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** The check of its key, begun before the body is read; null: not begun. */
    keyCheck: Promise<VerifiedKey> | null;
  }
}

/**
 * Checks the key of a request before its body is read, and each key once. Wrong keys are counted for each remote
 * network. When it has sent too many, what cannot be a key is not looked up any more, and of what could be one no more
 * than so many a minute: people behind one address do not lock each other out. Keys that were right from there go on.
 */
@Injectable()
export class KeyCheck implements OnModuleInit {
  private readonly wrong = new TokenBuckets(WRONG_KEYS_A_MINUTE, DEBT);
  private readonly lookups = new TokenBuckets(LOOKUPS_A_MINUTE);
  /** Whether a key was right when this network last sent it. The same wrong key again is no guess. */
  private readonly known = new BoundedMap<string, boolean>(MOST_PAIRS);

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly keys: ApiKeys,
    private readonly sessions: OperatorSessions,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', (request, _reply, done) => {
      const need = keyNeedOf(request);
      if (need === undefined) return done();
      this.before(request, need).then(() => done(), done);
    });
  }

  /**
   * @throws Problem `key-missing`, `key-invalid`, `malformed-request` (two different keys), `too-many-requests`
   */
  keyOf(request: FastifyRequest): Promise<VerifiedKey> {
    return (request.keyCheck ??= this.verify(request));
  }

  /** Whether what the request came with is still right: the key that it has now. @throws whatever the database throws */
  async stillOf(request: FastifyRequest): Promise<VerifiedKey | undefined> {
    return this.find(presentedBy(request));
  }

  private async find({ text, isSession }: Presented): Promise<VerifiedKey | undefined> {
    return isSession ? (await this.sessions.verify(text))?.key : this.keys.verify(text);
  }

  private async before(request: FastifyRequest, need: 'organization' | 'operators'): Promise<void> {
    const nameMaySuffice = need === 'organization' && this.settings.financeAuth === 'organization';
    if (nameMaySuffice && credentialOf(request) === undefined) return;
    await this.keyOf(request);
  }

  private async verify(request: FastifyRequest): Promise<VerifiedKey> {
    const presented = presentedBy(request);
    const { text, isSession } = presented;
    const network = remoteNetworkOf(request);
    const pair = `${network} ${createHash('sha256').update(text).digest('base64')}`;
    const seconds = this.known.has(pair) ? 0 : this.wait(network, text, performance.now());
    if (seconds > 0)
      throw new Problem('too-many-requests', 'Too many wrong keys were sent from this address', {
        retryAfterSeconds: seconds,
      });
    const key = await this.find(presented);
    if (key) {
      this.known.set(pair, true);
      if (isSession) requireOwnPage(request, text);
      return key;
    }
    if (this.known.get(pair) !== false) this.wrong.charge(network, performance.now());
    this.known.set(pair, false);
    throw new Problem(
      'key-invalid',
      isSession ? 'The session has ended: sign in again' : 'There is no such API key, or it was revoked',
    );
  }

  /** @returns seconds until the text may be looked up; 0: now */
  private wait(network: string, text: string, now: number): number {
    const seconds = this.wrong.wait(network, now);
    return seconds > 0 && (hasFormOfSession(text) || this.couldBeKey(text))
      ? this.lookups.take(network, now)
      : seconds;
  }

  private couldBeKey(text: string): boolean {
    return hasFormOfKey(text) || (this.settings.adminApiKey !== undefined && text.length >= SHORTEST_SECRET);
  }
}

/** What a request is let in by. */
interface Presented {
  readonly text: string;
  readonly isSession: boolean;
}

/** A key; without one, on the operators' routes, the session of somebody who is signed in. @throws Problem key-missing */
function presentedBy(request: FastifyRequest): Presented {
  const key = credentialOf(request);
  if (key !== undefined) return { text: key, isSession: false };
  const session = keyNeedOf(request) === 'operators' ? sessionTokenOf(request) : undefined;
  if (session !== undefined) return { text: session, isSession: true };
  throw keyMissing();
}
