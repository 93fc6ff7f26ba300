import fc from 'fast-check';
import type { Database } from '../../src/database/database';
import { announce, type CausedChange } from '../../src/finance/embedded/changes/announce';
import {
  readRecords,
  RECORD_KINDS,
  type RecordKind,
} from '../../src/finance/embedded/changes/changed-records.repository';
import { dataOfRecords } from '../../src/finance/embedded/changes/data-of-records.repository';
import { appendChanges, appendRecords } from '../../src/feed/changes/changes.repository';
import { newId } from '../../src/kernel/identifier';
import { Money } from '../../src/kernel/money';
import type { Organization } from '../../src/kernel/organization';
import { openTestDatabase } from '../support/database';
import { slowPropertyRuns } from '../support/property-runs';
import { anyText } from '../support/any-text';

const RUNS = slowPropertyRuns(40);
const NOW = new Date('2026-03-10T02:30:00Z');

/** How each kind of records is announced. */
const TYPES = {
  stakeholder: { type: 'customer.created' },
  schedule: { type: 'credit-schedule.created' },
  movement: { type: 'receipt.registered' },
  transfer: { type: 'transfer.made' },
  overdueReceivable: { type: 'schedule.overdue', shownAs: 'overdueReceivable' },
  account: { type: 'account.created' },
  balance: { type: 'balance.changed' },
  costCenter: { type: 'cost-center.updated' },
} as const satisfies Record<RecordKind, Pick<CausedChange, 'type' | 'shownAs'>>;

/** What PostgreSQL can store: everything but a character of zero and half a pair of surrogates. */
const text = fc.oneof(
  anyText({ maxLength: 12 }).map((sample) => sample.toWellFormed().replaceAll('\0', '')),
  fc.string({
    unit: fc.constantFrom(...'"\\\'/<>&\b\f\n\r\t\u0001\u001f\u007f\u0085\u2028\u2029é😀%$ {}[],:0a'),
    maxLength: 12,
  }),
  fc.constantFrom('', 'null', 'Ana "Nina" O’Hara'),
);
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(of, { nil: null });
/** Mostly of the years that the database is told the midnights of, and whatever else a day can be. */
const day = fc
  .oneof(
    { weight: 6, arbitrary: fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2029, 11, 31) }) },
    { weight: 1, arbitrary: fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(9999, 11, 31) }) },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom('2024-12-31', '2025-01-01', '2026-03-08', '2026-03-29', '2026-11-01', '2029-12-31')
        .map(Date.parse),
    },
  )
  .map((at) => new Date(at - (((at % 86_400_000) + 86_400_000) % 86_400_000)));
const minor = fc.oneof(
  fc.bigInt(1n, 99_999_999_999_999n),
  fc.bigInt(1n, 1_200n),
  fc.constantFrom(1n, 10n, 100n, 1_000n, 9_999_999_999_999n, 99_999_999_999_999n, 10n ** 13n),
);
const balance = fc.oneof(
  minor,
  minor.map((value) => -value),
  fc.constantFrom(0n, 3_999_999_999_999_999n, -3_999_999_999_999_999n, 999_999_999_999_999n),
);
const organization = fc.record({
  timeZone: fc.constantFrom(
    'America/Sao_Paulo',
    'UTC',
    'America/Havana',
    'Atlantic/Azores',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'Pacific/Auckland',
    'Asia/Beirut',
  ),
  currency: fc.constantFrom('BRL', 'JPY', 'KWD'),
});

