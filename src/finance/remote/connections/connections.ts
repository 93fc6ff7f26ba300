import { Injectable, Logger } from '@nestjs/common';
import { SealError } from '../../../config/sealing';
import { Settings } from '../../../config/settings';
import { Clock } from '../../../kernel/clock';
import { Problem } from '../../../kernel/problem';
import type { FinanceConnection } from '../client/connection';
import { connectionOf } from './connection-settings';
import { ConnectionsRepository } from './connections.repository';

/** Milliseconds after which a changed connection is noticed by every replica. */
const FRESH_MS = 5_000;

/** Until a replica with the current key may have been asked. */
const RETRY_SECONDS = 30;

/** Why a key cannot be used, for whoever reads the log. */
const FLAWS = {
  sealed:
    'the API key of a finance service cannot be decrypted, because SECRETS_KEY was changed; restart this replica with the current key',
  moved:
    'the API key of a finance service was given for another address and is not sent; PUT /finance with apiKey',
};
type Flaw = keyof typeof FLAWS;

const RECOVERED =
  "Ponte's database was put back, and Ponte searches the finance service for each call before it sends it; " +
  'when nothing of the time that was lost is to come any more, end this with `ponte finance end-recovery`';

interface Kept {
  /** Undefined: there is none that may be used. */
  connection: FinanceConnection | undefined;
  /** Whether the stored key is for another address. */
  moved: boolean;
  until: number;
}

/** How each organization's finance service is reached. */
@Injectable()
export class FinanceConnections {
  private readonly logger = new Logger(FinanceConnections.name);
  private readonly kept = new Map<string, Kept>();
  /** How often something was forgotten. */
  private forgotten = 0;
  /** By organization, what the log says of its key; once, until it is otherwise. */
  private readonly logged = new Map<string, Flaw>();
  /** By organization, the recovery of which the log speaks; once. */
  private readonly recoveries = new Map<string, number>();

  constructor(
    private readonly repository: ConnectionsRepository,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws Problem `finance-not-connected`; `finance-unreachable` when only replicas with another key can open its key */
  async of(organization: { readonly id: string }): Promise<FinanceConnection> {
    const { id } = organization;
    const now = this.clock.now().getTime();
    const kept = this.kept.get(id);
    if (kept && kept.until > now) return connected(kept);
    const { forgotten } = this;
    const found = await this.repository.read(id).catch(sealed);
    if (found === 'sealed') return this.keepOn(id, kept, now);
    const moved = found !== undefined && 'movedFrom' in found;
    if (moved) this.log(id, 'moved');
    else this.logged.delete(id);
    const connection =
      found && 'stored' in found
        ? {
            ...connectionOf(id, found.stored, found.apiKey, this.settings.financeBaseUrl),
            ...(found.recoveredAt && { recoveredAt: found.recoveredAt }),
          }
        : undefined;
    if (connection?.recoveredAt) this.logRecovery(id, connection.recoveredAt);
    // Work asks for every organization again and again: also that there is none is kept.
    const anew = { connection, moved, until: now + FRESH_MS };
    // What was stored while it was read may be newer.
    if (forgotten === this.forgotten) this.kept.set(id, anew);
    return connected(anew);
  }

  /**
   * Another replica has sealed the key anew while this one still runs with the key before: it goes on with what it
   * has, and where it has nothing the work waits for a replica that can.
   */
  private keepOn(id: string, kept: Kept | undefined, now: number): FinanceConnection {
    this.log(id, 'sealed');
    if (!kept?.connection)
      throw new Problem('finance-unreachable', 'this replica cannot open the key of the finance service', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    this.kept.set(id, { ...kept, until: now + FRESH_MS });
    return kept.connection;
  }

  private log(organization: string, flaw: Flaw): void {
    if (this.logged.get(organization) === flaw) return;
    this.logged.set(organization, flaw);
    this.logger.error({ msg: `finance connections: ${FLAWS[flaw]}`, organization });
  }

  private logRecovery(organization: string, recoveredAt: Date): void {
    if (this.recoveries.get(organization) === recoveredAt.getTime()) return;
    this.recoveries.set(organization, recoveredAt.getTime());
    this.logger.warn({ msg: `finance connections: ${RECOVERED}`, organization, recoveredAt });
  }

  /** What was stored just now counts from here on, on this replica. */
  forget(organizationId: string): void {
    this.kept.delete(organizationId);
    this.forgotten += 1;
  }
}

function connected({ connection, moved }: Kept): FinanceConnection {
  if (connection) return connection;
  if (moved)
    throw new Problem(
      'finance-not-connected',
      'the address of the finance service has changed: an operator has to give its apiKey again',
    );
  throw new Problem('finance-not-connected', 'an operator has to connect the finance service first');
}

function sealed(error: unknown): 'sealed' {
  if (error instanceof SealError) return 'sealed';
  throw error;
}
