import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { SealError } from '../../config/sealing';
import { type SecretsKeys, secretsKeysOf } from '../../config/secrets-key';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import { Clock } from '../../kernel/clock';
import type { AccessTokens as TokenApi, FetchAccess, GrantedAccess } from '../../sources/source';
import { missingCredentialNames } from '../missing-credentials';
import type { LiveSource } from '../source-directory';
import { type AskedAgain, later } from './answer-outcome';
import { grantedFor, openGrant, sealGrant, type StoredGrant } from './granted-access';
import type { ProviderApi } from './provider-api';
import { ProviderRequests } from './provider-requests';
import { SourceAccess } from './source-access.repository';

/** How long one replica may take to ask; a request takes 20 s at most. */
const LEASE_MS = 60_000;
/** A token is not used any more for so long before it runs out: a request may be under way by then. */
const SPARE_MS = 60_000;
/** How long a token lasts whose provider does not say. */
const USUAL_SECONDS = 3_600;
/** Milliseconds between two looks at what another replica was granted, and how often. */
const WAIT_MS = 250;
const MOST_WAITS = 80;
/** Milliseconds until it is tried again where another replica takes long, or has another key. */
const BUSY_MS = 5_000;
const UNREAD_MS = 30_000;
/** Milliseconds until what was granted is stored again where that failed, and how often: well within the lease. */
const STORE_AGAIN_MS = 500;
const MOST_FAILURES = 60;

/** What a source's API may be asked with, or why it may not be asked now. */
export type Access =
  { readonly state: 'granted'; readonly access: Omit<FetchAccess, 'settings'> } | AskedAgain;

type Step =
  | { readonly state: 'usable'; readonly accessToken: string }
  | { readonly state: 'mine'; readonly leaseId: string; readonly refreshToken: string | undefined }
  | { readonly state: 'busy' };

/**
 * Access tokens of providers' APIs. All replicas use the same one; when it runs out, one of them asks for the next and the
 * others wait, because many providers take each refresh token once.
 */
@Injectable()
export class AccessTokens {
  /** Tokens by source, so that the database is not asked for each request. */
  private readonly known = new Map<string, StoredGrant>();
  private readonly underWay = new Map<string, Promise<Access>>();