const group = (...names: string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, text])), { requiredKeys: [] });
const stakeholder = fc.record({
  kind: fc.constantFrom('customer' as const, 'supplier' as const, 'partner' as const),
  name: text,
  email: maybe(text),
  phone: maybe(text),
  document: fc.constantFrom<string | null>(null, 'X-1'),
  details: fc.record(
    {
      communication: group('contactName', 'email', 'phone', 'cellPhone', 'webSite'),
      address: fc.record(
        { line1: text, line2: text, number: fc.integer(), city: text, zipCode: text, ibgeCode: text },
        { requiredKeys: [] },
      ),
      bankAccountInformation: group('bank', 'agency', 'accountNumber'),
      companyInformation: group('companyName', 'municipalInscription'),
    },
    { requiredKeys: [] },
  ),
  deletedAt: maybe(fc.constant(NOW)),
});
const schedule = fc.record({
  kind: fc.constantFrom('credit' as const, 'debit' as const),
  description: text,
  reference: maybe(text),
  valueMinor: minor,
  open: fc.constantFrom('all', 'some', 'nothing'),
  ...{ scheduleDate: day, accrualDate: day, dueDate: day },
  ...{ hasCategory: fc.boolean(), hasCostCenter: fc.boolean(), isFlagged: fc.boolean() },
});
const movement = fc.record({
  form: fc.constantFrom('receipt', 'payment', 'direct', 'discount'),
  date: day,
  amountMinor: minor,
  ...{ description: maybe(text), reference: maybe(text), identifier: maybe(text) },
  ...{ hasStakeholder: fc.boolean(), hasCategory: fc.boolean() },
  ...{ isFlagged: fc.boolean(), isReconciled: fc.boolean() },
});
const account = fc.record({
  name: text,
  openBalanceMinor: balance,
  openedOn: day,
  hasBank: fc.boolean(),
  isVirtual: fc.boolean(),
  announcedMinor: balance,
});
const books = fc.record({
  organization,
  stakeholder,
  category: text,
  bank: fc.record({ name: text, color: maybe(text) }),
  costCenter: fc.record({ description: text, externalCode: maybe(text), deletedAt: maybe(fc.constant(NOW)) }),
  schedule,
  movement,
  transfer: fc.record({ date: day, amountMinor: minor }),
  accounts: fc.tuple(account, account),
  isDefault: fc.boolean(),
  before: maybe(balance),
});

type Books = typeof books extends fc.Arbitrary<infer T> ? T : never;

