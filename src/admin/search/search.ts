import { Injectable } from '@nestjs/common';
import { bareOrderNumber } from '../../events/money-facts';
import { documentDigest } from '../../kernel/document-key';
import { isEmailAddress } from '../../kernel/email-address';
import { isUuid } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { TaxId } from '../../kernel/tax-id';
import { DocumentKeys } from '../../organizations/document-keys.repository';
import type { FoundView, SearchView } from './search.dto';
import {
  type FoundCustomer,
  type FoundDelivery,
  type FoundEntity,
  type FoundSchedule,
  SearchReads,
} from './search.repository';

/** Items of a reply. */
const MOST_ITEMS = 20;
/** An order within a longer key, such as that of its payment. */
const ORDER_KEY = /(?:^|\/)([a-z0-9-]+\/order\/[^/]+)/;
/** What may be the number or identifier of an order. */
const NUMBER = /^#?(?=.*\d)[\w.-]{1,60}$/;
const NOTHING = { rows: [], complete: true } as const;
/** Of a foreign document, what does not count. */
const PUNCTUATION = /[\s./-]/g;

/** What one way of searching found. */
interface Found {
  readonly items: readonly FoundView[];
  /** Absent: it is all that there is. */
  readonly complete?: boolean;
}

/** What all ways of searching know. */
interface Asked {
  readonly organization: Organization;
  readonly text: string;
  /** Slugs of sources by identifier. */
  readonly slugs: ReadonlyMap<string, string>;
}

/**
 * Finds orders, customers, deliveries and schedules by what a person has at hand. It looks up what is stored about them, and
 * reads no body; it changes nothing and leaves nothing in the log.
 */
@Injectable()
export class Search {
  constructor(
    private readonly reads: SearchReads,
    private readonly documentKeys: DocumentKeys,
  ) {}

  /** @param text trimmed, not empty */
  async find(organization: Organization, text: string): Promise<SearchView> {
    const asked = { organization, text, slugs: await this.reads.sourceSlugs(organization) };
    const ways = isUuid(text)
      ? [this.byIdentifier(asked)]
      : [this.byDocument(asked), this.byEmail(asked), this.byKey(asked), this.byNumber(asked)];
    const found = await Promise.all(ways);
    const items = distinct(found.flatMap((each) => each.items));
    const complete = items.length <= MOST_ITEMS && found.every((each) => each.complete !== false);
    return { items: items.slice(0, MOST_ITEMS), complete };
  }

  private async byIdentifier({ organization: { id }, text, slugs }: Asked): Promise<Found> {
    const record = text.toLowerCase();
    const delivery = await this.reads.delivery(id, record);
    if (delivery) return { items: [deliveryView(delivery, slugs)] };
    const schedule = await this.reads.scheduleOf(id, record);
    const key = schedule?.reference ?? (await this.reads.keyOfEntry(id, record));
    const orders = await this.orders({ id, slugs }, key === undefined ? [] : orderKeysIn(key));
    if (schedule) return { items: [scheduleView(schedule, slugs), ...orders] };
    const customers = await this.reads.customer(id, record);
    const customerId = await this.reads.remoteCustomerOf(id, record);
    return {
      items: [
        ...orders,
        ...(customerId === undefined ? [] : [remoteScheduleView(record, customerId)]),
        ...(await this.withSchedules({ id, slugs }, customers)),
      ],
    };
  }

  /** Whole keys, and identifiers of orders at any of the sources. */
  private async byKey({ organization: { id }, text, slugs }: Asked): Promise<Found> {
    const bare = bareOrderNumber(text);
    const keys = text.includes('/')
      ? [...new Set([text, ...orderKeysIn(text)])]
      : [...slugs.values()].map((slug) => `${slug}/order/${bare}`);
    const schedules = await this.reads.schedulesWith(id, keys);
    return {
      items: [
        ...(await this.orders({ id, slugs }, keys)),
        ...schedules.map((schedule) => scheduleView(schedule, slugs)),
      ],
    };
  }

  /**
   * Numbers that shops show where their identifiers are others. Of orders that an earlier version understood they stand in the
   * descriptions of receivables alone.
   */
  private async byNumber({ organization: { id }, text, slugs }: Asked): Promise<Found> {
    const number = bareOrderNumber(text);
    const numbered = await this.reads.numbered([...slugs.keys()], number);
    const { rows, complete } = NUMBER.test(text)
      ? await this.reads.schedulesDescribed(id, descriptionsOf(number, slugs))
      : NOTHING;
    const described = rows.flatMap(({ reference }) => (reference === null ? [] : orderKeysIn(reference)));
    const keys = [...new Set([...numbered, ...described])];
    const schedules = [...(await this.reads.schedulesWith(id, numbered)), ...rows];
    return {
      items: [
        ...(await this.orders({ id, slugs }, keys)),
        ...schedules.map((schedule) => scheduleView(schedule, slugs)),
      ],
      complete,
    };
  }

