import { CostCentersPort } from '../../src/finance/api/ports/cost-centers.port';
import { CustomersPort } from '../../src/finance/api/ports/customers.port';
import { Payables } from '../../src/finance/embedded/payables/payables';
import { PaymentsPort } from '../../src/finance/api/ports/payments.port';
import { ReceiptsPort } from '../../src/finance/api/ports/receipts.port';
import { SchedulesPort } from '../../src/finance/api/ports/schedules.port';
import { CalendarDate } from '../../src/kernel/calendar-date';
import { newId } from '../../src/kernel/identifier';
import { Money } from '../../src/kernel/money';
import { Problem } from '../../src/kernel/problem';
import { Company } from '../support/company';
import { payable } from '../support/payables';
import { PolledRemote } from '../support/polled-remote';

const DAY = CalendarDate.parse('2026-03-10');
const brl = (text: string) => Money.parse(text, 'BRL');

describe('polling the books of a service elsewhere', () => {
  let remote: PolledRemote;
  let account: string;
  let costCenter: string;

  beforeAll(async () => {
    remote = await PolledRemote.open(60_000);
    await load(remote.company);
    await remote.app.poll();
  });
  afterAll(() => remote.close());
  beforeEach(() => newLines());

  const newLines = () => remote.app.changeLines(remote.organization.id);
  const poll = (seconds?: number) => remote.app.poll(seconds);
  const front = <T>(token: abstract new (...args: never[]) => T): T => remote.app.testing.app.get(token);
  const there = <T>(token: abstract new (...args: never[]) => T): T => remote.books.app.get(token);
  const books = () => remote.books.database.prisma;

  async function load({ organization: { id: organizationId } }: Company): Promise<void> {
    account = (await books().account.findFirstOrThrow({ where: { organizationId, code: 'main' } })).id;
    costCenter = (await books().costCenter.findFirstOrThrow({ where: { organizationId } })).id;
  }

  /** Through the Ponte that polls. */
  async function receivable(value = '100.00'): Promise<string> {
    const stakeholderId = await front(CustomersPort).create(remote.organization, {
      name: 'Lia Campos',
    });
    return front(SchedulesPort).createCredit(remote.organization, {
      stakeholderId,
      value: brl(value),
      dueDate: CalendarDate.parse('2030-01-01'),
    });
  }

  const receipt = (scheduleId: string, value: string) => ({
    scheduleId,
    accountId: account,
    date: DAY,
    value: brl(value),
  });
  const receiveThere = (id: string, value: string) =>
    there(ReceiptsPort).registerForSchedule(remote.company.organization, id, receipt(id, value));
  const receiveHere = (id: string, value: string) =>
    front(ReceiptsPort).registerForSchedule(remote.organization, id, receipt(id, value));

  /** A call that may be in effect. @returns what has it turn out that it is not */
  async function unsettled(operation: string, request: object): Promise<() => Promise<unknown>> {
    const { financeCall } = remote.app.testing.database.prisma;
    const id = newId();
    const now = remote.app.clock.now();
    const times = { nextAt: now, createdAt: now, updatedAt: now };
    const name = { id, organizationId: remote.organization.id, effectKey: id, part: 1 };
    await financeCall.create({ data: { ...name, operation, request, state: 'unknown', ...times } });
    return () => financeCall.update({ where: { id }, data: { state: 'refused', nextAt: null } });
  }

  it('announces that a receivable of ours was paid there, once', async () => {
    const id = await receivable();
    await poll();
    await newLines();
    await receiveThere(id, '100.00');
    await poll();
    await poll();
    expect((await newLines()).sort()).toEqual([
      `balance.changed account/${account}`,
      `schedule.paid schedule/${id}`,
    ]);
  });

  it('announces what was received there in part, and not again what Ponte received', async () => {
    const id = await receivable();
    await poll();
    await newLines();
    await receiveHere(id, '10.00');
    await poll();
    await poll();
    expect((await newLines()).filter((line) => line.startsWith('schedule'))).toEqual([]);
    await receiveHere(id, '20.00');
    await receiveThere(id, '5.00');
    await poll();
    await poll();
    const announced = await remote.app.changes(remote.organization.id);
    expect(announced.filter(({ type }) => type.startsWith('schedule'))).toEqual([
      expect.objectContaining({ type: 'schedule.changed', data: expect.objectContaining({ openValue: 65 }) }),
    ]);
    await receiveHere(id, '65.00');
    await poll();
    expect(await newLines()).toContain(`schedule.paid schedule/${id}`);
  });

  it('waits with a receivable while a receipt of Ponte’s may be in effect', async () => {
    const id = await receivable();
    await poll();
    await newLines();
    await receiveThere(id, '30.00');
    const refused = await unsettled('receipts.registerForSchedule', {
      path: { ScheduleId: id },
      body: { value: 30 },
    });
    await poll();
    expect((await newLines()).filter((line) => line.startsWith('schedule'))).toEqual([]);
    await refused();
    await poll();
    expect(await newLines()).toEqual([`schedule.changed schedule/${id}`]);
  });

  it('announces that a payable was made, paid, and is open again', async () => {
    const debit = await payable(remote.company, { dueDate: '2030-01-01' });
    await poll();
    expect(await newLines()).toEqual([`debit-schedule.created debit-schedule/${debit}`]);
    const { organization } = remote.company;
    const payment = await remote.books.database.transaction((tx) =>
      there(Payables).pay(tx, organization, debit, { accountId: account, date: DAY, value: brl('50.00') }),
    );
    await poll();
    expect((await newLines()).sort()).toEqual([
      `balance.changed account/${account}`,
      `schedule.paid schedule/${debit}`,
    ]);
    await there(PaymentsPort).remove(organization, debit, payment);
    await poll();
    expect(await newLines()).toContain(`schedule.reopened schedule/${debit}`);
  });

  it('does not announce again what Ponte sent, and announces what was changed there afterwards', async () => {
    await front(CostCentersPort).update(remote.organization, costCenter, { description: ' Loja  Nova ' });
    await poll();
    await poll();
    expect(await newLines()).toEqual([`cost-center.updated cost-center/${costCenter}`]);
    await there(CostCentersPort).update(remote.company.organization, costCenter, { externalCode: 'nova' });
    await poll();
    expect(await newLines()).toEqual([`cost-center.updated cost-center/${costCenter}`]);
  });

  it('waits with a record that a call of unknown outcome is about', async () => {
    const refused = await unsettled('costCenters.update', { path: { CostCenterId: costCenter } });
    await books().costCenter.update({ where: { id: costCenter }, data: { description: 'Asked for' } });
    await poll();
    expect(await newLines()).toEqual([]);
    await refused();
    await poll();
    expect(await newLines()).toEqual([`cost-center.updated cost-center/${costCenter}`]);
  });

  it('announces nothing of a record that is as it was once no call is about it any more', async () => {
    const { description } = await books().costCenter.findFirstOrThrow({ where: { id: costCenter } });
    const refused = await unsettled('costCenters.update', { path: { CostCenterId: costCenter } });
    await books().costCenter.update({ where: { id: costCenter }, data: { description: 'For a moment' } });
    await poll();
    await books().costCenter.update({ where: { id: costCenter }, data: { description } });
    await refused();
    await poll();
    expect(await newLines()).toEqual([]);
  });

  it('is not answered from what was read a moment ago', async () => {
    remote.app.pass(301);
    const list = { top: 500, skip: 0 };
    await front(CostCentersPort).list(remote.organization, list);
    await books().costCenter.update({ where: { id: costCenter }, data: { description: 'Since then' } });
    expect((await front(CostCentersPort).list(remote.organization, list)).items[0]?.description).not.toBe(
      'Since then',
    );
    await poll(0);
    expect(await newLines()).toEqual([`cost-center.updated cost-center/${costCenter}`]);
  });

  it('polls the other customers as ever when one of them can never be read', async () => {
    const [unreadable, ...others] = [await receivable(), await receivable(), await receivable()];
    await poll();
    const customerOf = async (id: string) =>
      (await books().schedule.findUniqueOrThrow({ where: { id } })).stakeholderId;
    const failing = await customerOf(unreadable);
    const port = front(SchedulesPort);
    const readAsItIs = port.listOfCustomer.bind(port);
    port.listOfCustomer = (organization, customerId, list) => {
      if (customerId === failing) throw new Problem('finance-misbehaved', 'its listing cannot be read');
      return readAsItIs(organization, customerId, list);
    };
    try {
      for (let time = 0; time < 9; time += 1) await poll();
      await newLines();
      for (const id of others) await receiveThere(id, '100.00');
      for (let time = 0; time < 2; time += 1) await poll();
    } finally {
      port.listOfCustomer = readAsItIs;
    }
    const paid = (await newLines()).filter((line) => line.startsWith('schedule.paid'));
    expect(paid.sort()).toEqual(others.map((id) => `schedule.paid schedule/${id}`).sort());
  });

  it('begins anew when the connection leads to the books of another company', async () => {
    const other = await Company.found(remote.books.database);
    await remote.connect(other);
    remote.app.pass(10);
    await poll();
    await poll();
    await poll();
    expect(await newLines()).toEqual([]);
    await load(other);
    await books().costCenter.update({ where: { id: costCenter }, data: { description: 'Of the other' } });
    await poll();
    expect(await newLines()).toEqual([`cost-center.updated cost-center/${costCenter}`]);
  });
});
