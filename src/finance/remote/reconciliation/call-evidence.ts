import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { CalendarDate } from '../../../kernel/calendar-date';
import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import { filledText } from '../../../kernel/text';
import type { EffectOutput } from '../../api/effects/effect';
import type { OperationId } from '../../api/operations/operations';
import type { FinanceConnection } from '../client/connection';
import type { CallContent, Evidence, Finding } from '../calls/call';
import { isOnlySearched, isRequest, type StoredCall } from '../calls/call-states';
import { isWhole } from '../calls/settled-content';
import { CallStore } from '../calls/call-store.repository';
import {
  bareDocument,
  dayOf,
  Incomplete,
  moneyOf,
  NotYetShown,
  RemoteReads,
  Unanswered,
  Unreadable,
} from '../reads/remote-reads';
import { alikeSchedules, areExactly, expectedOf, resembling } from '../reads/schedule-matching';
import { OpenValues } from './open-values';

/** A call whose outcome is not known, with what is needed to read its effect back. */
export interface Lookup {
  readonly connection: FinanceConnection;
  readonly organization: Organization;
  readonly call: StoredCall;
}

/** A request to `/v1` that is to be sent. */
interface Request {
  readonly connection: FinanceConnection;
  readonly organization: Organization;
  readonly content: CallContent;
}

/** What is read about the calls of an operation. */
interface EvidenceReaders {
  /** Before a request to `/v1` is sent, so that its effect can be recognised; absent: nothing would help. */
  readonly before?: (request: Request) => Promise<Evidence>;
  /** Afterwards, where nobody knows what the call came to. */
  readonly after: (lookup: Lookup) => Promise<Finding>;
}

type Body = Readonly<Record<string, unknown>>;

const NONE: Evidence = {};

const PUT_AGAIN: EvidenceReaders = {
  after: async () => repeatable('putting the same values again changes nothing'),
};

/** Milliseconds that a request to `/v1` waits at most for a listing to show what was done before it, and between readings. */
const LONGEST_WAIT_MS = 5_000;
const READ_AGAIN_MS = 500;

/**
 * How the effect of a call is recognised through the operations that read: one row an operation. Whatever is not
 * surely one thing needs review: a person decides.
 */
@Injectable()
export class CallEvidence {
  private readonly readers: Partial<Readonly<Record<OperationId, EvidenceReaders>>> = {
    'customers.create': { after: (lookup) => this.customer(lookup) },
    'schedules.createCredit': {
      before: (request) => this.schedulesBefore(request),
      after: (lookup) => this.schedule(lookup),
    },
    'receipts.registerForSchedule': {
      before: (request) => this.openValue(request),
      after: (lookup) => this.receipt(lookup),
    },
    'accounts.create': {
      before: (request) => this.accountsOfTheName(request),
      after: (lookup) => this.account(lookup),
    },
    'payments.register': { after: (lookup) => this.movement(lookup, ['accountId']) },
    'receipts.register': { after: (lookup) => this.movement(lookup, ['accountId']) },
    'accounts.transfer': {
      after: (lookup) => this.movement(lookup, ['originAccountId', 'destinyAccountId']),
    },
    'customers.update': PUT_AGAIN,
    'costCenters.update': PUT_AGAIN,
    'accounts.update': PUT_AGAIN,
    'payments.remove': { after: async () => repeatable('what is removed already cannot be removed again') },
  };

  constructor(
    private readonly database: Database,
    private readonly repository: CallStore,
    private readonly reads: RemoteReads,
    private readonly open: OpenValues,
  ) {}

  /**
   * Reads what has to be known before a request to `/v1` is sent, so that its effect can be recognised should its
   * answer be lost: as much as reading back asks for.
   * @returns nothing where the service answers and what it says is of no use: it will refuse the request, too, or
   *   a person has to decide should the outcome be unknown
   * @throws Unanswered when the service did not answer
   */
  async before(request: Request): Promise<Evidence> {
    try {
      return (await this.readers[request.content.operation]?.before?.(request)) ?? NONE;
    } catch (error) {
      if (error instanceof Unreadable && !(error instanceof Unanswered)) return NONE;
      throw error;
    }
  }

  /** Reads back what a call came to. */
  async after(lookup: Lookup): Promise<Finding> {
    const readers = this.readers[lookup.call.content.operation];
    if (!readers) return doubtful('nothing shows whether it took effect');
    try {
      return await readers.after(lookup);
    } catch (error) {
      if (error instanceof Incomplete) return doubtful(error.message);
      if (error instanceof Unreadable) return { state: 'unknown', reason: error.message };
      throw error;
    }
  }

