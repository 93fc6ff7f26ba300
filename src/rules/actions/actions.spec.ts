import { hash } from 'node:crypto';
import fc from 'fast-check';
import type { CreditScheduleInput } from '../../finance/api/effects/credit-schedule-create';
import type { PlannedEffect } from '../../finance/api/effects/effect';
import { OPERATIONS } from '../../finance/api/operations/operations';
import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import { brl, DOCUMENT_KEY, ORGANIZATION, problemsOf, run } from '../fixtures';
import type { ActionContext } from './action';
import { cleanText } from './input-types';
import { describeActions, findAction } from './registry';
import { anyText } from '../../../test/support/any-text';

const context: ActionContext = {
  organization: ORGANIZATION,
  documentKey: DOCUMENT_KEY,
  key: '',
  customerKey: 'shop/customer/7',
};

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

describe('every action', () => {
  it.each(describeActions().map((action) => [action.name, action] as const))(
    '%s says how it is undone, and asks nothing beyond the nineteen operations',
    (_name, { undo, asks }) => {
      expect(undo).toMatch(/^[a-z].*[^.]$/);
      const known = OPERATIONS.map(({ id }): string => id);
      expect(asks.filter((id) => !known.includes(id))).toEqual([]);
    },
  );

  it('together ask all operations that change something, but for that of accounts, which no event speaks of', () => {
    const asked = new Set(describeActions().flatMap(({ asks }) => asks));
    const changing = OPERATIONS.filter(({ effect: kind }) => kind !== 'read');
    expect(changing.filter(({ id }) => !asked.has(id)).map(({ id }) => id)).toEqual(['accounts.update']);
  });
});

