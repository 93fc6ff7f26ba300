import fc from 'fast-check';
import type { CreditScheduleInput } from '../../finance/api/effects/credit-schedule-create';
import type { PlannedEffect } from '../../finance/api/effects/effect';
import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import { brl, ORGANIZATION } from '../fixtures';
import type { ActionContext } from './action';
import { cleanText } from './input-types';
import { describeActions, findAction } from './registry';

const context: ActionContext = { organization: ORGANIZATION, key: '', customerKey: 'shop/customer/7' };

function plan(name: string, input: Record<string, unknown>, given: Partial<ActionContext> = {}) {
  const outcome = findAction(name)?.plan(input, { ...context, ...given });
  if (outcome === undefined) throw new Error('no such action');
  return outcome;
}

function effect(
  name: string,
  input: Record<string, unknown>,
  given: Partial<ActionContext> = {},
): PlannedEffect {
  const outcome = plan(name, input, given);
  const [first] = 'effects' in outcome ? outcome.effects : [];
  if (first === undefined) throw new Error(JSON.stringify(outcome));
  return first;
}

describe('customer.ensure', () => {
  const keyOf = (input: Record<string, unknown>, given?: Partial<ActionContext>) =>
    effect('customer.ensure', { name: 'Ana', ...input }, given).key;

  it('has one key for a document however it is written, and another in another organization', () => {
    const key = keyOf({ document: '529.982.247-25' });
    expect(keyOf({ document: ' 52998224725', name: 'Other' })).toBe(key);
    expect(keyOf({ document: '11.222.333/0001-81' })).not.toBe(key);
    expect(keyOf({ document: '52998224725' }, { organization: { ...ORGANIZATION, id: 'other' } })).not.toBe(
      key,
    );
  });

  it('has no document in its key', () => {
    expect(keyOf({ document: '529.982.247-25' })).toMatch(/^customer\/document\/[0-9a-f]{64}$/);
  });

  it("goes by the shop's customer without a document, and by the rule's key before all", () => {
    expect(keyOf({})).toBe('customer/key/shop/customer/7');
    expect(keyOf({ document: '529.982.247-25' }, { key: 'mine' })).toBe('customer/key/mine');
  });

  it.each([
    ['529.982.247-26', 'not a valid CPF: its check digits do not match'],
    ['11.222.333/0001-82', 'not a valid CNPJ: its check digits do not match'],
    ['12345', 'neither a CPF (11 digits) nor a CNPJ (14 characters)'],
  ])('refuses the document %s without repeating it', (document, reason) => {
    const planned = plan('customer.ensure', { name: 'Ana', document });
    expect(planned).toMatchObject({ refused: `the customer's document is ${reason}` });
    expect(JSON.stringify(planned)).not.toContain(document);
  });

  it('keeps a CNPJ with letters', () => {
    const { input } = effect('customer.ensure', { name: 'Loja', document: '12.abc.345/01de-35' });
    expect(input).toEqual({ name: 'Loja', document: '12ABC34501DE35' });
  });
});

