import { newId } from '../../../src/kernel/identifier';
import { CalendarDate } from '../../../src/kernel/calendar-date';
import { postEntries } from '../../../src/finance/embedded/ledger/posting';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { TestService } from '../../support/service';

let service: TestService;
let client: OperatorsClient;
let supplier: string;
let account: string;
let category: string;
let opening: string;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
  supplier = await client.make('/suppliers', { name: 'Padaria' });
  const groupId = await client.make('/category-groups', { referenceCode: '2', name: 'Costs' });
  category = await client.make('/categories', { referenceCode: '2.1', name: 'Bread', type: 'out', groupId });
  account = await openAccount('Main');
  opening = await idOfEntry('/entries');
});
afterAll(() => service.stop());

async function openAccount(name: string): Promise<string> {
  const body = { name, openBalance: 1000, dateOfOpenBalance: '2026-01-01' };
  return (await client.finance('post', '/accounts', body)).body as string;
}

async function idOfEntry(path: string): Promise<string> {
  const [entry] = await client.items(path);
  return entry?.['id'] as string;
}

function debit(fields: object = {}): object {
  return { stakeholderId: supplier, value: '12.34', dueDate: '2026-02-01', categoryId: category, ...fields };
}

function payment(fields: object = {}): object {
  return { accountId: account, value: '12.34', date: '2026-02-01', ...fields };
}

describe('POST schedules/debit', () => {
  it('registers what is owed, exactly, and says so in the audit log', async () => {
    const id = await client.make(
      '/schedules/debit',
      debit({ currency: 'BRL', description: 'Bread', reference: 'NF 1', reason: 'by hand' }),
    );
    const row = await service.database.prisma.schedule.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({
      organizationId: client.id,
      kind: 'debit',
      valueMinor: 1234n,
      openMinor: 1234n,
      description: 'Bread',
      reference: 'NF 1',
      categoryId: category,
    });
    expect(row.dueDate.toISOString()).toMatch(/^2026-02-01/);
    expect(await client.lastAudit()).toEqual({
      action: 'debit-schedule.create',
      subject: id,
      before: null,
      after: { stakeholderId: supplier, value: '12.34', currency: 'BRL', dueDate: '2026-02-01' },
      reason: 'by hand',
    });
  });

  it.each([
    [{ value: 12.34 }, '422 validation-failed /value'],
    [{ value: '12.345' }, '422 validation-failed /value'],
    [{ value: '1e3' }, '422 validation-failed /value'],
    [{ value: '12,34' }, '422 validation-failed /value'],
    [{ value: '0.00' }, '422 validation-failed /value'],
    [{ value: '-1.00' }, '422 validation-failed /value'],
    [{ value: '1000000000000.00' }, '422 validation-failed /value'],
    [{ currency: 'USD' }, '422 validation-failed /currency'],
    [{ dueDate: '2026-02-30' }, '422 validation-failed /dueDate'],
    [{ dueDate: null }, '422 validation-failed /dueDate'],
    [{ stakeholderId: '0197a5b0-0000-7000-8000-000000000000' }, '422 validation-failed /stakeholderId'],
    [{ categoryId: '0197a5b0-0000-7000-8000-000000000000' }, '422 validation-failed /categoryId'],
  ])('refuses %j', async (fields, refusal) => {
    expect(refusalOf(await client.send('post', '/schedules/debit', debit(fields)))).toBe(refusal);
    expect(await client.items('/entries?kind=payable')).toEqual([]);
  });
});

describe('POST schedules/debit/{id}/payments', () => {
  it('pays in part, then the rest, never more', async () => {
    const id = await client.make('/schedules/debit', debit());
    const first = await client.make(
      `/schedules/debit/${id}/payments`,
      payment({ value: '2.34', identifier: 'PIX 1' }),
    );
    expect(await client.lastAudit()).toMatchObject({
      action: 'payment.create',
      subject: first,
      after: { scheduleId: id, accountId: account, value: '2.34', currency: 'BRL', date: '2026-02-01' },
    });
    const more = await client.send('post', `/schedules/debit/${id}/payments`, payment({ value: '10.01' }));
    expect(refusalOf(more)).toMatch(/^422 exceeds-open-value/);
    await client.make(`/schedules/debit/${id}/payments`, payment({ value: '10.00' }));
    expect((await client.items(`/entries?schedule=${id}&kind=payment`)).map(({ value }) => value)).toEqual([
      '10.00',
      '2.34',
    ]);
  });

  it('lets the first of many have it', async () => {
    const id = await client.make('/schedules/debit', debit());
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => client.send('post', `/schedules/debit/${id}/payments`, payment())),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    const payments = (await client.items('/audit')).filter(({ action }) => action === 'payment.create');
    expect(payments).toHaveLength(1);
  });

  it('knows only its own', async () => {
    const id = await client.make('/schedules/debit', debit());
    const other = await OperatorsClient.of(service);
    const reply = await other.send('post', `/schedules/debit/${id}/payments`, payment());
    expect(reply.status).toBeGreaterThanOrEqual(404);
    expect(reply.status).toBeLessThan(500);
    expect(
      refusalOf(await client.send('post', `/schedules/debit/${id}/payments`, payment({ currency: 'USD' }))),
    ).toBe('422 validation-failed /currency');
  });
});