describe('customer.ensure', () => {
  const keyOf = (input: Record<string, unknown>, given?: Partial<ActionContext>) =>
    effect('customer.ensure', { name: 'Ana', ...input }, given).key;

  it('has one key for a document however it is written, and another in another organization', () => {
    const key = keyOf({ document: '529.982.247-25' });
    expect(keyOf({ document: ' 52998224725', name: 'Other' })).toBe(key);
    expect(keyOf({ document: '11.222.333/0001-81' })).not.toBe(key);
    expect(keyOf({ document: '52998224725' }, { documentKey: Buffer.alloc(32, 8) })).not.toBe(key);
  });

  it('has no document in its key, nor what anybody can make of one', () => {
    const key = keyOf({ document: '529.982.247-25' });
    expect(key).toMatch(/^customer\/document\/[0-9a-f]{32}$/);
    for (const text of ['52998224725', '529.982.247-25', `${ORGANIZATION.id}/52998224725`])
      for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512'])
        expect(hash(algorithm, text, 'hex')).not.toContain(key.slice('customer/document/'.length));
  });

  it('keeps the key that an organization of an earlier version knows its customers by', () => {
    const digest = hash('sha256', `${ORGANIZATION.id}/52998224725`, 'hex');
    expect(keyOf({ document: '529.982.247-25' }, { documentKey: undefined })).toBe(
      `customer/document/${digest}`,
    );
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

  it.each([
    ['PT', undefined],
    ['ARG', undefined],
    ['BRA', 'neither a CPF (11 digits) nor a CNPJ (14 characters)'],
  ])(
    'leaves a document that is none of Brazil out of an address in another country: %s',
    (country, reason) => {
      const address = { city: 'Lisboa', country };
      const planned = plan('customer.ensure', { name: 'Ana', document: 'PT 501964843', address });
      expect(planned).toMatchObject(
        reason === undefined
          ? { effects: [{ key: 'customer/key/shop/customer/7', input: { name: 'Ana', address } }] }
          : { refused: `the customer's document is ${reason}` },
      );
      expect(JSON.stringify('refused' in planned ? planned.refused : planned)).not.toContain('501964843');
    },
  );

  it('keeps a CNPJ of an address in another country', () => {
    const { input } = effect('customer.ensure', {
      ...{ name: 'Loja', document: '11.222.333/0001-81', address: { country: 'PT' } },
    });
    expect(input).toMatchObject({ document: '11222333000181' });
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

  it.each(['receipt.register', 'receipt.settle'])('%s names what is paid after a write-off', (name) => {
    const more = { plan: [{ value: brl('12.3'), on: CalendarDate.parse('2026-01-31') }] };
    const said = { late: true, description: 'Paid late', category: '1.1.01' };
    const late = { writeOff: 'o/1/cancelled', ...said };
    const planned = plan(name, { ...input, ...more, ...late }, { key: 'p/1' });
    const afterWriteOff = { ...said, key: 'write-off/o/1/cancelled' };
    expect(planned).toMatchObject({ effects: [{ input: { afterWriteOff } }] });
    expect(plan(name, { ...input, ...more, writeOff: 'o/1' }, { key: 'p/1' })).toEqual({
      refused: 'the input "writeOff" needs a "description"',
    });
    expect(plan(name, { ...input, ...more, category: '1.1.01' }, { key: 'p/1' })).toMatchObject({
      refused: expect.stringContaining('"writeOff", which is not given') as string,
    });
  });

  it('refuses another currency', () => {
    expect(plan('receipt.register', { ...input, value: Money.parse('1', 'EUR') }, { key: 'p/1' })).toEqual({
      refused: 'the value is in EUR, but the books are kept in BRL',
    });
  });
});

describe('customer.ensure that follows the shop', () => {
  const asOf = new Date('2026-03-10T12:00:00Z');

  it('says which fields, each once, and as of when, under the same key as without', () => {
    const follows = effect('customer.ensure', { name: 'Ana', update: ['email', 'name', 'email'], asOf });
    expect(follows.input).toMatchObject({ update: ['email', 'name'], asOf: '2026-03-10T12:00:00.000Z' });
    expect(follows.key).toBe(effect('customer.ensure', { name: 'Ana' }).key);
  });

  it.each([{ update: ['name'] }, { asOf }])('refuses %j alone', (given) => {
    expect(plan('customer.ensure', { name: 'Ana', ...given })).toEqual({
      refused: 'the inputs "update" and "asOf" are given both, or neither',
    });
  });
});

describe('creditSchedule.writeOff', () => {
  const input = {
    schedules: { $ref: 'schedule.all' },
    account: { $ref: 'account.id' },
    category: '2.1.06',
    date: CalendarDate.parse('2026-03-12'),
    description: 'Cancelled',
  };
  const given = { key: 'shop/order/1/cancelled' };

  it('is named by its key, which its records carry', () => {
    expect(effect('creditSchedule.writeOff', input, given)).toEqual({
      key: 'write-off/shop/order/1/cancelled',
      operation: 'credit-schedule.write-off',
      input: { ...input, date: '2026-03-12', reference: 'shop/order/1/cancelled' },
    });
  });

  it('amounts to its value, where it has one', () => {
    const limited = effect('creditSchedule.writeOff', { ...input, value: brl('12.3') }, given);
    expect(limited).toMatchObject({ amount: '12.30', input: { value: '12.30' } });
  });

  it.each([
    [Money.parse('1', 'USD'), 'the value is in USD, but the books are kept in BRL'],
    [brl('0'), 'the value is 0.00; it must be above zero'],
  ])('refuses %s', (value, refused) => {
    expect(plan('creditSchedule.writeOff', { ...input, value }, given)).toEqual({ refused });
  });
});

describe('account.ensure', () => {
  const openedOn = CalendarDate.parse('2026-03-01');

  it('is named by the name, and opens long ago unless the rule says when', () => {
    expect(effect('account.ensure', { name: 'PagBank' })).toEqual({
      key: 'account/name/PagBank',
      operation: 'account.ensure',
      input: { name: 'PagBank', openBalance: '0.00', openedOn: '2000-01-01' },
    });
  });

  it('takes an opening balance below zero, with its day', () => {
    const { input } = effect('account.ensure', { name: 'A', openBalance: brl('-5'), openedOn });
    expect(input).toMatchObject({ openBalance: '-5.00', openedOn: '2026-03-01' });
  });

  it.each([
    [{ openBalance: brl('5') }, 'an opening balance needs the day that it is of: the input "openedOn"'],
    [
      { openBalance: Money.parse('1', 'USD'), openedOn },
      'the opening balance is in USD, but the books are kept in BRL',
    ],
    [{ name: 'x'.repeat(201) }, "the account's name is longer than 200 characters"],
  ])('refuses %j', (given, refused) => {
    expect(plan('account.ensure', { name: 'A', ...given })).toEqual({ refused });
  });
});

describe('supplier.find', () => {
  const keyOf = (input: Record<string, unknown>, given?: Partial<ActionContext>) =>
    effect('supplier.find', input, given).key;

  it('has one key for a document however it is written, and neither document nor name in it', () => {
    const key = keyOf({ document: '11.222.333/0001-81' });
    expect(keyOf({ document: '11222333000181', name: 'Aurora' })).toBe(key);
    expect(keyOf({ name: 'Aurora' })).not.toBe(key);
    expect([key, keyOf({ name: 'Aurora' })].join()).not.toMatch(/11222333|Aurora/);
    expect(keyOf({ name: 'Aurora' }, { key: 'mine' })).toBe('supplier/key/mine');
  });

  it('refuses to find nobody', () => {
    expect(plan('supplier.find', {})).toEqual({
      refused: 'a supplier is found by the input "document" or "name", and both are empty',
    });
  });
});

describe('costCenter.update', () => {
  const input = { costCenter: 'sales', description: 'Sales', asOf: new Date('2026-03-10T12:00:00Z') };

  it('is another effect for each instant and each description', () => {
    const keys = [
      input,
      { ...input, description: 'Sales team' },
      { ...input, asOf: new Date('2026-03-10T12:00:01Z') },
    ].map((given) => effect('costCenter.update', given).key);
    expect(new Set(keys).size).toBe(3);
    expect(effect('costCenter.update', input).key).toBe(keys[0]);
  });
});

describe('payment.delete', () => {
  const ids = {
    schedule: '6F1F0C51-7d3c-4c1e-9a51-000000000001',
    payment: '6F1F0C51-7d3c-4c1e-9a51-000000000002',
  };

  it('is named by the payment', () => {
    expect(effect('payment.delete', ids).key).toBe(`payment-deletion/${ids.payment.toLowerCase()}`);
  });

  it.each(['schedule', 'payment'])('refuses a %s that is no UUID', (field) => {
    const given = (id: string) => ruleOf({ ...ids, [field]: id });
    const [problem] = problemsOf(given('x'));
    expect(problem?.message).toBe(`the input "${field}": it must be a UUID`);
    expect(run(given('${order.id}'))).toMatchObject({
      refused: { reason: `input "${field}": it must be a UUID` },
    });
  });

  function ruleOf(input: Record<string, string>): string {
    const step = { id: 'undo', do: 'payment.delete', with: input };
    return JSON.stringify({ rule: 'undo', when: { event: 'order.paid' }, then: [step] });
  }
});

describe('transfer.make between accounts of earlier steps', () => {
  const input = { value: brl('1'), date: CalendarDate.parse('2026-03-12') };
  const refusedFrom = (from: unknown, to: unknown) =>
    plan('transfer.make', { ...input, from, to }, { key: 'k' });

  it('refuses the same one, and takes two', () => {
    const [one, other] = [{ $ref: 'a.id' }, { $ref: 'b.id' }];
    expect(refusedFrom(one, { ...one })).toEqual({
      refused: 'the money would leave the account that gets it: give "to" another account than "from"',
    });
    expect(refusedFrom(one, other)).toHaveProperty('effects');
    expect(refusedFrom(one, 'main')).toHaveProperty('effects');
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
      fc.property(anyText({ maxLength: 100 }), (given) => {
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
      'creditSchedule.find',
      'receipt.register',
      'receipt.settle',
      'payment.register',
      'receipt.registerDirectly',
      'transfer.make',
      'creditSchedule.writeOff',
      'account.ensure',
      'supplier.find',
      'costCenter.update',
      'payment.delete',
      'attention.raise',
      'attention.resolve',
      'http.notify',
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
      ['settled', 'bool', false],
      ['writeOff', 'string', false],
    ]);
    expect(schedule?.input.at(-3)?.fields?.map(({ name }) => name)).toEqual([
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
