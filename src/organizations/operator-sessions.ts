import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../kernel/clock';
import { hmacSha256 } from '../kernel/hmac';
import { newId } from '../kernel/identifier';
import { hashOf } from './api-keys';
import { ApiKeysRepository, type SessionKey } from './api-keys.repository';

/** Milliseconds after which somebody signs in again: a working day. */
const LASTS_MS = 12 * 60 * 60_000;
const TOKEN = /^[\w-]{43}$/;

/** A session that was begun just now. */
export interface BegunSession {
  /** What the browser sends from now on; it is not stored and cannot be read again. */
  token: string;
  expiresAt: Date;
}

/**
 * Sessions of people who signed in with a key, so that their browser need not keep it. A session is worth what its key is worth,
 * until it expires, it is ended, or the key is revoked.
 */
@Injectable()
export class OperatorSessions {
  constructor(
    private readonly repository: ApiKeysRepository,
    private readonly clock: Clock,
  ) {}

  /** @param keyId of a live key */
  async begin(keyId: string): Promise<BegunSession> {
    const token = randomBytes(32).toString('base64url');
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + LASTS_MS);
    await this.repository.addSession({ id: newId(), tokenHash: hashOf(token), keyId, createdAt, expiresAt });
    return { token, expiresAt };
  }

  /** @returns the live key of the session, or undefined where there is none any more */
  async verify(token: string): Promise<SessionKey | undefined> {
    return hasFormOfSession(token)
      ? this.repository.findBySession(hashOf(token), this.clock.now())
      : undefined;
  }

  async end(token: string): Promise<void> {
    await this.repository.removeSession(hashOf(token));
  }
}

/** Whether a text is made as the sessions are. */
export function hasFormOfSession(text: string): boolean {
  return TOKEN.test(text);
}

/** What a page proves with that it is the console's own: a page of another site can send the session, and not read this. */
export function csrfTokenOf(sessionToken: string): string {
  return hmacSha256(sessionToken, 'console').toString('base64url');
}

/** In constant time. */
export function isCsrfTokenOf(sessionToken: string, given: string): boolean {
  const [expected, received] = [Buffer.from(csrfTokenOf(sessionToken)), Buffer.from(given)];
  return expected.length === received.length && timingSafeEqual(expected, received);
}
