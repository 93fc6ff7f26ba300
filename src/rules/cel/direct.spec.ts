import type { OrderFacts } from '../../events/event';
import { Money } from '../../kernel/money';
import { brl, ORGANIZATION, paidOrder, TABLES } from '../fixtures';
import { directRead } from './direct';
import { eventValues } from './event-types';
import { CURRENCY, replaceHas } from './macros';
import { RuleScope, tablesValue } from './scope';

const scope = new RuleScope('order.paid', TABLES.keys());
const steps = scope.defineSteps([{ id: 'customer', output: { id: 'CustomerRef' } }]);
scope.define('paidOn', 'Date', { text: 0, list: 0 });

/** What an expression comes to, read directly and by the library. */
function readings(source: string, order: Partial<OrderFacts> = {}) {
  const values = {
    ...eventValues(paidOrder(order), ORGANIZATION),
    tables: tablesValue(TABLES, 'shop'),
    steps,
    [CURRENCY]: ORGANIZATION.currency,
  };
  const parsed = scope.environment.parse(source);
  replaceHas(parsed.ast);
  expect(parsed.check()).toMatchObject({ valid: true });
  const direct = directRead(parsed.ast);
  return { direct, read: () => direct?.(values), library: (): unknown => parsed(values) };
}

const READABLE = [
  'order.customer.name',
  'order.customer.document',
  'order.customer.address.city',
  'order.total',
  'order.instalments',
  'order.test',
  'order.payment.value',
  'order.payment.paidAt',
  'org.timeZone',
  'event.type',
  'tables.category["online-sales"]',
  'tables.gatewayAccount[order.payment.gateway]',
  'tables.gatewayAccount[order.customer.name]',
  'tables["category"]["online-sales"]',
  'steps.customer.id',
  '"text"',
  '3',
  'order.total > money("0.00")',
  'order.total == money("100.00")',
  'order.total != money("100.00")',
  'order.total <= order.payment.value',
  'order.total + order.payment.value',
  'order.total - order.payment.value - money("0.01")',
  '!order.test',
  'order.test && order.payment.gateway == "x"',
  '!order.test && order.payment.gateway == "pagbank"',
  'order.test || order.instalments >= 3',
  'order.instalments < 3 ? order.number : order.key',
  'order.paidAt >= order.createdAt',
  'order.payment.paidAt.dateIn(org.timeZone)',
  'order.payment.paidAt.dateIn(org.timeZone) < order.paidAt.dateIn("UTC")',
  'order.source + " order " + order.number',
  'order.total.instalments(order.instalments, order.paidAt.dateIn("UTC"))',
  'order.number.startsWith("#")',
  'order.number.endsWith("#")',
  'order.customer.email.contains("@")',
  'has(order.payment)',
  'has(order.payment.fee)',
  'has(order.customer.phone)',
  'has(order.customer.address)',
  'has(order.lines)',
  'has(org.name) ? org.name : org.slug',
  'order.lines',
  'order.lines[0].title',
  'order.lines[0].price > money("1.00")',
  'order.lines.size() == 2',
  'order.edits.size()',
  'order.edits.filter(e, e.value > money("0.00"))',
  'order.edits.map(e, e.value)',
  'order.edits.map(e, e.value > money("0.00"), e.key)',
  'order.edits.all(e, e.value > money("0.00"))',
  'order.edits.exists(e, e.value > money("0.00"))',
  'order.edits.exists_one(e, e.value > money("0.00"))',
  'order.edits.filter(e, e.value > money("0.00")).size() == 0',
];

describe('directRead', () => {
  it.each(READABLE)('reads %s as the library does', (source) => {
    const { read, library } = readings(source);
    expect(read()).toBeDefined();
    expect(read()).toEqual(library());
  });

  it.each([
    'order.instalments + 1',
    'order.number < order.key',
    'money(order.number)',
    'order.lines[order.instalments].title',
    'raw.note',
    'tables.category[raw.kind]',
    'has(tables.strict.known)',
    'order.customer.name.lowerAscii()',
  ])('leaves %s to the library', (source) => {
    expect(readings(source).direct).toBeUndefined();
  });

  it.each<[string, Partial<OrderFacts>]>([
    ['order.payment.gateway', { payment: undefined }],
    ['order.paidAt', { paidAt: undefined }],
    ['tables.strict[order.payment.gateway]', {}],
    ['tables.gatewayAccount[order.payment.gateway]', { payment: undefined }],
    ['order.total', { total: '1.00' as never }],
    ['order.test', { test: 'yes' as never }],
    ['paidOn', {}],
    ['order.total > money("0.00")', { total: Money.parse('1.00', 'USD') }],
    ['order.total + money("1.00")', { total: Money.parse('1.00', 'USD') }],
    ['order.total + money("0.01")', { total: brl('999999999999.99') }],
    ['order.total - order.discount', {}],
    ['order.test && order.payment.gateway == "pagbank"', { test: 'yes' as never }],
    ['!order.test && order.payment.gateway == "x"', { payment: undefined }],
    ['order.payment.storeCredit || order.paidAt > order.createdAt', { paidAt: undefined }],
    ['order.paidAt.dateIn("Nowhere/Land")', {}],
    ['order.total.instalments(order.instalments, order.paidAt.dateIn("UTC"))', { instalments: 121 }],
    ['order.number.startsWith(order.payment.gateway)', { payment: undefined }],
    ['order.refunds[0].value', {}],
    ['order.lines[2].title', {}],
    ['order.lines[-1].title', {}],
  ])('reads nothing where the library refuses: %s', (source, order) => {
    const { read, library } = readings(source, order);
    expect(library).toThrow();
    expect(read()).toBeUndefined();
  });

  it.each([
    'order.lines.filter(line, line.quantity > 1.0).size()',
    'order.lines.map(line, line.title)',
    'order.lines.exists(line, line.title == "Mug")',
    'order.number.size()',
  ])('reads nothing where the library computes: %s', (source) => {
    const { read, library } = readings(source);
    expect(library()).toBeDefined();
    expect(read()).toBeUndefined();
  });

  it('is refused a text that is too long, as the library is', () => {
    const { read, library } = readings('order.number', { number: 'x'.repeat(5_001) });
    expect(library).toThrow('longer than 5000 characters');
    expect(read).toThrow('longer than 5000 characters');
  });

  it('takes false, zero and empty text for values', () => {
    const order = { test: false, instalments: 0, total: brl('0.00'), number: '' };
    for (const source of ['order.test', 'order.instalments', 'order.total', 'order.number']) {
      const { read, library } = readings(source, order);
      expect(read()).toBeDefined();
      expect(read()).toEqual(library());
    }
  });
});
