import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, BalanceView, DeliveryView, EffectView, ScheduleView } from './api';

/** What the service has once everything sent has been worked on. */
export interface Outcome {
  deliveries: DeliveryView[];
  customers: number;
  schedules: ScheduleView[];
  payments: { key: string; value: string; receipts: number }[];
  /** What left an account: refunds and fees. */
  paidOut: { key: string; value: string }[];
  balances: BalanceView[];
}

/** One thing that must be so. */
export interface Expectation {
  what: string;
  isAsExpected: boolean;
}

const SETTLE_LIMIT_MS = 20_000;

/** Waits until no delivery waits any more. @throws Error after 20 seconds */
export async function settle(api: Api): Promise<void> {
  const deadline = Date.now() + SETTLE_LIMIT_MS;
  while ((await api.deliveries()).some(({ state }) => state === 'waiting')) {
    if (Date.now() > deadline) throw new Error('deliveries are still waiting after 20 s');
    await sleep(50);
  }
}

/** Reads what came of it all, through the same interface a finance system would use. */
export async function readOutcome(api: Api): Promise<Outcome> {
  const deliveries = await api.deliveries();
  const effects = new Map<string, EffectView>();
  for (const { id } of deliveries)
    for (const effect of await api.effectsOf(id)) effects.set(effect.key, effect);
  const all = [...effects.values()];
  const customers = [...new Set(outputs(all, 'customer.ensure'))];
  const schedules: ScheduleView[] = [];
  for (const customer of customers) schedules.push(...(await api.schedulesOf(customer)));
  const payments = all
    .filter(({ operation }) => operation === 'receipt.allocate')
    .map(({ key, value, output }) => ({ key, value: value ?? '', receipts: output.all?.length ?? 0 }));
  const paidOut = all
    .filter(({ operation }) => operation === 'payment.register')
    .map(({ key, value }) => ({ key: key.replace(/^payment\//, ''), value: value ?? '' }));
  const balances = await api.balances();
  return { deliveries, customers: customers.length, schedules, payments, paidOut, balances };
}

function outputs(effects: readonly EffectView[], operation: string): string[] {
  return effects.flatMap((effect) =>
    effect.operation === operation && effect.output.id ? [effect.output.id] : [],
  );
}

/** Compares the outcome with what an accountant would expect of the demo's orders. */
export function expectations({
  deliveries,
  customers,
  schedules,
  payments,
  paidOut,
  balances,
}: Outcome): Expectation[] {
  const values = (part: string): number[] =>
    schedules.filter(({ reference }) => reference.includes(part)).map(({ value }) => value);
  const dead = deliveries.filter(({ state }) => state === 'dead').map(({ reason }) => reason ?? '');
  const [main] = balances;
  return [
    { what: 'four customers, whatever arrived twice', isAsExpected: customers === 4 },
    {
      what: 'R$ 100.00 became 33.34 + 33.33 + 33.33',
      isAsExpected: values('5820013469001').join(' ') === '33.34 33.33 33.33',
    },
    {
      what: 'order 1002 became one schedule of R$ 259.90',
      isAsExpected: values('5820013469002').join() === '259.9',
    },
    {
      what: 'order 731 became one schedule of R$ 1349.99',
      isAsExpected: values('order/731').join() === '1349.99',
    },
    {
      what: 'the boleto of order 732 was waited for and is booked once, as it was paid: R$ 350.00',
      isAsExpected: waitedFor(deliveries, 'order/732') && values('order/732').join() === '350',
    },
    {
      what: 'every schedule is paid, nothing is open',
      isAsExpected: schedules.length === 6 && schedules.every(isSettled),
    },
    {
      what: 'four payments made six receipts',
      isAsExpected: payments.length === 4 && sum(payments.map((p) => p.receipts)) === 6,
    },
    {
      what: 'a refund of R$ 40.00 and a fee of R$ 54.25 left the account, once each',
      isAsExpected:
        paidOut
          .map(({ value }) => value)
          .sort()
          .join(' ') === '40.00 54.25',
    },
    { what: 'the account holds R$ 1965.64, to the cent', isAsExpected: main?.balance === 1965.64 },
    { what: 'the forged order left no trace', isAsExpected: deliveries.length === 13 },
    {
      what: 'two deliveries wait for a person, with a reason',
      isAsExpected: dead.length === 2 && dead.every((reason) => reason !== ''),
    },
    {
      what: 'the reason names the CPF and does not show it',
      isAsExpected: dead.some((reason) => /CPF/.test(reason) && !/123/.test(reason)),
    },
  ];
}

function waitedFor(deliveries: readonly DeliveryView[], order: string): boolean {
  return deliveries.some(
    ({ businessKey, events, state }) =>
      businessKey?.endsWith(order) && events.includes('order.pending') && state === 'done',
  );
}

function isSettled({ isPaid, openValue }: ScheduleView): boolean {
  return isPaid && openValue === 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