describe('GET entries', () => {
  it('shows what was booked, newest first', async () => {
    const id = await client.make('/schedules/debit', debit({ description: 'Bread', reference: 'NF 1' }));
    await client.make(`/schedules/debit/${id}/payments`, payment({ identifier: 'PIX 1' }));
    const [paid, owed, opened] = await client.items('/entries');
    expect(paid).toMatchObject({
      kind: 'payment',
      date: '2026-02-01',
      value: '12.34',
      currency: 'BRL',
      debit: { book: 'payable', id },
      credit: { book: 'account', id: account },
      identifier: 'PIX 1',
      isReconciliated: false,
      isTransfer: false,
      isFlagged: false,
      reversesId: null,
    });
    expect(owed).toMatchObject({
      kind: 'payable',
      value: '12.34',
      debit: { book: 'expense', id: category },
      credit: { book: 'payable', id },
      stakeholder: { id: supplier, name: 'Padaria', isDeleted: false },
      category: { id: category, name: 'Bread', isDeleted: false },
      description: 'Bread',
      reference: 'NF 1',
    });
    expect(opened).toMatchObject({ id: opening, kind: 'opening', value: '1000.00', stakeholder: null });
    expect(await client.items(`/entries?limit=1&after=${owed?.['id'] as string}`)).toEqual([opened]);
    expect((await client.items(`/entries?account=${account}`)).map(({ value }) => value)).toEqual([
      '-12.34',
      '1000.00',
    ]);
    expect((await client.items(`/entries?schedule=${id}`)).map(({ kind }) => kind)).toEqual([
      'payment',
      'payable',
    ]);
  });

  it('shows whom and what was deleted since as deleted', async () => {
    await client.make('/schedules/debit', debit());
    await client.send('delete', `/suppliers/${supplier}`);
    await client.send('delete', `/categories/${category}`);
    expect(await client.items('/entries?kind=payable')).toMatchObject([
      { stakeholder: { id: supplier, isDeleted: true }, category: { id: category, isDeleted: true } },
    ]);
  });

  it('shows a transfer from the view of the account asked for', async () => {
    const savings = await openAccount('Savings');
    await post({
      kind: 'transfer',
      debit: { book: 'account', id: savings },
      credit: { book: 'account', id: account },
    });
    const seen = async (from: string) => (await client.items(`/entries?kind=transfer${from}`))[0];
    expect(await seen('')).toMatchObject({ value: '10.00', isTransfer: true });
    expect(await seen(`&account=${account}`)).toMatchObject({ value: '-10.00' });
    expect(await seen(`&account=${savings}`)).toMatchObject({ value: '10.00' });
  });

  it('leaves out what was taken back, and what took it back, unless asked', async () => {
    const sides = {
      debit: { book: 'expense', id: category },
      credit: { book: 'account', id: account },
    } as const;
    const paid = await post({ kind: 'payment', ...sides });
    const back = await post({ kind: 'reversal', debit: sides.credit, credit: sides.debit, reversesId: paid });
    expect((await client.items('/entries')).map(({ id }) => id)).toEqual([opening]);
    expect((await client.items('/entries?reversed=true')).map(({ id }) => id)).toEqual([back, paid, opening]);
    expect(await client.items('/entries?kind=reversal')).toMatchObject([{ id: back, reversesId: paid }]);
    expect(refusalOf(await client.send('put', `/entries/${paid}/reconciliation`))).toBe('409 conflict');
    expect(refusalOf(await client.send('put', `/entries/${back}/reconciliation`))).toBe('409 conflict');
  });

  it.each(['kind=gift', 'kinds=receipt', 'from=2026-01-01', 'account=main', 'schedule=1', 'reversed=yes'])(
    'refuses %s',
    async (query) => {
      expect(refusalOf(await client.send('get', `/entries?${query}`))).toBe('400 malformed-request');
    },
  );
});

describe('PUT and DELETE entries/{id}/reconciliation', () => {
  it('marks and unmarks, once each in the audit log', async () => {
    const path = `/entries/${opening}/reconciliation`;
    expect((await client.send('put', path)).status).toBe(204);
    expect((await client.send('put', path)).status).toBe(204);
    expect(await client.items('/entries')).toMatchObject([{ id: opening, isReconciliated: true }]);
    expect((await client.send('delete', path, { reason: 'the wrong line' })).status).toBe(204);
    expect(await client.items('/entries')).toMatchObject([{ id: opening, isReconciliated: false }]);
    expect(refusalOf(await client.send('delete', path))).toBe('404 not-found');
    const [unmarked, marked, before] = await client.items('/audit');
    expect([unmarked, marked]).toMatchObject([
      { action: 'entry.unreconcile', subject: opening, reason: 'the wrong line' },
      { action: 'entry.reconcile', subject: opening, after: { isReconciliated: true } },
    ]);
    expect(before).not.toMatchObject({ action: 'entry.reconcile' });
  });

  it('is for entries of an account of its own', async () => {
    await client.make('/schedules/debit', debit());
    const owed = await idOfEntry('/entries?kind=payable');
    expect(refusalOf(await client.send('put', `/entries/${owed}/reconciliation`))).toBe('409 conflict');
    const other = await OperatorsClient.of(service);
    expect(refusalOf(await other.send('put', `/entries/${opening}/reconciliation`))).toBe('404 not-found');
    expect(refusalOf(await other.send('delete', `/entries/${opening}/reconciliation`))).toBe('404 not-found');
    expect(await other.items('/entries?reversed=true')).toEqual([]);
  });
});

type Posted = Parameters<typeof postEntries>[1][number];

/** 10.00 on 1 February, straight into the ledger. @returns its identifier */
async function post(entry: Pick<Posted, 'kind' | 'debit' | 'credit' | 'reversesId'>): Promise<string> {
  const id = newId();
  const date = CalendarDate.of(2026, 2, 1);
  await service.database.transaction((tx) =>
    postEntries(tx, [{ id, organizationId: client.id, date, amountMinor: 1000n, ...entry }]),
  );
  return id;
}
