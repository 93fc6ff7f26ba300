import type { CompletenessRepairView, CompletenessView } from '../../src/admin/completeness/completeness.dto';
import { ChangeDetector } from '../../src/finance/change-detection/change-detector';
import { PollLeases } from '../../src/finance/change-detection/poll-leases.repository';
import { newId } from '../../src/kernel/identifier';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';
import { CHARGED_BACK_ORDER, connectPagarme, sendChargedBack } from '../support/pagarme-source';
import { ProviderApiServer } from '../support/provider-api-server';
import { until } from '../support/until';

const PERIOD = { source: 'standard', from: '2026-10-01', to: '2026-10-31' };

let harness: OrderHarness;

async function ask(): Promise<CompletenessView> {
  const asked = new URLSearchParams(PERIOD).toString();
  return (await harness.service.admin(`completeness?${asked}`)) as CompletenessView;
}

/** Of each order or payout that differs, its differences as words. */
function found({ items }: CompletenessView): Record<string, string[]> {
  return Object.fromEntries(
    items.map(({ businessKey, differences }) => [
      businessKey,
      differences
        .map(({ code, aspect, expected, found }) => [code, aspect, expected, found].filter(Boolean).join(' '))
        .sort(),
    ]),
  );
}

async function repaired(codes: string[]): Promise<CompletenessRepairView> {
  const send = async (fields: object): Promise<CompletenessRepairView> => {
    const body = { ...PERIOD, codes, ...fields };
    const reply = await harness.service.operate('post', 'completeness/repair', body);
    expect(reply.status).toBe(200);
    return reply.body as CompletenessRepairView;
  };
  const { plan } = await send({});
  return send({ dryRun: false, plan, reason: 'the bank has an account now' });
}

async function payout(id: string, fields: object = {}): Promise<void> {
  const data = { id, gateway: 'stone', value: '100.00', paidAt: '2026-10-05T08:00:00-03:00', ...fields };
  await harness.standard('payout.paid', data);
}

async function order(number: number, fields: object = {}, payment: object = {}): Promise<void> {
  const paidAt = '2026-10-05T12:00:00-03:00';
  const customer = { id: `c${number}`, name: 'Lia Campos', document: cpfNumber(92_000 + number) };
  await harness.standard('order.paid', {
    ...{ id: String(number), total: '100.00', createdAt: paidAt, customer },
    payments: [{ id: 'p1', gateway: 'pagarme', method: 'pix', value: '100.00', paidAt, ...payment }],
    ...fields,
  });
}

afterEach(() => harness.stop());

