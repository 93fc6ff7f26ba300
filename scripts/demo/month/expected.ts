import { accountOf, BANK, GATEWAY_ACCOUNTS } from './accounts';
import { decimal, keyOf, type Month, type Order, type Payment, SHOPS, sum } from './facts';

/** An amount that the books have to show. */
export interface Figure {
  readonly section: string;
  readonly what: string;
  readonly cents: bigint;
}

/** What a person is asked to deal with. */
export interface LeftToPerson {
  readonly code: string;
  readonly businessKey: string;
  /** Decimal text. */
  readonly value: string;
}

/** What the rules in force are to book: names of rules. */
export type RulesInForce = ReadonlySet<string>;

/**
 * What the books must say of the month, worked out from its facts alone. Where no rule books edits, commissions or bills,
 * they are not expected.
 */
export function expectedFigures(month: Month, rules: RulesInForce): Figure[] {
  return [
    ...SHOPS.flatMap((shop) =>
      shopFigures(
        shop,
        month.orders.filter((order) => order.shop === shop),
        rules,
      ),
    ),
    ...GATEWAY_ACCOUNTS.flatMap(({ name }) => gatewayFigures(name, month, rules)),
    ...bankFigures(month, rules),
  ];
}

/** What the month leaves to a person: what no account has, and what no rule books. */
export function expectedLeft({ orders, bills }: Month, rules: RulesInForce): LeftToPerson[] {
  const ofOrders = orders.flatMap((order) => {
    const left = (code: string, cents: bigint): LeftToPerson => ({
      ...{ code, businessKey: keyOf(order), value: decimal(cents) },
    });
    const credit = order.payments.filter(({ isCredit }) => isCredit);
    return [
      ...credit.map(({ cents }) => left('store-credit-not-booked', cents)),
      ...(rules.has('order-edited')
        ? []
        : order.edits.map(({ cents }) => left('edit-not-booked', cents < 0n ? -cents : cents))),
      ...(leftOverOf(order, rules) > 0n ? [left('payment-left-over', leftOverOf(order, rules))] : []),
      ...(order.expiredAt !== undefined && rules.has('order-expired')
        ? [left('rule-charge-expired', order.cents)]
        : []),
    ];
  });
  const ofBills = bills.map(({ id, cents }) => ({
    ...{ code: 'bill-not-booked', businessKey: `standard/bill/${id}`, value: decimal(cents) },
  }));
  return [...ofOrders, ...(rules.has('bill-paid') ? [] : ofBills)];
}

function shopFigures(shop: string, orders: readonly Order[], rules: RulesInForce): Figure[] {
  const figure = (what: string, of: (order: Order) => bigint): Figure => ({
    ...{ section: `Shop ${shop}`, what, cents: sum(orders.map(of)) },
  });
  return [
    figure('sold', (order) => soldOf(order, rules)),
    figure('received', (order) => receivedOf(order, rules)),
    figure('written off', (order) => writtenOffOf(order, rules)),
    figure('open', (order) => soldOf(order, rules) - receivedOf(order, rules) - writtenOffOf(order, rules)),
    figure('refunded', ({ refunds }) => sum(refunds.map(({ cents }) => cents))),
    figure('charged back and lost', ({ disputes }) =>
      sum(disputes.map(({ cents, isWon }) => (isWon ? 0n : cents))),
    ),
  ];
}

/** A sale is booked when it is placed, or, where no rule does that, when it is paid. */
function soldOf(order: Order, rules: RulesInForce): bigint {
  if (order.payments.length === 0 && !rules.has('order-created')) return 0n;
  const increases = order.edits.filter(({ cents }) => cents > 0n).map(({ cents }) => cents);
  return order.cents + (rules.has('order-edited') ? sum(increases) : 0n);
}

function paidInMoney({ payments }: Pick<Order, 'payments'>): Payment[] {
  return payments.filter(({ isCredit }) => !isCredit);
}

function receivedOf(order: Order, rules: RulesInForce): bigint {
  return sum(paidInMoney(order).map(({ cents }) => cents)) - leftOverOf(order, rules);
}

/** What was paid beyond what was sold, as the books have it. */
function leftOverOf(order: Order, rules: RulesInForce): bigint {
  const over = sum(paidInMoney(order).map(({ cents }) => cents)) - soldOf(order, rules);
  return over > 0n ? over : 0n;
}

/** What was sold, is not paid and will not be: the order was cancelled. */
function writtenOffOf(order: Order, rules: RulesInForce): bigint {
  return order.cancelledAt === undefined ? 0n : soldOf(order, rules) - receivedOf(order, rules);
}

function gatewayFigures(account: string, month: Month, rules: RulesInForce): Figure[] {
  const isHere = ({ gateway }: { gateway: string }): boolean => accountOf(gateway) === account;
  const orders = month.orders;
  const payments = orders.flatMap(paidInMoney).filter(isHere);
  const leftOver = orders.filter((order) => leftOverOf(order, rules) > 0n && isHere(lastPaid(order)));
  const disputes = orders.flatMap((order) => order.disputes).filter(isHere);
  const amounts: [string, bigint][] = [
    [
      'payments',
      sum(payments.map(({ cents }) => cents)) - sum(leftOver.map((order) => leftOverOf(order, rules))),
    ],
    ['fees', -sum(payments.map(({ fee }) => fee))],
    [
      'commissions',
      rules.has('marketplace-commission')
        ? -commissionsOf(orders.filter((order) => paidInMoney(order).some(isHere)))
        : 0n,
    ],
    [
      'refunds',
      -sum(
        orders
          .flatMap((order) => order.refunds)
          .filter(isHere)
          .map(({ cents }) => cents),
      ),
    ],
    ['chargebacks', -sum(disputes.map(({ cents }) => cents))],
    ['chargebacks won', sum(disputes.map(({ cents, isWon }) => (isWon ? cents : 0n)))],
    ['payouts', -sum(month.payouts.filter(isHere).map(({ cents }) => cents))],
  ];
  const all = [...amounts, ['balance', sum(amounts.map(([, cents]) => cents))] as const];
  return all.map(([what, cents]) => ({ section: account, what, cents }));
}

function commissionsOf(orders: readonly Order[]): bigint {
  return sum(orders.map(({ commission = 0n }) => commission));
}

function lastPaid({ payments }: Order): { gateway: string } {
  return payments.at(-1) ?? { gateway: '' };
}

function bankFigures({ payouts, bills }: Month, rules: RulesInForce): Figure[] {
  const paidOut = sum(payouts.map(({ cents }) => cents));
  const paid = rules.has('bill-paid') ? -sum(bills.map(({ cents }) => cents)) : 0n;
  const figure = (what: string, cents: bigint): Figure => ({ section: BANK, what, cents });
  return [figure('payouts', paidOut), figure('bills', paid), figure('balance', paidOut + paid)];
}
