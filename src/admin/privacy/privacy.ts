import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { secretsKeysOf } from '../../config/secrets-key';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import { EventsOfDeliveries } from '../../deliveries/stored-events';
import type { PersonNamed } from '../../events/privacy';
import { type Actor, actorOf } from '../../http/caller';
import { Clock } from '../../kernel/clock';
import { isUuid } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { Problem, unacceptable } from '../../kernel/problem';
import { TextEraser } from '../../privacy/erase-texts';
import { ambiguity, isAmbiguous } from '../../privacy/erasure-steps';
import { documentNumber, emailAddress } from '../../privacy/identifiers';
import { isUnknown, type Person } from '../../privacy/person';
import { PersonFinder } from '../../privacy/person-finder';
import { PersonWrites } from '../../privacy/person-writes.repository';
import { ErasureRequests } from '../../privacy/requests/erasures.repository';
import { digestOfPerson } from '../../privacy/requests/person-digest';
import type { PrivacyEraseBody, PrivacyEraseView, PrivacyExportBody } from './privacy.dto';

/** Who is meant, as a request says it. */
type PersonAsked = Pick<PrivacyExportBody, 'document' | 'email' | 'customer' | 'delivery'>;

/** Persons searched at once, over all organizations: each goes through whole tables. */
const MOST_AT_ONCE = 2;

/** Finds whom an operator means, and begins erasures. */
@Injectable()
export class Privacy {
  private underWay = 0;

  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly finder: PersonFinder,
    private readonly writes: PersonWrites,
    private readonly requests: ErasureRequests,
    private readonly events: EventsOfDeliveries,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws Problem not-found; conflict where several people are meant, or with the plan as it is now; validation-failed; saturated
   */
  async erase(
    actor: Actor,
    { dryRun = true, plan, discardDead = false, reason, ...asked }: PrivacyEraseBody,
    signal: AbortSignal,
  ): Promise<PrivacyEraseView> {
    if (!dryRun && plan === undefined)
      throw unacceptable('/plan', 'required', 'is needed to erase: ask for the plan first');
    const { organization } = actor;
    const { named, person } = await this.find(organization, asked, signal);
    if (isAmbiguous(person))
      throw new Problem('conflict', `${capital(ambiguity(person))}: ask for each by their document`);
    const digest = this.planOf(organization, named, person);
    const view = await this.planned(person, digest);
    if (dryRun) return { ...view, dryRun };
    if (plan !== digest)
      throw new Problem(
        'conflict',
        'Whose data would be erased has changed since the plan was made; ask for the plan again',
        {
          members: { plan: digest },
        },
      );
    const requestedBy = actorOf(actor);
    const erasure = await this.database.transaction((tx) =>
      this.requests.add(
        tx,
        {
          ...{ organizationId: organization.id, person: named, requestedBy, discardDead },
          reason: withoutPerson(reason, person),
        },
        this.clock.now(),
      ),
    );
    return { ...view, dryRun, erasure: erasure ?? null };
  }

  /**
   * Everything that is stored of whom a request means.
   * @throws Problem not-found, whether there never was such a person or they were erased; saturated; validation-failed
   */
  async find(
    organization: Organization,
    asked: PersonAsked,
    signal: AbortSignal,
  ): Promise<{ named: PersonNamed; person: Person }> {
    const named = await this.named(organization, asked);
    if (this.underWay >= MOST_AT_ONCE)
      throw new Problem('saturated', 'Other people are being searched for just now', {
        retryAfterSeconds: 10,
      });
    this.underWay += 1;
    try {
      const person = await this.finder.find(organization, named, () => {
        if (signal.aborted) throw new Problem('shutting-down', 'The search was given up');
        return Promise.resolve();
      });
      if (isUnknown(person)) throw unknownPerson();
      return { named, person };
    } finally {
      this.underWay -= 1;
    }
  }

  /** Names the person for the audit log, hexadecimal. */
  digestOf({ id }: Organization, named: PersonNamed): string {
    return digestOfPerson(id, named, secretsKeysOf(this.settings)).toString('hex');
  }

  private async named(organization: Organization, asked: PersonAsked): Promise<PersonNamed> {
    const { document, email, customer, delivery } = asked;
    if ([document, email, customer, delivery].filter((one) => one !== undefined).length !== 1)
      throw unacceptable(
        '/document',
        'one-of',
        'exactly one of document, email, customer and delivery is needed',
      );
    if (document !== undefined && documentNumber(document) === undefined)
      throw unacceptable('/document', 'invalid', 'is too short or too long to be a document');
    if (email !== undefined && emailAddress(email) === undefined)
      throw unacceptable('/email', 'invalid', 'is not an e-mail address');
    if (document !== undefined) return { document };
    if (email !== undefined) return { email };
    if (customer !== undefined) return { records: [customer] };
    if (delivery === undefined || !isUuid(delivery))
      throw new Problem('not-found', 'There is no such delivery');
    const { normalized } = await this.events.read(organization, delivery);
    const person = normalized.privacy?.event.person;
    if (!person || Object.keys(person).length === 0)
      throw unacceptable('/delivery', 'unknown', 'is no webhook that asks for the data of a person');
    return person;
  }

  private planOf(organization: Organization, named: PersonNamed, { stakeholders }: Person): string {
    const text = JSON.stringify([this.digestOf(organization, named), [...stakeholders].sort()]);
    return createHash('sha256').update(text).digest('hex').slice(0, 32);
  }

  private async planned(person: Person, plan: string): Promise<Omit<PrivacyEraseView, 'dryRun'>> {
    const { waiting, dead, approvals, calls } = await this.database.transaction((tx) =>
      this.writes.unsettled(tx, person),
    );
    const { stakeholders, records, deliveries } = person;
    return {
      ...{ plan, customers: stakeholders, waiting, dead, approvals, unknownCalls: calls, erasure: null },
      records: records.length - stakeholders.length,
      deliveries: deliveries.length,
      eraseElsewhere: this.settings.financeBackend === 'remote' ? stakeholders : [],
    };
  }
}

/** A reason as it is stored: who it is about is what is to be forgotten. */
export function withoutPerson(reason: string, { known }: Person): string {
  return new TextEraser(known).text(reason, true);
}

/** The same whoever is asked for. */
function unknownPerson(): Problem {
  return new Problem('not-found', 'Nothing is stored about such a person');
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
