import { Environment } from '@marcbachmann/cel-js';
import { Engine, type RuleProperties } from 'json-rules-engine';
import jsonata from 'jsonata';

/*
 * What a simple rule makes of a paid order, in three other engines: two conditions, and the values of the customer, the
 * receivable and the receipt. They make less of it than Ponte does: amounts are numbers, nothing has a type, no plan with
 * business keys comes out, and nothing is said of edits and late payments. `bare-cel.ts` has the whole rule.
 */

/** The order as a shop's JSON has it. */
export const ORDER = {
  key: 'shop/order/1001',
  source: 'shop',
  number: '#1001',
  total: 100,
  paidOn: '2026-03-04',
  instalments: 3,
  test: false,
  customer: {
    name: 'Ana Souza',
    document: '529.982.247-25',
    email: 'ana@example.com',
    phone: '',
    address: { line1: 'Rua das Flores', number: '10', city: 'Santos', state: 'SP', country: 'BR' },
  },
  payment: { key: 'shop/order/1001/payment/1', gateway: 'pagbank', value: 100, storeCredit: false },
};

export const TABLES = {
  category: { 'online-sales': '1.1.01' },
  gatewayAccount: { pagbank: 'pagbank-account', default: 'main' },
};

/** Parts that add up, a month apart, in whole cents. */
function instalments(total: number, count: number, first: string): { value: number; dueDate: string }[] {
  const cents = Math.round(total * 100);
  const [year = 0, month = 1, day = 1] = first.split('-').map(Number);
  return Array.from({ length: count }, (_, index) => ({
    value: (Math.floor(cents / count) + (index < cents % count ? 1 : 0)) / 100,
    dueDate: new Date(Date.UTC(year, month - 1 + index, day)).toISOString().slice(0, 10),
  }));
}

/** What the rule makes of the order, or undefined where it does not apply. */
export type Applied = () => unknown;

/** In the CEL library with nothing added: amounts are floating-point numbers, and days are text. */
export function bareCelOfNumbers(): Applied {
  const environment = new Environment()
    .registerVariable('order', 'map')
    .registerVariable('tables', 'map')
    .registerFunction(
      'instalments(double, int, string): list',
      (total: number, count: bigint, first: string) => instalments(total, Number(count), first),
    );
  const parse = (source: string) => environment.parse(source);
  const conditions = ['order.total > 0.0', '!order.test'].map(parse);
  const values = [
    ...['order.customer.name', 'order.customer.document', 'order.customer.email', 'order.customer.phone'],
    ...['order.customer.address', 'order.key', 'order.total', 'order.paidOn'],
    'order.source + " order " + order.number',
    'tables.category["online-sales"]',
    'instalments(order.total, order.instalments, order.paidOn)',
    ...['!order.payment.storeCredit', 'order.payment.key', 'order.payment.value', 'order.paidOn'],
    'tables.gatewayAccount[order.payment.gateway]',
  ].map(parse);
  const order = { ...ORDER, instalments: 3n };
  return () => {
    const names = { order, tables: TABLES };
    for (const condition of conditions) if (condition(names) !== true) return undefined;
    return values.map((value) => value(names) as unknown);
  };
}

const JSONATA = `(order.total > 0 and order.test = false) ? {
  "customer": {
    "name": order.customer.name, "document": order.customer.document, "email": order.customer.email,
    "phone": order.customer.phone, "address": order.customer.address
  },
  "schedule": {
    "key": order.key, "value": order.total, "dueDate": order.paidOn,
    "description": order.source & " order " & order.number,
    "category": $lookup(tables.category, "online-sales"),
    "instalments": $instalments(order.total, order.instalments, order.paidOn)
  },
  "receipt": {
    "key": order.payment.key, "value": order.payment.value, "date": order.paidOn,
    "account": $lookup(tables.gatewayAccount, order.payment.gateway)
  }
}`;

/** The rule as one JSONata expression. */
export function jsonataRule(): () => Promise<unknown> {
  const expression = jsonata(JSONATA);
  expression.registerFunction('instalments', instalments);
  return () => expression.evaluate({ order: ORDER, tables: TABLES }) as Promise<unknown>;
}

/** The rule in json-rules-engine: it decides and hands facts on. It cannot make text, look up in a table or split an amount. */
export function jsonRulesEngineRule(): () => Promise<unknown> {
  const of = (path: string) => ({ fact: 'order', path });
  const rule: RuleProperties = {
    conditions: {
      all: [
        { fact: 'order', path: '$.total', operator: 'greaterThan', value: 0 },
        { fact: 'order', path: '$.test', operator: 'equal', value: false },
      ],
    },
    event: {
      type: 'order-paid',
      params: {
        ...{
          name: of('$.customer.name'),
          document: of('$.customer.document'),
          email: of('$.customer.email'),
        },
        ...{ phone: of('$.customer.phone'), address: of('$.customer.address'), key: of('$.key') },
        ...{ value: of('$.total'), dueDate: of('$.paidOn'), number: of('$.number'), source: of('$.source') },
        ...{ paymentKey: of('$.payment.key'), paid: of('$.payment.value'), gateway: of('$.payment.gateway') },
      },
    },
  };
  const engine = new Engine([rule], { replaceFactsInEventParams: true });
  return async () => (await engine.run({ order: ORDER })).events;
}
