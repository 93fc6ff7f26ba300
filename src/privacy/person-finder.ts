import { Injectable } from '@nestjs/common';
import { decodeAnswers } from '../deliveries/fetch-back/fetched-answers';
import { EventsOfDeliveries } from '../deliveries/stored-events';
import type { CanonicalEvent, CustomerFacts } from '../events/event';
import type { PersonNamed } from '../events/privacy';
import { documentDigest } from '../kernel/document-key';
import { isObject } from '../kernel/json-object';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import { DocumentKeys } from '../organizations/document-keys.repository';
import { TextEraser } from './erase-texts';
import {
  addTo,
  certainPattern,
  emailAddress,
  type Identifiers,
  learn,
  noIdentifiers,
  type PersonFacts,
} from './identifiers';
import { ERASED_KEY, type Person, personAsked } from './person';
import { PersonReads, type StakeholderRow } from './person-reads.repository';

/** How often the bodies are gone through: the second time for what the first has taught. */
const PASSES = 2;
/** Deliveries of one person whose bodies are read. */
const MOST_READ = 2_000;

/**
 * Finds a person: their records by document and e-mail, what was booked for them, the deliveries that it came from, and every
 * delivery whose body names them. It changes nothing, and can be asked again at any time.
 */
@Injectable()
export class PersonFinder {
  constructor(
    private readonly reads: PersonReads,
    private readonly events: EventsOfDeliveries,
    private readonly documentKeys: DocumentKeys,
  ) {}

  /** @param goOn called every now and then; what it throws ends it */
  async find(organization: Organization, asked: PersonNamed, goOn: () => Promise<void>): Promise<Person> {
    const person = personAsked(asked);
    learn(person.known, asked);
    await this.findRecords(organization, person);
    await this.findDeliveries(organization, person, goOn);
    for (let pass = 1; pass <= PASSES; pass += 1) {
      const before = [certainPattern(person.known), person.stakeholders.length].join();
      await this.searchBodies(organization, person, goOn);
      await this.learnFromDeliveries(organization, person, goOn);
      await this.dropShared(organization, person);
      if ([certainPattern(person.known), person.stakeholders.length].join() === before) break;
      await this.findDeliveries(organization, person, goOn);
    }
    return person;
  }

  /** What is theirs now: of what was found before nothing is forgotten. */
  async findAgain(organization: Organization, person: Person, goOn: () => Promise<void>): Promise<void> {
    await this.findDeliveries(organization, person, goOn);
    await this.learnFromDeliveries(organization, person, goOn);
    await this.dropShared(organization, person);
  }

  private async findRecords({ id }: Organization, person: Person): Promise<void> {
    const { asked, known, stakeholders } = person;
    const { customerKeys = [], orderKeys = [], records = [] } = asked;
    const byKeys = [
      ...(await this.reads.customersOfEffects(
        id,
        await this.effectKeysOf(id, known.documents, customerKeys),
      )),
      ...(orderKeys.length === 0
        ? []
        : await this.reads.customersOfDeliveries(await this.reads.deliveriesAbout(id, orderKeys))),
    ];
    const named = { documents: known.documents, emails: known.emails, ids: [...records, ...byKeys] };
    const first = await this.reads.stakeholders(id, named);
    const documents = [...new Set(first.flatMap(({ document }) => document ?? []))];
    const all = new Map(first.map((row) => [row.id, row]));
    for (const row of await this.sameAs(id, first, documents)) all.set(row.id, row);
    for (const row of all.values()) {
      learn(known, factsOf(row));
      add(stakeholders, [row.id]);
    }
    // In remote mode the record is in the finance service, and Ponte has its identifier alone.
    add(stakeholders, [...byKeys, ...(await this.reads.knownElsewhere(id, records))]);
    Object.assign(person, {
      documentsOfRecords: new Set([...all.values()].flatMap(({ document }) => document ?? [])).size,
    });
    await this.dropShared({ id }, person);
    addTo(known.literals, await this.digestsOf(id, known.documents));
  }

  /** Other records of the same document, and those without one that have an e-mail address which nobody else has. */
  private async sameAs(
    id: string,
    rows: readonly StakeholderRow[],
    documents: readonly string[],
  ): Promise<StakeholderRow[]> {
    const emails = rows.flatMap(({ email }) => (email === null ? [] : (emailAddress(email) ?? [])));
    const more = await this.reads.stakeholders(id, { documents, emails, ids: [] });
    const others = new Set(
      more
        .filter(({ document }) => document !== null && !documents.includes(document))
        .map(({ email }) => email?.toLowerCase()),
    );
    return more.filter(({ document, email }) =>
      document === null ? !others.has(email?.toLowerCase()) : documents.includes(document),
    );
  }

  private async findDeliveries(
    { id }: Organization,
    person: Person,
    goOn: () => Promise<void>,
  ): Promise<void> {
    const { asked, stakeholders, records, deliveries, customerEffects, known } = person;
    add(records, [...stakeholders, ...(await this.reads.recordsOf(id, stakeholders))]);
    const effects = await this.reads.effectsOf(id, records, goOn);
    for (const { key, operation } of effects) {
      if (operation !== 'customer.ensure' || key.startsWith(ERASED_KEY)) continue;
      add(customerEffects, [key]);
      const digest = /^customer\/document\/(\w{32,})$/.exec(key)?.[1];
      if (digest !== undefined) addTo(known.literals, [digest]);
    }
    const caused = effects.flatMap(({ deliveryId }) => deliveryId ?? []);
    const keys = [...(asked.customerKeys ?? []), ...(asked.orderKeys ?? [])];
    add(deliveries, await this.reads.deliveriesAbout(id, keys, [...deliveries, ...caused]));
  }