  private async byDocument({ organization: { id }, text, slugs }: Asked): Promise<Found> {
    const isTaxId = TaxId.isValid(text);
    const number = isTaxId ? TaxId.parse(text).number : text.replace(PUNCTUATION, '').toUpperCase();
    if (number === '' || !/\d/.test(number)) return { items: [] };
    const customers = await this.reads.customersWith(id, number);
    if (!isTaxId) return { items: await this.withSchedules({ id, slugs }, customers) };
    const digest = documentDigest(id, number, await this.documentKeys.of(id));
    const made = await this.reads.customerOfEffect(id, `customer/document/${digest}`);
    // Where a remote finance service keeps the books, its customers are not stored here.
    const remote =
      made && !customers.some((customer) => customer.id === made.id)
        ? [{ id: made.id, name: null, createdAt: null }]
        : [];
    const orders = await this.orders({ id, slugs }, orderKeysIn(made?.businessKey ?? ''));
    return { items: [...(await this.withSchedules({ id, slugs }, [...customers, ...remote])), ...orders] };
  }

  private async byEmail({ organization: { id }, text, slugs }: Asked): Promise<Found> {
    if (!isEmailAddress(text)) return { items: [] };
    const { rows, complete } = await this.reads.customersAt(id, text);
    return { items: await this.withSchedules({ id, slugs }, rows), complete };
  }

  /** The customers, then the orders and schedules of each. */
  private async withSchedules(of: Of, customers: readonly FoundCustomer[]): Promise<FoundView[]> {
    const items: FoundView[] = customers.map(customerView);
    for (const customer of customers.slice(0, MOST_ITEMS - items.length)) {
      const schedules = await this.reads.schedulesOf(of.id, customer.id);
      const keys = schedules.flatMap(({ reference }) => (reference === null ? [] : orderKeysIn(reference)));
      items.push(...(await this.orders(of, keys)));
      items.push(...schedules.map((schedule) => scheduleView(schedule, of.slugs)));
      if (items.length > MOST_ITEMS) break;
    }
    return items;
  }

  /** What deliveries say of these entities, those included that still wait to be understood. */
  private async orders({ id, slugs }: Of, keys: readonly string[]): Promise<FoundView[]> {
    if (keys.length === 0) return [];
    const idBySlug = new Map([...slugs].map(([sourceId, slug]) => [slug, sourceId]));
    const inLanes = keys.flatMap((key) => {
      const [slug = '', ...entity] = key.split('/');
      const sourceId = idBySlug.get(slug);
      return sourceId === undefined ? [] : [{ lane: `${sourceId}/${entity.join('/')}`, key }];
    });
    const understood = await this.reads.entities(id, keys);
    const waiting = await this.reads.waiting(
      id,
      inLanes.map(({ lane }) => lane),
      inLanes.map(({ key }) => key),
    );
    return [...understood, ...waiting].map((entity) => entityView(entity, slugs));
  }
}

/** An organization's identifier, and its sources. */
interface Of {
  readonly id: string;
  readonly slugs: ReadonlyMap<string, string>;
}

function orderKeysIn(key: string): string[] {
  const order = ORDER_KEY.exec(key)?.[1];
  return order === undefined ? [] : [order];
}

const EMPTY = { businessKey: null, delivery: null, customer: null, schedule: null, source: null, at: null };

function entityView(entity: FoundEntity, slugs: ReadonlyMap<string, string>): FoundView {
  const { key, id, sourceId, receivedAt, number } = entity;
  const [, what = '', ...rest] = key.split('/');
  const isOrder = what === 'order' && rest.length === 1;
  return {
    ...EMPTY,
    ...(isOrder
      ? { kind: 'order', title: `order ${number ?? rest.join('/')}` }
      : { kind: 'delivery', title: entity.topic }),
    ...{ businessKey: key, delivery: id, source: slugs.get(sourceId) ?? null, at: receivedAt },
  };
}

function deliveryView(
  { id, sourceId, topic, businessKey, receivedAt }: FoundDelivery,
  slugs: ReadonlyMap<string, string>,
): FoundView {
  const source = slugs.get(sourceId) ?? null;
  return {
    ...EMPTY,
    ...{ kind: 'delivery', title: topic, businessKey, delivery: id, source, at: receivedAt },
  };
}

function scheduleView(
  { id, customerId, description, reference, createdAt }: FoundSchedule,
  slugs: ReadonlyMap<string, string>,
): FoundView {
  const [slug = ''] = (reference ?? '').split('/', 1);
  const source = [...slugs.values()].includes(slug) ? slug : null;
  return {
    ...EMPTY,
    ...{ kind: 'schedule', title: description, businessKey: reference, source },
    ...{ schedule: id, customer: customerId, at: createdAt },
  };
}

function remoteScheduleView(id: string, customer: string): FoundView {
  return {
    ...EMPTY,
    ...{ kind: 'schedule', title: 'a schedule in the finance service', schedule: id, customer },
  };
}

function customerView({ id, name, createdAt }: FoundCustomer): FoundView {
  const title = name ?? 'a customer in the finance service';
  return { ...EMPTY, ...{ kind: 'customer', title, customer: id, at: createdAt } };
}

/** The same found twice is there once, where it was first. */
function distinct(items: readonly FoundView[]): FoundView[] {
  const known = new Map<string, FoundView>();
  for (const item of items) {
    const { kind, businessKey, delivery, customer, schedule } = item;
    const of = { order: businessKey, customer, delivery, schedule }[kind] ?? '';
    const name = `${kind} ${of}`;
    if (!known.has(name)) known.set(name, item);
  }
  return [...known.values()];
}

/** How the shipped rules describe the receivables of an order, instalments aside. */
function descriptionsOf(number: string, slugs: Asked['slugs']): string[] {
  return [...slugs.values()].flatMap((slug) => [`${slug} order ${number}`, `${slug} order #${number}`]);
}