describe('what the database makes of records for the feed', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  /** @returns the record of each kind */
  async function write(
    of: Books,
  ): Promise<{ organization: Organization; records: Record<RecordKind, string> }> {
    const { prisma } = database;
    const organizationId = newId();
    const shown: Organization = {
      ...of.organization,
      ...{ id: organizationId, slug: `company-${organizationId}`, name: 'A company' },
    };
    await prisma.organization.create({ data: shown });
    const [stakeholderId, categoryId, groupId, costCenterId, bankId] = Array.from({ length: 5 }, newId) as [
      string,
      string,
      string,
      string,
      string,
    ];
    const { details, ...person } = of.stakeholder;
    await prisma.stakeholder.create({
      data: { ...person, id: stakeholderId, organizationId, details: details },
    });
    await prisma.categoryGroup.create({
      data: { id: groupId, organizationId, name: 'G', referenceCode: '1' },
    });
    await prisma.category.create({
      data: { id: categoryId, organizationId, groupId, name: of.category, referenceCode: '1.1', type: 'in' },
    });
    await prisma.bank.create({ data: { ...of.bank, id: bankId, organizationId, code: '001' } });
    await prisma.costCenter.create({ data: { ...of.costCenter, id: costCenterId, organizationId } });
    const accountIds = [newId(), newId()] as const;
    for (const [index, { hasBank, isVirtual, announcedMinor, ...fields }] of of.accounts.entries()) {
      const id = accountIds[index] ?? '';
      const virtual = isVirtual ? { virtualDetails: {} } : {};
      await prisma.account.create({
        data: { ...fields, ...virtual, id, organizationId, bankId: hasBank ? bankId : null },
      });
      await prisma.accountBalance.create({ data: { accountId: id, balanceMinor: 0n, announcedMinor } });
    }
    if (of.isDefault)
      await prisma.organization.update({
        where: { id: organizationId },
        data: { defaultAccountId: accountIds[0] },
      });
    const scheduleId = newId();
    const { open, hasCategory, hasCostCenter, ...owed } = of.schedule;
    const openMinor = { all: owed.valueMinor, some: (owed.valueMinor + 1n) / 2n, nothing: 0n }[open] ?? 0n;
    await prisma.schedule.create({
      data: {
        ...owed,
        ...{ id: scheduleId, organizationId, stakeholderId, groupId: scheduleId, openMinor },
        categoryId: hasCategory ? categoryId : null,
        costCenterId: hasCostCenter ? costCenterId : null,
      },
    });
    const entryId = newId();
    const { form, hasStakeholder, isReconciled, hasCategory: isNamed, ...moved } = of.movement;
    const money = { book: 'account', id: accountIds[0] } as const;
    const [kind, debit, credit] = {
      receipt: ['receipt', money, { book: 'receivable', id: scheduleId }] as const,
      payment: ['payment', { book: 'payable', id: scheduleId }, money] as const,
      direct: ['receipt', money, { book: 'income', id: categoryId }] as const,
      discount: [
        'discount',
        { book: 'expense', id: categoryId },
        { book: 'receivable', id: scheduleId },
      ] as const,
    }[form as 'receipt'];
    const sides = { debitBook: debit.book, debitId: debit.id, creditBook: credit.book, creditId: credit.id };
    await prisma.entry.create({
      data: {
        ...{ ...moved, ...sides, id: entryId, organizationId, kind },
        stakeholderId: hasStakeholder ? stakeholderId : null,
        categoryId: isNamed ? categoryId : null,
      },
    });
    if (isReconciled) await prisma.entryReconciliation.create({ data: { entryId } });
    const transferId = newId();
    await prisma.entry.create({
      data: {
        ...{ ...of.transfer, id: transferId, organizationId, kind: 'transfer' },
        ...{ debitBook: 'account', debitId: accountIds[0], creditBook: 'account', creditId: accountIds[1] },
      },
    });
    const records = {
      ...{ stakeholder: stakeholderId, schedule: scheduleId, overdueReceivable: scheduleId },
      ...{ movement: entryId, transfer: transferId, account: accountIds[0], balance: accountIds[1] },
      costCenter: costCenterId,
    };
    return { organization: shown, records };
  }

  /** The feed's changes of some organizations, by organization, in order. */
  async function announced(
    organizations: readonly Organization[],
  ): Promise<Record<string, string | number>[]> {
    return database.prisma.$queryRaw`
      select w.organization_id::text as "organizationId", c.number, c.type, c.subject, c.data::text as data
      from feed_change c join feed_waiting w on w.id = c.batch_id
      where w.organization_id = any(${organizations.map(({ id }) => id)}::uuid[])
      order by w.organization_id, c.number`;
  }

  it('is what Ponte makes of them, byte for byte, in their order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(books, { minLength: 1, maxLength: 2 }),
        fc.infiniteStream(fc.nat()),
        async (companies, order) => {
          const written: (Awaited<ReturnType<typeof write>> & { before: bigint | null })[] = [];
          for (const company of companies)
            written.push({ ...(await write(company)), before: company.before });
          const changes = written
            .flatMap(({ organization: of, records, before }) =>
              RECORD_KINDS.flatMap((kind) => {
                const change: CausedChange = { ...TYPES[kind], id: records[kind], organization: of };
                if (kind !== 'balance' || before === null) return [change, change];
                const balanceBefore = Number(before) / 10 ** Money.exponentOf(of.currency);
                return [{ ...change, besides: { balanceBefore } }, change];
              }),
            )
            .map((change) => ({ change, place: order.next().value }))
            .sort((left, right) => left.place - right.place)
            .map(({ change }) => change);
          const expected = new Map<string, object[]>();
          await database.transaction(async (tx) => {
            await announce(tx, changes, NOW);
            for (const change of changes) {
              const { organization: of, id, type, besides } = change;
              const kind = RECORD_KINDS.find((one) => TYPES[one].type === type)!;
              const item = (await readRecords(tx, kind, [{ organization: of, id }], NOW)).get(id);
              const own = expected.get(of.id) ?? [];
              expected.set(of.id, own);
              own.push({
                ...{ organizationId: of.id, number: own.length + 1, type },
                data: JSON.stringify({ ...item, ...besides }),
              });
            }
          });
          const found = await announced(written.map(({ organization: of }) => of));
          expect(
            found.map(({ organizationId, number, type, data }) => ({ organizationId, number, type, data })),
          ).toEqual(
            [...expected].sort(([left], [right]) => (left < right ? -1 : 1)).flatMap(([, own]) => own),
          );
        },
      ),
      { numRuns: RUNS },
    );
  }, 600_000);

  /** What is stored of the changes of an organization, in order. */
  const stored = ({ id }: Organization): Promise<{ data: string; byIdentifier: boolean | null }[]> =>
    database.prisma.$queryRaw`
      select c.data::text as data, c.people_by_identifier as "byIdentifier"
      from feed_stored_change c join feed_waiting w on w.id = c.batch_id
      where w.organization_id = ${id}::uuid order by c.batch_id, c.number`;

  const MARIA = {
    ...{
      name: 'Maria das Dores',
      email: 'maria@example.com',
      phone: '+5511988887777',
      document: '52998224725',
    },
    details: { communication: { contactName: 'Maria das Dores' }, address: { line1: 'Rua das Dores' } },
  };
  const MARIAS = /Dores|maria@|88887777|52998224725/;
  /** Records with a person, on days that the database knows the midnights of, or does not. */
  const withPerson = (dueDate: string): Promise<Awaited<ReturnType<typeof write>>> => {
    const [company] = fc.sample(books, 1) as [Books];
    const dates = {
      scheduleDate: NOW,
      accrualDate: NOW,
      dueDate: new Date(dueDate),
      description: 'an order',
    };
    return write({
      ...company,
      stakeholder: { ...company.stakeholder, ...MARIA },
      schedule: { ...company.schedule, ...dates, reference: null },
      movement: { ...company.movement, date: new Date(dueDate), hasStakeholder: true },
    });
  };
  const PEOPLES = ['stakeholder', 'schedule', 'movement', 'overdueReceivable'] as const;

  it.each([
    ['of days whose midnights the database is told', '2026-03-10'],
    ['of another day', '2035-03-10'],
  ])(
    'has people by their identifiers alone, and readers see who they are by then: %s',
    async (_name, day) => {
      const { organization: of, records } = await withPerson(day);
      const changes = PEOPLES.map((kind) => ({ ...TYPES[kind], id: records[kind], organization: of }));
      await database.transaction((tx) => announce(tx, changes, NOW));
      const rows = await stored(of);
      expect(rows.map(({ byIdentifier }) => byIdentifier)).toEqual([true, true, true, true]);
      for (const { data } of rows) {
        expect(data).not.toMatch(MARIAS);
        expect(data).toContain(records.stakeholder);
      }
      const read = async (): Promise<unknown[]> =>
        (await announced([of])).map(({ data }) => JSON.parse(String(data)) as unknown);
      const name = (text: string) =>
        expect.objectContaining({ id: records.stakeholder, name: text }) as object;
      const [customer, ...others] = await read();
      expect(customer).toMatchObject({ name: MARIA.name, document: { number: MARIA.document } });
      for (const other of others) expect(other).toMatchObject({ stakeholder: name(MARIA.name) });
      const erased = {
        name: 'Erased',
        email: null,
        phone: null,
        document: null,
        details: {},
        deletedAt: NOW,
      };
      await database.prisma.stakeholder.update({ where: { id: records.stakeholder }, data: erased });
      const [afterwards, ...rest] = await read();
      expect(afterwards).toMatchObject({
        id: records.stakeholder,
        name: 'Erased',
        document: {},
        address: {},
      });
      for (const other of rest)
        expect(other).toMatchObject({
          stakeholder: { id: records.stakeholder, name: 'Erased', isDeleted: true },
        });
    },
  );

  it('is as it was stored where the version before or a finance service elsewhere gave it', async () => {
    const { organization: of, records } = await withPerson('2026-03-10');
    const data = { description: 'x', stakeholder: { id: records.stakeholder } };
    const change = { type: 'schedule.changed', organizationId: of.id, recordId: records.schedule } as const;
    await database.transaction((tx) => appendChanges(tx, [{ ...change, data }], NOW));
    await database.prisma.$executeRaw`
      insert into feed_change (batch_id, number, type, subject, data)
      select id, 2, 'customer.created', 'customer/x', '{"id":"x","name":"As it was"}'
      from feed_waiting where organization_id = ${of.id}::uuid`;
    const found = await announced([of]);
    expect(found.map((one) => one['data'])).toEqual([JSON.stringify(data), '{"id":"x","name":"As it was"}']);
  });

  it('is stored once for the changes of one record in a batch, unless one says more than the record', async () => {
    const [company] = fc.sample(books, 1) as [Books];
    const { organization: of, records } = await write(company);
    const change = (type: CausedChange['type'], id: string, rest: Partial<CausedChange> = {}) => ({
      ...{ type, id, organization: of },
      ...rest,
    });
    const besides = { balanceBefore: 1 };
    await database.transaction((tx) =>
      announce(
        tx,
        [
          change('balance.changed', records.balance, { besides }),
          change('credit-schedule.created', records.schedule),
          change('schedule.overdue', records.schedule, { shownAs: 'overdueReceivable' }),
          change('schedule.paid', records.schedule),
          change('balance.changed', records.balance),
          change('schedule.reopened', records.schedule),
        ],
        NOW,
      ),
    );
    const stored = await database.prisma.$queryRaw<{ dataOf: number | null; hasData: boolean }[]>`
      select c.data_of as "dataOf", c.data is not null as "hasData"
      from feed_stored_change c join feed_waiting w on w.id = c.batch_id
      where w.organization_id = ${of.id}::uuid order by c.number`;
    expect(stored.map(({ dataOf }) => dataOf)).toEqual([null, null, null, 2, null, 2]);
    expect(stored.map(({ hasData }) => hasData)).toEqual([true, true, true, false, true, false]);
  });

  it('is complete for days of the years around, and left to Ponte for others', async () => {
    const [company] = fc.sample(books, 1) as [Books];
    const unfilledOn = async (dueDate: string): Promise<number> => {
      const days = { scheduleDate: NOW, accrualDate: NOW, dueDate: new Date(dueDate) };
      const { organization: of, records } = await write({
        ...company,
        schedule: { ...company.schedule, ...days },
      });
      const changes = [{ organizationId: of.id, type: 'schedule.paid' as const, recordId: records.schedule }];
      const shown = dataOfRecords([{ organization: of, kind: 'schedule', id: records.schedule }], NOW);
      return database.transaction(async (tx) => (await appendRecords(tx, changes, NOW, shown)).length);
    };
    expect(await unfilledOn('2025-01-01')).toBe(0);
    expect(await unfilledOn('2029-12-31')).toBe(0);
    expect(await unfilledOn('2024-12-31')).toBe(1);
    expect(await unfilledOn('2030-01-01')).toBe(1);
  });

  it('is refused for a record that is not there, and for a property said twice', async () => {
    const [company] = fc.sample(books, 1) as [Books];
    const { organization: of, records } = await write(company);
    const say = (change: Omit<CausedChange, 'organization'>) =>
      database.transaction((tx) => announce(tx, [{ ...change, organization: of }], NOW));
    await expect(say({ type: 'schedule.paid', id: newId() })).rejects.toThrow(
      'a record that was just written is not there: schedule.paid',
    );
    await expect(say({ type: 'balance.changed', id: records.balance, besides: { bank: 1 } })).rejects.toThrow(
      'a change says otherwise what its record says',
    );
    expect(await announced([of])).toEqual([]);
  });
});