  private async searchBodies({ id }: Organization, person: Person, goOn: () => Promise<void>): Promise<void> {
    const pattern = certainPattern(person.known);
    if (pattern === undefined) return;
    const eraser = new TextEraser(person.known);
    const isIn = (fetched: Uint8Array): boolean =>
      decodeAnswers(fetched).some(({ body }) => eraser.names(body.toString('utf8')));
    const naming = await this.reads.deliveriesNaming(id, pattern, isIn, goOn);
    add(person.deliveries, await this.reads.deliveriesAbout(id, [], naming));
  }

  /** Other spellings of the name, other telephone numbers: as the shops have them. */
  private async learnFromDeliveries(
    organization: Organization,
    { asked, known, deliveries, stakeholders }: Person,
    goOn: () => Promise<void>,
  ): Promise<void> {
    for (const { input, id } of await this.reads.plannedCustomers(organization.id, deliveries)) {
      if (!isObject(input) || !isSame(input, known)) continue;
      learn(known, textsOf(input));
      // As earlier versions stored plans.
      if (id !== null) add(stakeholders, [id]);
    }
    const accounts = new Set<string>();
    for (const [index, id] of deliveries.slice(0, MOST_READ).entries()) {
      for (const customer of await this.customersIn(organization, id)) {
        if (!isSame(customer, known) && !(asked.customerKeys ?? []).includes(customer.key)) continue;
        learn(known, customer);
        accounts.add(customer.key);
      }
      if (index % 50 === 49) await goOn();
    }
    // Of a customer in a remote finance service there is no record here, and plans that are settled do not name them.
    const keys = await this.effectKeysOf(organization.id, known.documents, [...accounts]);
    add(stakeholders, await this.reads.customersOfEffects(organization.id, keys));
    addTo(known.literals, await this.digestsOf(organization.id, known.documents));
  }

  private async customersIn(organization: Organization, deliveryId: string): Promise<CustomerFacts[]> {
    try {
      const { normalized } = await this.events.read(organization, deliveryId);
      return normalized.work.flatMap(({ event }) => customerOf(event) ?? []);
    } catch (error) {
      if (error instanceof Problem) return [];
      throw error;
    }
  }

  /** Business keys under which somebody is a customer: by document, or by account at a shop where they have none. */
  private async effectKeysOf(
    organizationId: string,
    documents: readonly string[],
    accounts: readonly string[],
  ): Promise<string[]> {
    const digests = await this.digestsOf(organizationId, documents);
    return [
      ...digests.map((digest) => `customer/document/${digest}`),
      ...accounts.map((key) => `customer/key/${key}`),
    ];
  }

  /** What stands for documents in business keys; see the action `customer.ensure`. */
  private async digestsOf(organizationId: string, documents: readonly string[]): Promise<string[]> {
    const key = await this.documentKeys.of(organizationId);
    return documents.map((number) => documentDigest(organizationId, number, key));
  }

  /** What others have as well tells nobody apart. */
  private async dropShared({ id }: Pick<Organization, 'id'>, { known, stakeholders }: Person): Promise<void> {
    const shared = await this.reads.shared(id, stakeholders, known);
    const [emails, phones] = [new Set(shared.emails), new Set(shared.phones)];
    addTo(known.lines, [...emails]);
    known.emails = known.emails.filter((email) => !emails.has(email));
    known.phones = known.phones.filter((phone) => !phones.has(phone));
  }
}

/** Without the limit of {@link addTo}. */
function add(all: string[], more: readonly string[]): void {
  const known = new Set(all);
  for (const one of more) {
    if (known.has(one)) continue;
    known.add(one);
    all.push(one);
  }
}

function factsOf({ name, email, phone, document, details }: StakeholderRow): PersonFacts {
  const address = isObject(details) && isObject(details['address']) ? details['address'] : undefined;
  return {
    name,
    ...(email !== null && { email }),
    ...(phone !== null && { phone }),
    ...(document !== null && { document }),
    ...(address && { address }),
  };
}

/** Of what a plan has, the texts: it was written by another version, perhaps. */
function textsOf(input: Record<string, unknown>): PersonFacts {
  const texts = Object.entries(input).filter(([, value]) => typeof value === 'string');
  return { ...Object.fromEntries(texts), ...(isObject(input['address']) && { address: input['address'] }) };
}

/** Whether somebody has the document or the e-mail address, or, without either, the telephone number. */
function isSame({ document, email, phone }: PersonFacts, known: Identifiers): boolean {
  const facts = noIdentifiers();
  learn(facts, textsOf({ document, email, phone }));
  const [number] = facts.documents;
  if (number !== undefined) return known.documents.includes(number);
  const [address] = facts.emails;
  if (address !== undefined) return known.emails.includes(address);
  return facts.phones.some((digits) => known.phones.includes(digits));
}

function customerOf(event: CanonicalEvent): CustomerFacts | undefined {
  if ('order' in event) return event.order.customer;
  return 'customer' in event ? event.customer : undefined;
}