describe('what gateways paid out, compared with the books', () => {
  it('tells what was moved from what was not, and why', async () => {
    harness = await OrderHarness.embedded();
    const { prisma } = harness.books;
    const bank = newId();
    const { organizationId } = await prisma.account.findFirstOrThrow({ where: { code: 'main' } });
    await prisma.account.create({
      data: {
        ...{ id: bank, organizationId, name: 'Banco', openBalanceMinor: 0n },
        openedOn: new Date('2026-01-01'),
      },
    });
    await prisma.accountBalance.create({ data: { accountId: bank, balanceMinor: 0n, announcedMinor: 0n } });
    const entries = { default: bank, ghost: 'no-such-account', same: 'main' };
    await harness.service.operate('put', 'tables/payoutAccount', { entries });

    await payout('plain', { value: '77.07' });
    await payout('plain', { value: '77.07' });
    await payout('charged', { fee: '1.50' });
    await payout('ghost', { gateway: 'ghost' });
    await payout('same', { gateway: 'same' });
    await payout('test', { test: true });
    await payout('dollars', { currency: 'USD' });
    await payout('taken-back');
    await payout('corrected');
    await payout('corrected', { value: '100.01' });
    await payout('before', { paidAt: '2026-09-30T08:00:00-03:00' });
    const [{ id: entry } = { id: '' }] = await prisma.$queryRaw<{ id: string }[]>`
      select output ->> 'id' as id from effect where key = 'transfer/standard/payout/taken-back'`;
    await prisma.$executeRaw`
      insert into entry (id, organization_id, kind, date, amount_minor, debit_book, debit_id, credit_book, credit_id, reverses_id)
      select gen_random_uuid(), organization_id, 'reversal', date, amount_minor, credit_book, credit_id, debit_book, debit_id, id
      from entry where id = ${entry}::uuid`;
    const report = await ask();
    expect(report.entities).toMatchObject({
      orders: 0,
      payouts: 8,
      tests: 1,
      otherCurrency: 1,
      differing: 4,
    });
    expect(found(report)).toEqual({
      'standard/payout/corrected': ['amount-differs payout 100.01 100.00'],
      'standard/payout/dollars': ['dead-letter'],
      'standard/payout/ghost': ['dead-letter 100.00 0.00'],
      'standard/payout/taken-back': ['removed-in-books payout 100.00 0.00'],
    });
    const [fees, payouts] = report.totals.filter(({ aspect }) => aspect === 'fee' || aspect === 'payout');
    expect(payouts).toMatchObject({
      shop: { count: 6, value: '577.08' },
      booked: { count: 4, value: '377.07' },
      inBooks: { count: 3, value: '277.07' },
      difference: '300.01',
    });
    // No rule that comes with Ponte books the fee of a payout, nor one that stays on one account.
    expect(fees).toMatchObject({ shop: { count: 1, value: '1.50' }, booked: { count: 0 } });
    expect(report.apart).toEqual([{ why: 'not-booked', count: 2, value: '101.50' }]);

    await harness.service.operate('put', 'tables/payoutAccount', { entries: { default: bank } });
    const { deliveries, repair } = await repaired(['dead-letter']);
    expect(deliveries).toBe(2);
    await until(async () => {
      const { waiting } = (await harness.service.admin(`repairs/${repair}`)) as { waiting: number };
      return waiting === 0;
    });
    const after = await ask();
    expect(found(after)).not.toHaveProperty(['standard/payout/ghost']);
    expect(after.totals.find(({ aspect }) => aspect === 'payout')).toMatchObject({
      booked: { count: 5, value: '477.07' },
    });
  });
});

describe('chargebacks and paid bills, compared with the books', () => {
  const dispute = (id: string, fields: object = {}): Promise<void> =>
    harness.standard('payment.disputed', {
      ...{ id, gateway: 'stone', value: '100.00', state: 'open', openedAt: '2026-10-06T09:00:00-03:00' },
      ...fields,
    });
  const bill = (id: string, fields: object = {}): Promise<void> =>
    harness.standard('bill.paid', {
      ...{ id, supplier: { name: 'Gráfica' }, value: '40.00', paidAt: '2026-10-07T09:00:00-03:00' },
      ...fields,
    });
  const WON = { state: 'won', closedAt: '2026-11-02T09:00:00-03:00' };

  it('shows each that is not in the books as the source says, and why', async () => {
    harness = await OrderHarness.embedded();
    const gateways = { default: 'main', ghost: 'no-such-account' };
    await harness.service.operate('put', 'tables/gatewayAccount', { entries: gateways });
    await dispute('plain', { fee: '15.00' });
    await dispute('won');
    await dispute('won', WON);
    await dispute('ghost', { gateway: 'ghost' });
    await dispute('test', { test: true });
    await dispute('before', { openedAt: '2026-09-30T09:00:00-03:00' });
    await dispute('corrected');
    await dispute('corrected', { value: '90.00' });
    await bill('paid');
    await bill('corrected', { value: '10.00' });
    await bill('corrected', { value: '12.00' });
    await harness.service.operate('post', 'rules/bill-paid/disable', {});
    await bill('later', { value: '7.00' });
    const report = await ask();
    expect(report.entities).toMatchObject({ orders: 0, disputes: 5, bills: 3, tests: 1, differing: 3 });
    expect(found(report)).toEqual({
      'standard/bill/corrected': ['amount-differs bill 12.00 10.00'],
      'standard/dispute/corrected': ['amount-differs chargeback 90.00 100.00'],
      'standard/dispute/ghost': ['dead-letter 100.00 0.00'],
    });
    const totals = Object.fromEntries(
      report.totals.map(({ aspect, shop, inBooks }) => [aspect, [shop.value, inBooks.value]]),
    );
    expect(totals).toMatchObject({
      chargeback: ['390.00', '300.00'],
      'chargeback-won': ['100.00', '100.00'],
      bill: ['59.00', '50.00'],
      fee: ['15.00', '15.00'],
      receipt: ['0.00', '0.00'],
      other: ['0.00', '0.00'],
    });
    expect(report.apart).toEqual([{ why: 'not-booked', count: 1, value: '7.00' }]);
  });

  it('knows why one is missing whose message was about the order, too', async () => {
    harness = await OrderHarness.embedded({ PROVIDER_ALLOWED_NETWORKS: '127.0.0.0/8' });
    const api = await ProviderApiServer.start((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(CHARGED_BACK_ORDER);
    });
    await connectPagarme(harness, api.url);
    await harness.table('category', { chargebacks: 'no-such-category' });
    await sendChargedBack(harness, 'hook_1');
    await api.stop();
    const period = new URLSearchParams({
      source: 'pagarme',
      from: '2026-07-01',
      to: '2026-08-31',
    }).toString();
    const report = (await harness.service.admin(`completeness?${period}`)) as CompletenessView;
    expect(report.entities).toMatchObject({ orders: 1, disputes: 1 });
    const { id } = await harness.lastDelivery();
    const [differing] = report.items.filter(({ kind }) => kind === 'dispute');
    expect(differing?.differences).toMatchObject([{ code: 'dead-letter', delivery: id }]);
  });
});