  /** Everything is read, as reading back does: what a filter hides now would look new afterwards. */
  private async schedulesBefore({ connection, organization, content }: Request): Promise<Evidence> {
    const body: Body = { ...content.body };
    const expected = expectedOf(body, organization);
    const customer = filledText(body['stakeholderId']);
    if (!expected || customer === undefined) return NONE;
    const read = await this.reads.schedules(connection, organization, customer);
    return { before: alikeSchedules(read, expected, filledText(body['reference'])).map(({ id }) => id) };
  }

  /** A listing that does not show yet what Ponte did itself is waited for, as long as whoever asked may wait. */
  private async openValue({ connection, organization, content }: Request): Promise<Evidence> {
    const id = content.path?.['ScheduleId']?.toLowerCase() ?? '';
    const started = performance.now();
    for (;;) {
      try {
        const [open] = await this.open.of(connection, organization, [id]);
        return open?.evidence ?? NONE;
      } catch (error) {
        if (error instanceof Problem) return NONE;
        if (!(error instanceof NotYetShown)) throw error;
        if (performance.now() - started > LONGEST_WAIT_MS) return NONE;
        await pause(READ_AGAIN_MS);
      }
    }
  }

  private async accountsOfTheName({ connection, organization, content }: Request): Promise<Evidence> {
    const name = filledText((content.body as Body | undefined)?.['name']);
    if (name === undefined) return NONE;
    const read = await this.reads.accounts(connection, organization, name);
    return { before: read.map(({ id }) => id) };
  }

  private async customer({ connection, call }: Lookup): Promise<Finding> {
    if (!isWhole(call.content)) return doubtful('what was sent is not kept any more');
    const { document } = bodyOf(call) as { document?: { number?: unknown } };
    const number = typeof document?.number === 'string' ? bareDocument(document.number) : undefined;
    if (number === undefined)
      return unreadableCustomer(
        connection,
        call,
        'the service cannot distinguish a customer without a document from another',
      );
    if (connection.uniqueDocuments)
      return repeatable('the service refuses a second customer with the same document');
    if (connection.customerListing === undefined)
      return unreadableCustomer(
        connection,
        call,
        'the finance interface has no operation that lists customers',
      );
    const { customerListing } = connection;
    const found = await this.reads.allCustomersByDocument(connection, customerListing, number);
    const [id, ...others] = found;
    if (id === undefined) return repeatable('the service has no customer with this document');
    return others.length === 0
      ? inEffect({ id }, 'the service has one customer with this document')
      : doubtful(`the service has ${found.length} customers with this document`);
  }

  private async schedule({ connection, organization, call }: Lookup): Promise<Finding> {
    const body = bodyOf(call);
    const reference = filledText(body['reference']);
    const stakeholderId = filledText(body['stakeholderId']);
    const { before } = call.evidence;
    if (stakeholderId === undefined || (reference === undefined && before === undefined))
      return doubtful('a receivable without a reference cannot be distinguished from others');
    const expected = expectedOf(body, organization);
    if (!expected) return doubtful('the schedules of a recurrence cannot be known beforehand');
    // Everything is read: a service that takes a filter in another sense must not look empty.
    const read = await this.reads.schedules(connection, organization, stakeholderId);
    const maybe = await this.unclaimed(
      call,
      resembling(read, expected, reference).filter(({ id }) => !before?.includes(id)),
    );
    const own = alikeSchedules(maybe, expected, reference);
    const because = `the customer has ${own.length} schedules with its reference, values and due dates`;
    if (maybe.length === 0) return repeatable(because);
    if (own.length === 0) return doubtful(`${because}, and ${maybe.length} that may be it all the same`);
    const all = own.map(({ id }) => id);
    return areExactly(own, expected)
      ? inEffect({ id: all[0], all }, because)
      : doubtful(`${because}, where ${expected.length} are expected`);
  }