describe('creditSchedule.ensure', () => {
  const base = {
    customer: { $ref: 'customer.id' },
    value: brl('100.00'),
    dueDate: CalendarDate.parse('2026-01-31'),
    description: 'Order',
  };
  const given = { key: 'shop/order/1' };
  const part = (value: string) => ({ value: brl(value), dueDate: CalendarDate.parse('2026-02-28') });
  const inputOf = (input: object) =>
    effect('creditSchedule.ensure', { ...base, ...input }, given).input as CreditScheduleInput;
  const refusalOf = (input: object) => plan('creditSchedule.ensure', { ...base, ...input }, given);

  it('is named by its key, which it also carries as reference', () => {
    expect(effect('creditSchedule.ensure', base, given)).toEqual({
      key: 'credit-schedule/shop/order/1',
      operation: 'credit-schedule.create',
      amount: '100.00',
      input: {
        customer: { $ref: 'customer.id' },
        value: '100.00',
        dueDate: '2026-01-31',
        description: 'Order',
        reference: 'shop/order/1',
      },
    });
  });

  it('passes category, cost center and instalments on', () => {
    const instalments = [part('60.00'), { ...part('40.00'), description: 'rest' }];
    expect(inputOf({ category: '1.1.01', costCenter: 'sales', instalments })).toMatchObject({
      category: '1.1.01',
      costCenter: 'sales',
      instalments: [
        { value: '60.00', dueDate: '2026-02-28' },
        { value: '40.00', dueDate: '2026-02-28', description: 'rest' },
      ],
    });
  });

  it('takes a single instalment for none', () => {
    expect(inputOf({ instalments: [part('100.00')] })).not.toHaveProperty('instalments');
  });

  it.each([
    [
      'another currency',
      { value: Money.parse('1', 'USD') },
      'the value is in USD, but the books are kept in BRL',
    ],
    ['nothing', { value: brl('0') }, 'the value is 0.00; it must be above zero'],
    ['less than nothing', { value: brl('-1') }, 'the value is -1.00; it must be above zero'],
    [
      'parts of nothing',
      { instalments: [part('100'), part('0')] },
      'instalment 2 of 2 is 0.00; it must be above zero',
    ],
    [
      'a part that is not all',
      { instalments: [part('99')] },
      'the instalments add up to 99.00, not to 100.00: the difference is 1.00',
    ],
    [
      'too many parts',
      { instalments: Array.from({ length: 121 }, () => part('1')) },
      'there are 121 instalments; at most 120 are taken',
    ],
  ])('refuses %s', (_, input, refused) => {
    expect(refusalOf(input)).toEqual({ refused });
  });

  it('takes exactly those parts that add up', () => {
    const cents = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(cents, fc.integer({ min: -3, max: 3 }), (parts, off) => {
        const sum = parts.reduce((total, value) => total + value, 0);
        const instalments = parts.map((value) => ({
          ...part('1'),
          value: Money.ofMinor(BigInt(value), 'BRL'),
        }));
        const outcome = refusalOf({ value: Money.ofMinor(BigInt(sum + off), 'BRL'), instalments });
        expect('effects' in outcome).toBe(off === 0);
      }),
    );
  });
});

describe('receipt.register', () => {
  const input = {
    schedules: { $ref: 'schedule.all' },
    allocate: 'oldest-first',
    value: brl('12.3'),
    date: CalendarDate.parse('2026-01-31'),
    account: 'main',
  };

  it("is named by the payment's key, which its receipts carry", () => {
    expect(effect('receipt.register', input, { key: 'p/1' })).toEqual({
      key: 'receipt/p/1',
      operation: 'receipt.allocate',
      amount: '12.30',
      input: {
        schedules: { $ref: 'schedule.all' },
        value: '12.30',
        date: '2026-01-31',
        account: 'main',
        identifier: 'p/1',
      },
    });
  });

  it('refuses another currency', () => {
    expect(plan('receipt.register', { ...input, value: Money.parse('1', 'EUR') }, { key: 'p/1' })).toEqual({
      refused: 'the value is in EUR, but the books are kept in BRL',
    });
  });
});

describe('text for the finance system', () => {
  it.each([
    ['  a\u0000b\tc\n ', 'a b c'],
    ['e\u0301', '\u00e9'],
    [' \n ', undefined],
  ])('%j becomes %j', (given, clean) => {
    expect(cleanText(given)).toBe(clean);
  });

  it('is clean already when it was cleaned before', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (given) => {
        const clean = cleanText(given);
        if (clean !== undefined) expect(cleanText(clean)).toBe(clean);
      }),
    );
  });
});

describe('the description of actions', () => {
  it('is data with every input and output and its type', () => {
    const described = describeActions();
    expect(JSON.parse(JSON.stringify(described))).toEqual(described);
    expect(described.map(({ name }) => name)).toEqual([
      'customer.ensure',
      'creditSchedule.ensure',
      'receipt.register',
      'payment.register',
      'receipt.registerDirectly',
      'transfer.make',
    ]);
    const schedule = described[1];
    expect(schedule?.key.required).toBe(true);
    expect(schedule?.input.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['customer', 'CustomerRef', true],
      ['value', 'Money', true],
      ['dueDate', 'Date', true],
      ['description', 'string', true],
      ['category', 'string', false],
      ['costCenter', 'string', false],
      ['instalments', 'list<Instalment>', false],
    ]);
    expect(schedule?.input.at(-1)?.fields?.map(({ name }) => name)).toEqual([
      'value',
      'dueDate',
      'description',
    ]);
    expect(schedule?.output.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'ScheduleRef'],
      ['all', 'ScheduleRefs'],
    ]);
  });
});