it('an order in another currency is in no sum, and named where it waits for a person', async () => {
  harness = await OrderHarness.embedded();
  await order(1);
  await order(2, { currency: 'USD', total: '30.00' }, { value: '30.00' });
  const report = await ask();
  expect(report).toMatchObject({
    ...{ currency: 'BRL', entities: { orders: 2, otherCurrency: 1, differing: 1 }, differences: 1 },
    items: [{ businessKey: 'standard/order/2', currency: 'USD', total: '30.00', paid: '30.00' }],
  });
  expect(found(report)).toEqual({ 'standard/order/2': ['dead-letter'] });
  for (const aspect of ['schedule', 'receipt'])
    expect(report.totals.find((row) => row.aspect === aspect)).toMatchObject({
      ...{ shop: { count: 1, value: '100.00' }, inBooks: { count: 1, value: '100.00' }, difference: '0.00' },
    });
});

it('before a finance service, what change detection saw of schedules counts', async () => {
  harness = await OrderHarness.remote({ uniqueDocuments: true, cacheMs: 0 }, { WATCH_EVERY: '60' });
  for (const number of [1, 2, 3]) await order(number);
  const schedules = async (): Promise<{ value: number; gone: boolean }[]> => {
    const { prisma } = harness.service.database;
    await harness.service.part(PollLeases).ensure(new Date());
    await prisma.pollLease.updateMany({ data: { dueAt: new Date(0) } });
    await prisma.$executeRaw`update watch_customer set tried_at = 'epoch'`;
    await harness.service.part(ChangeDetector).run();
    return prisma.$queryRaw<{ value: number; gone: boolean }[]>`
      select (data ->> 'value')::float8 as value, gone from watch_record where kind = 'customer-schedules' order by gone, value`;
  };
  // As if they had been booked an hour ago: what Ponte does just now is not held against the service.
  await harness.service.database.prisma.$executeRaw`
    update finance_call set announced_at = announced_at - interval '1 hour', updated_at = updated_at - interval '1 hour'`;
  await until(async () => (await schedules()).length === 3);
  expect(found(await ask())).toEqual({});

  const { prisma: books } = harness.books;
  await books.$executeRaw`update schedule set value_minor = value_minor + 1 where reference = 'standard/order/2'`;
  await harness.books.transaction(async (tx) => {
    await tx.$executeRaw`select set_config('session_replication_role', 'replica', true)`;
    await tx.$executeRaw`delete from entry e using schedule s where s.reference = 'standard/order/3' and s.id in (e.debit_id, e.credit_id)`;
    await tx.$executeRaw`delete from schedule where reference = 'standard/order/3'`;
  });
  await until(async () => {
    const seen = await schedules();
    return seen.some(({ gone }) => gone) && seen.some(({ value }) => value !== 100);
  });
  const report = await ask();
  expect(found(report)).toEqual({
    'standard/order/2': ['changed-in-books schedule 100.00 100.01'],
    'standard/order/3': ['removed-in-books schedule 100.00 0.00'],
  });
  expect(report).toMatchObject({ books: 'observed' });
  expect(report.totals[0]).toMatchObject({
    booked: { count: 3, value: '300.00' },
    inBooks: { count: 2, value: '200.01' },
  });
});
