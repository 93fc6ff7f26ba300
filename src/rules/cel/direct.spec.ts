import type { OrderFacts } from '../../events/event';
import { brl, ORGANIZATION, paidOrder, TABLES } from '../fixtures';
import { directRead } from './direct';
import { eventValues } from './event-types';
import { RuleScope, tablesValue } from './scope';

const scope = new RuleScope('order.paid', TABLES.keys());
const steps = scope.defineSteps([{ id: 'customer', output: { id: 'CustomerRef' } }]);
scope.define('paidOn', 'Date', { text: 0, list: 0 });

/** What an expression comes to, read directly and by the library. */
function readings(source: string, order: Partial<OrderFacts> = {}) {
  const values = {
    ...eventValues(paidOrder(order), ORGANIZATION),
    tables: tablesValue(TABLES),
    steps,
  };
  const parsed = scope.environment.parse(source);
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
];

describe('directRead', () => {
  it.each(READABLE)('reads %s as the library does', (source) => {
    const { read, library } = readings(source);
    expect(read()).toBeDefined();
    expect(read()).toEqual(library());
  });

  it.each([
    'order.total + order.total',
    'order.lines',
    'order.lines[0].title',
    'raw.note',
    'tables.category[raw.kind]',
    'order.payment.paidAt.dateIn(org.timeZone)',
    '"text"',
    'has(order.payment)',
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
  ])('reads nothing where the library refuses: %s', (source, order) => {
    const { read, library } = readings(source, order);
    expect(library).toThrow();
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
