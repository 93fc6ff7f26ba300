import { Books } from '../../../../test/support/books';
import { Company } from '../../../../test/support/company';
import { openTestReplicas } from '../../../../test/support/database';
import type { Database } from '../../../database/database';
import { CalendarDate } from '../../../kernel/calendar-date';
import { transferMoney } from '../accounts/transfers';
import { updateAccount } from '../accounts/account-update.repository';
import { newId } from '../../../kernel/identifier';
import { single } from '../../api/ports/outcome';
import { posting } from '../ledger/posting';
import { registerOne } from '../payments/direct-registrations';
import { reversePayment } from './payment-reversal.repository';

let replicas: Database[];
let companies: Company[];
let books: Books[];

beforeAll(async () => {
  replicas = await openTestReplicas(2);
});
beforeEach(async () => {
  const company = await Company.found(replicas[0]!);
  companies = replicas.map((database) => company.on(database));
  books = companies.map((each) => new Books(each));
});
afterEach(() => companies[0]!.verify());
afterAll(() => Promise.all(replicas.map((database) => database.close())));

/** All at once, on both replicas in turn. @returns how many were done */
async function atOnce(count: number, work: (replica: number, index: number) => Promise<unknown>) {
  const results = await Promise.allSettled(
    Array.from({ length: count }, (_, index) => work(index % 2, index)),
  );
  const refusals = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  return { done: count - refusals.length, refusals: refusals.map(({ reason }) => String(reason)) };
}

it('thirty-two payments of one payable at once never settle more than is open', async () => {
  const account = await books[0]!.account();
  const payable = await books[0]!.payable();
  const { done, refusals } = await atOnce(32, (replica) => books[replica]!.pay(payable, account, 1_300n));
  expect(done).toBe(23);
  expect(refusals.every((text) => text.includes('exceeds-open-value'))).toBe(true);
  expect(await companies[0]!.open([payable])).toEqual([100n]);
  expect(await books[0]!.balance(account)).toBe(-29_900n);
});

it('transfers to and fro at once neither deadlock nor lose money', async () => {
  const [one, two] = [await books[0]!.account(), await books[0]!.account()];
  const { organization } = companies[0]!;
  const { refusals } = await atOnce(40, (replica, index) => {
    const [originAccountId, destinyAccountId] = index % 4 < 2 ? [one, two] : [two, one];
    const value = books[0]!.money(index % 4 < 2 ? 500n : 300n);
    const transfer = {
      ...{ id: newId(), organization, value, date: CalendarDate.of(2026, 3, 10) },
      ...{ origin: originAccountId, destiny: destinyAccountId },
    };
    return replicas[replica]!.transaction((tx) =>
      posting(tx, async (own) => single(await transferMoney(own, [transfer]))),
    );
  });
  expect(refusals).toEqual([]);
  expect([await books[0]!.balance(one), await books[0]!.balance(two)]).toEqual([-4_000n, 4_000n]);
});

it('one payment taken back at once by many is taken back once', async () => {
  const account = await books[0]!.account();
  const payable = await books[0]!.payable();
  const payment = await books[0]!.pay(payable, account, 30_000n);
  const { done, refusals } = await atOnce(16, (replica) =>
    replicas[replica]!.transaction((tx) => reversePayment(tx, companies[0]!.organization, payable, payment)),
  );
  expect(done).toBe(1);
  expect(refusals.every((text) => text.includes('not-found'))).toBe(true);
  expect(await companies[0]!.open([payable])).toEqual([30_000n]);
  expect(await books[0]!.balance(account)).toBe(0n);
});

it('opening balances changed at once come to one of them', async () => {
  const account = await books[0]!.account();
  const { organization } = companies[0]!;
  const { refusals } = await atOnce(16, (replica, index) =>
    replicas[replica]!.transaction((tx) =>
      updateAccount(tx, organization, account, { openBalance: books[0]!.money(BigInt(index - 8)) }),
    ),
  );
  expect(refusals).toEqual([]);
  const { openBalanceMinor } = await replicas[0]!.prisma.account.findUniqueOrThrow({
    where: { id: account },
  });
  expect(await books[0]!.balance(account)).toBe(openBalanceMinor);
});

it('no payment slips in before an opening date that moves meanwhile', async () => {
  const { organization } = companies[0]!;
  for (let round = 0; round < 8; round++) {
    const accountId = await books[0]!.account();
    const value = books[0]!.money(100n);
    const { done } = await atOnce(2, (replica) =>
      replicas[replica]!.transaction<unknown>((tx) =>
        replica === 0
          ? updateAccount(tx, organization, accountId, { dateOfOpenBalance: CalendarDate.of(2026, 4, 1) })
          : registerOne(tx, organization, 'payment', {
              accountId,
              value,
              date: CalendarDate.of(2026, 3, 10),
            }),
      ),
    );
    expect(done).toBe(1);
  }
});
