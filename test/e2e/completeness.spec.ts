import type {
  CompletenessRepairView,
  CompletenessView,
  DifferingEntitiesPage,
} from '../../src/admin/completeness/completeness.dto';
import type { RepairProgressView } from '../../src/admin/backtest/backtest.dto';
import type { Transaction } from '../../src/database/transaction';
import { Worker } from '../../src/deliveries/worker';
import { cpfNumber } from '../support/documents';
import { slowPropertyRuns } from '../support/property-runs';
import { OPERATORS_KEY, TestService } from '../support/service';
import { settledTables } from '../support/stored-tables';
import { until } from '../support/until';

/** A thousand, and half as many in `npm cit`. */
const ORDERS = Math.min(1_000, slowPropertyRuns(1_000));
const PERIOD = { from: '2026-10-01', to: '2026-10-31', source: 'standard' };
/** So many of each kind of gap. */
const EACH = 4;

/** Kinds of orders, in the order of their numbers; what is left of all is in order, paid, refunded or not paid. */
const KINDS = [
  'waiting',
  'dead',
  'late',
  'noReceipt',
  'noBooking',
  'unknown',
  'approval',
  'cent',
  'twice',
  'test',
  'removed',
  'changed',
  'leftOver',
  'refundOff',
  'discarded',
] as const;
type Kind = (typeof KINDS)[number];

let service: TestService;
let bank: string;

/** Numbers of the orders of a kind. */
function numbersOf(kind: Kind): number[] {
  return Array.from({ length: EACH }, (_, index) => KINDS.indexOf(kind) * EACH + index);
}
const PLAIN = KINDS.length * EACH;
const keysOf = (kind: Kind): string[] => numbersOf(kind).map((number) => `standard/order/${number}`);

interface Fields {
  total?: string;
  gateway?: string;
  refund?: string;
  [field: string]: unknown;
}

/** A paid order of October, some time of the day. */
function order(
  number: number,
  { total = totalOf(number), gateway = 'pagarme', refund, ...more }: Fields = {},
) {
  const day = String(1 + (number % 31)).padStart(2, '0');
  const at = `2026-10-${day}T${String(number % 24).padStart(2, '0')}:15:00-03:00`;
  return {
    ...{ id: String(number), total, createdAt: at, updatedAt: at, instalments: 1 + (number % 3) },
    customer: { id: `c${number}`, name: 'Lia Campos', document: cpfNumber(50_000 + number) },
    payments: [{ id: 'p1', gateway, method: 'pix', value: totalOf(number), fee: '1.05', paidAt: at }],
    ...(refund !== undefined && { refunds: [{ id: 'r1', value: refund, refundedAt: at }] }),
    ...more,
  };
}

function totalOf(number: number): string {
  return `${100 + number}.${String(number % 100).padStart(2, '0')}`;
}

let messages = 0;

async function send(type: string, data: object): Promise<void> {
  messages += 1;
  const body = JSON.stringify({ type, timestamp: '2026-11-01T12:00:00Z', data });
  const reply = await service.hook({ source: 'standard', topic: type, body, id: `m${messages}` });
  if (reply.status !== 200) throw new Error(reply.text);
}

/** Several at once, as shops do. */
async function sendAll(all: readonly (() => Promise<void>)[]): Promise<void> {
  for (let start = 0; start < all.length; start += 40)
    await Promise.all(all.slice(start, start + 40).map((one) => one()));
  await service.settle();
}

/** As if someone had changed the tables without Ponte: no trigger refuses it. */
async function byHand(change: (tx: Transaction) => Promise<unknown>): Promise<void> {
  await service.database.transaction(async (tx) => {
    await tx.$executeRaw`select set_config('session_replication_role', 'replica', true)`;
    await change(tx);
  });
}

/** A receipt that never was: its entries, what it did to balances and schedules, and its effect. */
async function undoReceipt(tx: Transaction, key: string, keepEffect = false): Promise<void> {
  const [effect] = await tx.$queryRaw<
    { output: { all: string[] } }[]
  >`select output from effect where key = ${key}`;
  const ids = effect!.output.all;
  await tx.$executeRaw`
    insert into account_balance_delta (account_id, delta_minor)
    select debit_id, -amount_minor from entry where id = any(${ids}::uuid[])`;
  await tx.$executeRaw`
    update schedule s set open_minor = s.open_minor + e.amount_minor
    from entry e where e.id = any(${ids}::uuid[]) and s.id = e.credit_id`;
  await tx.$executeRaw`delete from entry where id = any(${ids}::uuid[])`;
  if (!keepEffect) await tx.$executeRaw`delete from effect where key = ${key}`;
}

