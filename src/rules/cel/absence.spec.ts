import type { OrderFacts } from '../../events/event';
import { paidOrder, run, textOf } from '../fixtures';

/** Every way in which shops say that something is not there. */
const ABSENCES: [string, unknown][] = [
  ['absent', undefined],
  ['null', null],
  ['empty', ''],
];

function withCustomer(field: string, value: unknown) {
  const { customer } = paidOrder().order;
  return paidOrder({ customer: { ...customer, [field]: value } });
}

describe.each(ABSENCES)('a text that is %s', (_, value) => {
  it('reads as empty text and is not there for has()', () => {
    const event = withCustomer('document', value);
    expect(textOf('[${order.customer.document}] ${has(order.customer.document)}', event)).toBe('[] false');
  });

  it('leaves an optional input out', () => {
    const outcome = run(
      `
rule: probe
when: { event: order.paid }
then:
  - id: customer
    do: customer.ensure
    with: { name: "\${order.customer.name}", phone: "\${order.customer.phone}" }
`,
      withCustomer('phone', value),
    );
    const effects = outcome.matched && 'plan' in outcome ? outcome.plan.steps[0]?.effects : undefined;
    expect(effects?.[0]?.input).toEqual({ name: 'Ana Souza' });
  });

  it('refuses a required input', () => {
    expect(textOf('${order.customer.phone}', withCustomer('phone', value))).toEqual({
      refused: 'input "name": it is empty',
    });
  });
});

describe.each(ABSENCES.slice(0, 2))('an object or time that is %s', (_, value) => {
  const event = paidOrder({ payment: value, paidAt: value, cancelledAt: value } as Partial<OrderFacts>);

  it('is not there for has(), nor is anything in it', () => {
    expect(textOf('${has(order.paidAt)} ${has(order.payment)} ${has(order.payment.gateway)}', event)).toBe(
      'false false false',
    );
  });

  it('refuses what reads it, by name', () => {
    expect(textOf('${order.payment.gateway}', event)).toEqual({
      refused: 'input "name": order.payment is absent; test has(order.payment) first',
    });
  });

  it('can be replaced by something else', () => {
    const template = 'on ${(has(order.paidAt) ? order.paidAt : order.createdAt).dateIn("UTC")}';
    expect(textOf(template, event)).toBe('on 2026-03-05');
  });
});

describe('an address', () => {
  it.each([...ABSENCES, ['of nothing', {}], ['of empty pieces', { city: '', state: null }]])(
    'that is %s reads as empty pieces and is not there for has()',
    (_, value) => {
      const event = withCustomer('address', value === '' ? undefined : value);
      expect(textOf('[${order.customer.address.city}] ${has(order.customer.address)}', event)).toBe(
        '[] false',
      );
    },
  );

  it('is there for has() with a single piece', () => {
    expect(textOf('= ${has(order.customer.address)}', withCustomer('address', { city: 'Santos' }))).toBe(
      '= true',
    );
  });
});

describe('what is there', () => {
  it('is there for has()', () => {
    const template =
      '${has(order.paidAt)} ${has(order.payment.gateway)} ${has(order.lines)} ${has(order.total)}';
    expect(textOf(template)).toBe('true true true true');
  });

  it('is told from an empty list', () => {
    expect(textOf('${has(order.refunds)} ${has(order.lines[0].sku)} ${has(order.lines[1].sku)}')).toBe(
      'false true false',
    );
  });
});