  constructor(
    private readonly database: Database,
    private readonly rows: SourceAccess,
    private readonly requests: ProviderRequests,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * What the source's API is asked with.
   * @param tries how often what needs it was tried in vain before
   * @param rejected a token that the API has just refused, so that another one is needed
   */
  async of(source: LiveSource, api: ProviderApi, tries: number, rejected?: string): Promise<Access> {
    const { credentials } = source;
    if (credentials === undefined)
      return later(
        UNREAD_MS,
        "this replica has another SECRETS_KEY than the source's credentials were stored with",
      );
    const missing = missingCredentialNames(source, credentials);
    if (missing.length > 0)
      return {
        state: 'refused',
        reason: `the source has no credentials (${missing.join(', ')}) to fetch it with: set them, and retry the delivery`,
      };
    const accessTokens = source.provider.api?.accessTokens;
    if (!accessTokens) return { state: 'granted', access: { credentials } };
    const grant = this.known.get(source.id);
    if (grant && this.isUsable(grant, source, accessTokens, rejected))
      return { state: 'granted', access: { credentials, accessToken: grant.accessToken } };
    // Whoever wants one while it is asked for takes what comes of that.
    const before = this.underWay.get(source.id);
    if (before) return before;
    const asked = this.ask(source, accessTokens, api, tries, rejected).finally(() =>
      this.underWay.delete(source.id),
    );
    this.underWay.set(source.id, asked);
    return asked;
  }

  private async ask(
    source: LiveSource,
    accessTokens: TokenApi,
    api: ProviderApi,
    tries: number,
    rejected: string | undefined,
  ): Promise<Access> {
    const credentials = source.credentials ?? {};
    for (let waits = 0; waits < MOST_WAITS; waits += 1) {
      const step = await this.step(source, accessTokens, rejected);
      if (step === undefined)
        return later(
          UNREAD_MS,
          "this replica has another SECRETS_KEY than the source's access token was stored with",
        );
      if (step.state === 'usable')
        return { state: 'granted', access: { credentials, accessToken: step.accessToken } };
      if (step.state === 'mine') return this.renew(source, accessTokens, api, tries, step);
      await sleep(WAIT_MS);
    }
    return later(BUSY_MS, 'another replica asks for an access token; trying again');
  }

  /** @returns undefined where what is stored cannot be opened here */
  private async step(
    source: LiveSource,
    accessTokens: TokenApi,
    rejected: string | undefined,
  ): Promise<Step | undefined> {
    return this.database.transaction(async (tx): Promise<Step | undefined> => {
      const { granted, leased } = await this.rows.lock(tx, source.id);
      const opened = granted && openedGrant(granted, source.id, secretsKeysOf(this.settings));
      if (opened === 'unreadable') return undefined;
      const grant = opened?.grantedFor === this.nameOf(source, accessTokens) ? opened : undefined;
      if (grant && this.isUsable(grant, source, accessTokens, rejected)) {
        this.known.set(source.id, grant);
        return { state: 'usable', accessToken: grant.accessToken };
      }
      if (leased) return { state: 'busy' };
      const leaseId = await this.rows.lease(tx, source.id, LEASE_MS);
      return { state: 'mine', leaseId, refreshToken: grant?.refreshToken };
    });
  }

  private async renew(
    source: LiveSource,
    accessTokens: TokenApi,
    api: ProviderApi,
    tries: number,
    { leaseId, refreshToken }: Extract<Step, { state: 'mine' }>,
  ): Promise<Access> {
    const { settings, credentials = {} } = source;
    const name = accessTokens.refreshToken;
    const newest =
      name !== undefined && refreshToken !== undefined
        ? { ...credentials, [name]: refreshToken }
        : credentials;
    const asked = await this.requests.askForAccess(
      source,
      {
        url: accessTokens.url(settings),
        ...accessTokens.grant({ settings, credentials: newest }),
        read: (answer) => accessTokens.read(answer),
      },
      api,
      tries,
    );
    if (asked.state !== 'answered') {
      await this.rows.end(source.id, leaseId);
      return asked;
    }
    const grant = this.storedOf(asked.granted, refreshToken, this.nameOf(source, accessTokens));
    const sealed = sealGrant(grant, source.id, secretsKeysOf(this.settings));
    if (!(await this.store(source.id, leaseId, sealed)))
      return later(BUSY_MS, 'another replica asks for an access token; trying again');
    this.known.set(source.id, grant);
    return { state: 'granted', access: { credentials, accessToken: grant.accessToken } };
  }

  /**
   * Stores what was granted, and tries again while the database cannot be reached: a refresh token that was used up is lost with the
   * one that replaces it, and a person would have to authorize the application anew.
   * @returns false where the lease was lost
   */
  private async store(sourceId: string, leaseId: string, sealed: Buffer): Promise<boolean> {
    for (let failures = 0; ; failures += 1)
      try {
        return await this.rows.end(sourceId, leaseId, sealed);
      } catch (error) {
        if (failures >= MOST_FAILURES) throw error;
        await sleep(STORE_AGAIN_MS);
      }
  }

  private storedOf(
    { accessToken, expiresInSeconds = USUAL_SECONDS, refreshToken }: GrantedAccess,
    before: string | undefined,
    granted: string,
  ): StoredGrant {
    const lastsMs = expiresInSeconds * 1_000;
    const next = refreshToken ?? before;
    return {
      accessToken,
      // Of a token that lasts shorter than two minutes, half of its time is used.
      usableUntil: this.clock.now().getTime() + Math.max(lastsMs - SPARE_MS, lastsMs / 2),
      ...(next !== undefined && { refreshToken: next }),
      grantedFor: granted,
    };
  }

  private isUsable(
    grant: StoredGrant,
    source: LiveSource,
    accessTokens: TokenApi,
    rejected: string | undefined,
  ): boolean {
    return (
      grant.accessToken !== rejected &&
      grant.usableUntil > this.clock.now().getTime() &&
      grant.grantedFor === this.nameOf(source, accessTokens)
    );
  }

  private nameOf({ credentials = {}, settings }: LiveSource, accessTokens: TokenApi): string {
    return grantedFor(credentials, accessTokens.url(settings));
  }
}

function openedGrant(sealed: Uint8Array, sourceId: string, keys: SecretsKeys): StoredGrant | 'unreadable' {
  try {
    return openGrant(sealed, sourceId, keys);
  } catch (error) {
    if (error instanceof SealError) return 'unreadable';
    throw error;
  }
}