async function undoSchedule(tx: Transaction, key: string): Promise<void> {
  const [effect] = await tx.$queryRaw<
    { output: { all: string[] } }[]
  >`select output from effect where key = ${key}`;
  const ids = effect!.output.all;
  await tx.$executeRaw`delete from entry where debit_id = any(${ids}::uuid[]) or credit_id = any(${ids}::uuid[])`;
  await tx.$executeRaw`delete from schedule where id = any(${ids}::uuid[])`;
  await tx.$executeRaw`delete from effect where key = ${key}`;
}

async function put(path: string, body: object): Promise<void> {
  const reply = await service.operate('put', path, body);
  if (reply.status !== 200) throw new Error(reply.text);
}

async function rule(name: string, lines: readonly string[]): Promise<void> {
  const document = [`rule: ${name}`, 'when: { event: order.paid }', 'then:', ...lines].join('\n');
  const reply = await service.http
    .put(`/admin/organizations/main/rules/${name}`)
    .set({ authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': 'application/yaml' })
    .send(document);
  if (reply.status !== 200) throw new Error(reply.text);
}

async function ask(query: object = {}): Promise<CompletenessView> {
  const asked = new URLSearchParams({ ...PERIOD, limit: '500', ...query });
  return (await service.admin(`completeness?${asked.toString()}`)) as CompletenessView;
}

/** Of the items alone, those that follow. */
async function askForMore(query: object): Promise<DifferingEntitiesPage> {
  const asked = new URLSearchParams({ ...PERIOD, ...query });
  return (await service.admin(`completeness/differing?${asked.toString()}`)) as DifferingEntitiesPage;
}

async function plan(fields: object = {}): Promise<CompletenessRepairView> {
  const reply = await service.operate('post', 'completeness/repair', { ...PERIOD, ...fields });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as CompletenessRepairView;
}

async function repair(): Promise<CompletenessRepairView> {
  const { plan: name } = await plan();
  const done = await plan({ dryRun: false, plan: name, reason: 'end of the month' });
  if (done.repair !== null)
    await until(async () => {
      const progress = (await service.admin(`repairs/${done.repair}`)) as RepairProgressView;
      return progress.waiting === 0;
    });
  return done;
}

/** Of each order that differs, its differences as words: `missing receipt`. */
function found({ items }: CompletenessView): Record<string, string[]> {
  return Object.fromEntries(
    items.map(({ businessKey, differences }) => [
      businessKey,
      differences.map(({ code, aspect }) => (aspect === null ? code : `${code} ${aspect}`)).sort(),
    ]),
  );
}

function expected(kinds: Partial<Record<Kind, string[]>>): Record<string, string[]> {
  return Object.fromEntries(
    KINDS.flatMap((kind) => {
      const differences = kinds[kind];
      return differences ? keysOf(kind).map((key) => [key, differences] as const) : [];
    }),
  );
}

beforeAll(async () => {
  service = await TestService.start();
  const { prisma } = service.database;
  bank = (await prisma.account.findFirstOrThrow({ where: { code: 'main' } })).id;
});
afterAll(() => service.stop());

describe('orders of a month of which some are not in the books as the shop says', () => {
  it('are sent, and gaps of every kind are made', async () => {
    await put('tables/gatewayAccount', { entries: { default: 'main', ghost: 'no-such-account' } });
    await rule('late-fee', [
      ...['  - id: late', '    do: payment.register', '    key: ${order.key}/late/fee'],
      ...['    if: order.number.startsWith("late")', '    onRefused: continue', '    with:'],
      ...['      account: ${tables.gatewayAccount["ghost"]}', '      value: ${money("2.00")}'],
      ...['      date: ${order.createdAt.dateIn(org.timeZone)}', '      description: A late fee'],
    ]);
    await rule('approved-fee', [
      ...['  - id: approved', '    do: payment.register', '    key: ${order.key}/approved/fee'],
      ...['    if: order.number.startsWith("approval")', '    approval: required', '    with:'],
      ...[`      account: "${bank}"`, '      value: ${money("3.00")}'],
      ...['      date: ${order.createdAt.dateIn(org.timeZone)}', '      description: An approved fee'],
    ]);
    await rule('booked-twice', [
      ...[
        '  - id: customer',
        '    do: customer.ensure',
        '    if: order.number.startsWith("twice")',
        '    with:',
      ],
      ...['      name: ${order.customer.name}', '      document: ${order.customer.document}'],
      ...['  - id: again', '    do: creditSchedule.ensure', '    key: ${order.key}/again'],
      ...['    if: order.number.startsWith("twice")', '    with:', '      customer: ${steps.customer.id}'],
      ...['      value: ${order.total}', '      dueDate: ${order.createdAt.dateIn(org.timeZone)}'],
      ...['      description: Booked twice', '      category: ${tables.category["online-sales"]}'],
    ]);
    const named = (kind: Kind, fields: Fields = {}, type = 'order.paid') =>
      numbersOf(kind).map(
        (number) => () => send(type, order(number, { number: `${kind}-${number}`, ...fields })),
      );
    await sendAll([
      ...named('waiting', { payments: [] }, 'order.created'),
      ...named('dead', { gateway: 'ghost' }),
      ...(
        ['late', 'noReceipt', 'noBooking', 'unknown', 'approval', 'twice', 'test', 'changed', 'cent'] as const
      ).flatMap((kind) => named(kind)),
      ...named('removed', { refund: '10.00' }, 'order.refunded'),
      ...named('removed', { refund: '10.00' }),
      ...numbersOf('leftOver').map((number) => () => send('order.paid', order(number, { total: '50.00' }))),
      ...named('discarded', { gateway: 'ghost' }),
      ...Array.from({ length: ORDERS - PLAIN }, (_, index) => PLAIN + index).map((number) => async () => {
        if (number % 10 === 0) return send('order.created', order(number, { payments: [] }));
        if (number % 10 === 1) return send('order.paid', order(number, { test: true }));
        await send('order.paid', order(number));
        if (number % 10 === 2) await send('order.refunded', order(number, { refund: '12.34' }));
      }),
    ]);

    expect((await service.operate('post', 'rules/order-refunded/disable')).status).toBe(200);
    await sendAll(
      numbersOf('refundOff').flatMap((number) => [
        () => send('order.paid', order(number)),
        () => send('order.refunded', order(number, { refund: '5.00' })),
      ]),
    );
    expect((await service.operate('post', 'rules/order-refunded/enable')).status).toBe(200);

    const later = '2026-11-02T10:00:00-03:00';
    await sendAll([
      ...numbersOf('cent').map((number) => () => {
        const total = totalOf(number).replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
        return send('order.paid', order(number, { total, updatedAt: later }));
      }),
      ...numbersOf('test').map(
        (number) => () => send('order.created', order(number, { test: true, updatedAt: later })),
      ),
    ]);

    // What comes in now waits: the worker is paused, and then it is not their turn yet.
    const worker = service.part(Worker);
    worker.pauseWhile(() => true);
    for (const number of numbersOf('waiting')) await send('order.paid', order(number));
    await send('order.paid', order(5_000));
    await service.database.prisma.delivery.updateMany({
      where: { state: 'waiting' },
      data: { readyAt: new Date('2100-01-01') },
    });
    worker.pauseWhile(() => false);
    await send('order.paid', { ...order(5_001), total: 'a lot' });
    await service.settle();

    const { prisma } = service.database;
    for (const key of keysOf('discarded')) {
      const { id } = await prisma.delivery.findFirstOrThrow({ where: { businessKey: key, state: 'dead' } });
      const reply = await service.operate('post', `dead-letters/${id}/discard`, { reason: 'not ours' });
      expect(reply.status).toBe(204);
    }
    await byHand(async (tx) => {
      for (const key of keysOf('noReceipt')) await undoReceipt(tx, `receipt/${key}/payment/p1`);
      for (const key of keysOf('noBooking')) {
        await undoReceipt(tx, `receipt/${key}/payment/p1`);
        await undoSchedule(tx, `credit-schedule/${key}`);
      }
      for (const key of keysOf('unknown')) {
        await undoReceipt(tx, `receipt/${key}/payment/p1`, true);
        await tx.$executeRaw`update effect set state = 'unknown' where key = ${`receipt/${key}/payment/p1`}`;
      }
      for (const key of keysOf('removed')) {
        const [entry] = await outputWithin(tx, `payment/${key}/refund/r1`);
        await tx.$executeRaw`
          insert into entry (id, organization_id, kind, date, amount_minor, debit_book, debit_id, credit_book, credit_id,
            reverses_id)
          select gen_random_uuid(), organization_id, 'reversal', date, amount_minor, credit_book, credit_id, debit_book,
            debit_id, id from entry where id = ${entry}::uuid`;
        await tx.$executeRaw`
          insert into account_balance_delta (account_id, delta_minor)
          select credit_id, amount_minor from entry where id = ${entry}::uuid`;
      }
      for (const key of keysOf('changed')) {
        const [schedule] = await outputWithin(tx, `credit-schedule/${key}`);
        await tx.$executeRaw`update schedule set value_minor = value_minor + 1 where id = ${schedule}::uuid`;
      }
    });
  });

  async function outputWithin(tx: Transaction, key: string): Promise<string[]> {
    const [effect] = await tx.$queryRaw<{ output: { id: string; all?: string[] } }[]>`
      select output from effect where key = ${key}`;
    return effect!.output.all ?? [effect!.output.id];
  }

  const LEFT_TO_PEOPLE: Partial<Record<Kind, string[]>> = {
    unknown: ['outcome-unknown receipt'],
    approval: ['approval-pending other'],
    cent: ['amount-differs schedule'],
    twice: ['extra schedule'],
    test: ['extra fee', 'extra receipt', 'extra schedule'],
    removed: ['removed-in-books refund'],
    changed: ['changed-in-books schedule'],
    leftOver: ['left-over receipt'],
    waiting: ['waiting'],
  };

  it('each gap is found, and none is invented', async () => {
    const report = await ask();
    expect(found(report)).toEqual(
      expected({
        ...LEFT_TO_PEOPLE,
        dead: ['dead-letter'],
        late: ['missing other'],
        noReceipt: ['missing receipt'],
        noBooking: ['missing receipt', 'missing schedule'],
      }),
    );
    expect(report.unattached.map(({ code }) => code).sort()).toEqual(['dead-letter', 'waiting']);
    expect(report.entities).toMatchObject({ orders: ORDERS, payouts: 0, otherCurrency: 0 });
  });

  it('a cent is named as one, and what repairs a gap is a call', async () => {
    const { items } = await ask();
    const cent = items.find(({ businessKey }) => businessKey === keysOf('cent')[0]);
    const [difference] = cent!.differences;
    const minor = (text: string | null): number => Math.round(Number(text) * 100);
    expect(Math.abs(minor(difference!.expected) - minor(difference!.found))).toBe(1);
    const missing = items.find(({ businessKey }) => businessKey === keysOf('noReceipt')[0])!.differences[0]!;
    expect(missing).toMatchObject({
      ...{ repairable: true, effect: `receipt/${keysOf('noReceipt')[0]}/payment/p1`, found: '0.00' },
      repair: { method: 'POST', path: `/admin/organizations/main/deliveries/${missing.delivery}/replay` },
    });
  });

  it('the sums side by side are those of the shop, and those of the books', async () => {
    const { totals, apart } = await ask();
    const rows = Object.fromEntries(totals.map(({ aspect, ...row }) => [aspect, row]));
    const shop = await service.database.prisma.$queryRaw<{ count: number; sum: string }[]>`
      select count(*)::int as count, to_char(sum(total_minor) / 100.0, 'FM999999990.00') as sum from money_facts where not test`;
    expect(rows['schedule']!.shop).toEqual({ count: shop[0]!.count, value: shop[0]!.sum });
    const books = await service.database.prisma.$queryRaw<{ sum: string }[]>`
      select to_char(sum(value_minor) / 100.0, 'FM999999990.00') as sum from schedule`;
    expect(rows['schedule']!.inBooks.value).toBe(books[0]!.sum);
    expect(rows['refund']!.shop.count - rows['refund']!.inBooks.count).toBe(2 * EACH);
    // The receipt and the fee of each; its receivable was booked before the refusal.
    expect(apart.find(({ why }) => why === 'discarded')).toMatchObject({ count: 2 * EACH });
    expect(apart.find(({ why }) => why === 'not-booked')!.count).toBeGreaterThan(ORDERS / 12);
  });

  it('the list is read page by page, and another day of the period has only its own', async () => {
    const whole = await ask();
    const first = await ask({ limit: '7' });
    const items = [...first.items];
    for (let { after } = first; after !== null;) {
      const page = await askForMore({ limit: '7', after });
      items.push(...page.items);
      after = page.after;
    }
    expect(items).toEqual(whole.items);
    expect((await askForMore({ limit: '500' })).items).toEqual(whole.items);
    const day = await ask({ from: '2026-10-02', to: '2026-10-02' });
    const beforeIt = (await ask({ limit: '1' })).after;
    const ofDay = await askForMore({ from: '2026-10-02', to: '2026-10-02', limit: '500', after: beforeIt });
    expect(ofDay.items).toEqual(day.items);
    expect(day.items.every((item) => item.day === '2026-10-02')).toBe(true);
    expect(day.items.map(({ businessKey }) => businessKey)).toEqual(
      whole.items.filter((item) => item.day === '2026-10-02').map(({ businessKey }) => businessKey),
    );
  });

  it('a plan says what would be done and does nothing', async () => {
    const before = await settledTables(service.database);
    const view = await plan();
    expect(view).toMatchObject({
      dryRun: true,
      deliveries: 4 * EACH + 1,
      more: false,
      queued: 0,
      repair: null,
    });
    expect(await settledTables(service.database)).toEqual(before);
    const letters = await plan({ codes: ['dead-letter'] });
    expect(letters).toMatchObject({ deliveries: EACH + 1 });
    const refused = await service.operate('post', 'completeness/repair', {
      ...{ ...PERIOD, dryRun: false, plan: 'another' },
    });
    expect([refused.status, (refused.body as { plan: string }).plan]).toEqual([409, view.plan]);
    expect(await settledTables(service.database)).toEqual(before);
  });

  it('all that can be repaired is, once, and what people have to decide is left', async () => {
    await put('tables/gatewayAccount', { entries: { default: 'main' } });
    await service.database.prisma.delivery.updateMany({
      where: { state: 'waiting' },
      data: { readyAt: new Date() },
    });
    await service.settle();
    expect(await repair()).toMatchObject({ queued: 4 * EACH + 1 });
    const { waiting: _waiting, ...left } = LEFT_TO_PEOPLE;
    const report = await ask();
    expect(found(report)).toEqual(expected(left));
    expect(report.unattached).toMatchObject([{ code: 'dead-letter' }]);
    expect(await service.admin('audit?action=delivery.repair&limit=1')).toMatchObject({
      items: [{ reason: 'end of the month' }],
    });
  });

  it('a second repair books nothing', async () => {
    const books = async (): Promise<unknown[]> => {
      const { prisma } = service.database;
      return [await prisma.entry.count(), await prisma.schedule.count(), await prisma.effect.count()];
    };
    const before = await books();
    // The message that nobody can read: a person discards it.
    expect(await repair()).toMatchObject({ queued: 1 });
    expect(await books()).toEqual(before);
    const { delivery } = (await ask()).unattached[0]!;
    const discarded = await service.operate('post', `dead-letters/${delivery}/discard`, {
      reason: 'no order',
    });
    expect(discarded.status).toBe(204);
    expect(await plan()).toMatchObject({ deliveries: 0, listed: [] });
    expect(await repair()).toMatchObject({ queued: 0, repair: null });
  });
});

describe('a question that cannot be answered', () => {
  it.each([
    [{ source: 'standard', to: '2026-10-31' }, 400],
    [{ ...PERIOD, from: '2026-10-01T00:00:00Z' }, 422],
    [{ ...PERIOD, from: '2026-11-01' }, 422],
    [{ ...PERIOD, from: '2026-07-31' }, 422],
    [{ ...PERIOD, source: 'none' }, 422],
    [{ ...PERIOD, after: 'nonsense' }, 400],
    [{ ...PERIOD, after: 'WzFd' }, 400],
    [{ ...PERIOD, limit: '0' }, 400],
    [{ ...PERIOD, sorce: 'x' }, 400],
  ])('is refused: %j', async (query, status) => {
    const asked = new URLSearchParams(query).toString();
    for (const path of ['completeness', 'completeness/differing']) {
      const reply = await service.http
        .get(`/admin/organizations/main/${path}?${asked}`)
        .set('authorization', `Bearer ${OPERATORS_KEY}`);
      expect([path, reply.status]).toEqual([path, status]);
    }
  });
});