  private async receipt(lookup: Lookup): Promise<Finding> {
    const { connection, organization, call } = lookup;
    const id = call.content.path?.['ScheduleId']?.toLowerCase() ?? '';
    const { currency } = organization;
    const before = moneyOf(call.evidence.openValue, currency);
    const value = moneyOf(bodyOf(call)['value'], currency);
    const stakeholder = (await this.repository.stakeholdersOf(organization.id, [id])).get(id);
    if (!before || !value || stakeholder === undefined)
      return doubtful('it is not known what was open on the schedule before');
    const others = await this.repository.otherReceipts(this.database.prisma, call);
    if (others.unclear) return doubtful('other receipts for the schedule were under way at the same time');
    const read = await this.reads.schedules(connection, organization, stakeholder, {
      enough: (schedules) => schedules.some((schedule) => schedule.id === id),
    });
    const schedule = read.find((candidate) => candidate.id === id);
    if (!schedule) return doubtful('the service does not list the schedule any more');
    const settled = others.values.reduce<bigint>(
      (sum, other) => sum + (moneyOf(other, currency)?.minor ?? 0n),
      0n,
    );
    const expected = Money.ofMinor(before.minor - settled, currency);
    const open = Money.ofMinor(schedule.openMinor, currency);
    const because = `${open.toString()} is open on the schedule, where ${expected.toString()} was open without it`;
    if (open.equals(expected)) return repeatable(because);
    if (open.equals(expected.minus(value))) return inEffect({}, because);
    // In a state that is lost other receipts for the schedule may have come after this one.
    if (isOnlySearched(call) && open.compare(expected.minus(value)) < 0) return inEffect({}, because);
    return doubtful(because);
  }

  private async account({ connection, organization, call }: Lookup): Promise<Finding> {
    const body = bodyOf(call);
    const name = filledText(body['name']);
    const balance = moneyOf(body['openBalance'], organization.currency);
    const day = dayOf(body['dateOfOpenBalance'], organization.timeZone);
    if (name === undefined) return doubtful('an account without a name cannot be distinguished from others');
    const { before } = call.evidence;
    const named = await this.reads.accounts(connection, organization, name);
    // What is not known of an account does not tell it from the call's own.
    const alike = named
      .filter(({ id }) => !before?.includes(id))
      .filter(({ openBalance }) => !balance || !openBalance || openBalance.equals(balance))
      .filter(({ openedOn }) => !day || !openedOn || openedOn.equals(day));
    const own = await this.unclaimed(call, alike);
    const because = `the service has ${own.length} accounts of this name, opening balance and date that were not known before`;
    const [first] = own;
    if (!first) return repeatable(because);
    const known = (!balance || first.openBalance) && (!day || first.openedOn);
    if (own.length > 1 || before === undefined || !known) return doubtful(because);
    return inEffect({ id: first.id }, because);
  }

  /** Those of the records that no other call made. */
  private async unclaimed<T extends { readonly id: string }>(
    call: StoredCall,
    records: readonly T[],
  ): Promise<T[]> {
    const ids = records.map(({ id }) => id);
    const claimed = await this.repository.claimed(this.database.prisma, call, ids);
    return records.filter(({ id }) => !claimed.has(id));
  }

  /**
   * Nothing tells one movement on an account from another; a person may know from its balance. One of a day after the
   * database was put back was not sent before.
   */
  private async movement(
    { connection, organization, call }: Lookup,
    fields: readonly string[],
  ): Promise<Finding> {
    const body = bodyOf(call);
    const value = moneyOf(body['value'], organization.currency)?.toString();
    const day = dayOf(body['date'], organization.timeZone);
    const { lookedFor } = call.evidence;
    if (day && lookedFor && isOnlySearched(call)) {
      const putBackOn = CalendarDate.fromInstant(new Date(lookedFor.recoveredAt), organization.timeZone);
      if (day.compare(putBackOn) > 0) return repeatable("it is of a day after Ponte's database was put back");
    }
    const what = value === undefined || day === undefined ? 'it' : `${value} of ${day.toString()}`;
    const accounts = fields.map((field) => filledText(body[field])).filter((id) => id !== undefined);
    const hints: string[] = [];
    for (const account of new Set(accounts)) {
      const balance = await this.reads.balance(connection, account);
      if (balance !== undefined) hints.push(`; the balance of account ${account} is ${balance} now`);
    }
    return doubtful(
      `the finance interface does not list movements of an account, so nothing shows whether this took effect: ` +
        `look in the finance service for ${what}${hints.join('')}`,
    );
  }
}

/** A second customer owes nothing and is owed nothing; of a request to `/v1` its sender was promised one. */
function unreadableCustomer({ unknownCustomers }: FinanceConnection, call: StoredCall, why: string): Finding {
  if (unknownCustomers === 'park' || isRequest(call)) return doubtful(why);
  return repeatable(`${why}, and the connection says to create it again: the service may have it twice`);
}

function bodyOf({ content }: StoredCall): Body {
  return { ...content.body };
}

function repeatable(reason: string): Finding {
  return { state: 'planned', reason };
}

function doubtful(reason: string): Finding {
  return { state: 'needs-review', reason };
}

function inEffect(output: EffectOutput, reason: string): Finding {
  return { state: 'applied', output, reason };
}
