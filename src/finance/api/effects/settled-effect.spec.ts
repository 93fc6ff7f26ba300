import type { EffectDeclaration } from './declaration';
import type { PlannedEffect } from './effect';
import { EFFECTS, type EffectInputs, type EffectOperation } from './registry';
import { settledEffect } from './settled-effect';

const DAY = '2026-03-10';
/** An input of each operation, with everything that it may say. */
const INPUTS: { [O in EffectOperation]: EffectInputs[O] } = {
  'customer.ensure': {
    ...{ name: 'Zenaide Quaresma', document: '52998224725', email: 'z@example.com', phone: '+5511' },
    ...{ address: { line1: 'Rua das Laranjeiras' }, update: ['name'], asOf: '2026-03-10T12:00:00Z' },
  },
  'credit-schedule.create': {
    ...{ customer: { $ref: 'customer.id' }, description: 'Order 1', reference: 'order/1', value: '10.00' },
    ...{ dueDate: DAY, category: '1.1' },
  },
  'credit-schedule.find': { reference: 'order/1' },
  'receipt.allocate': {
    ...{ schedules: { $ref: 'schedule.all' }, value: '10.00', date: DAY, account: 'main', identifier: 'p1' },
  },
  'payment.register': {
    ...{ account: 'main', value: '10.00', date: DAY, description: 'Refund', reference: 'r1' },
  },
  'receipt.register': {
    ...{ account: 'main', value: '10.00', date: DAY, description: 'Won', reference: 'r1' },
  },
  'transfer.make': { from: 'main', to: 'savings', value: '10.00', date: DAY },
  'credit-schedule.write-off': {
    ...{ schedules: 's', account: 'main', category: '2.1', date: DAY, description: 'Off', reference: 'r1' },
  },
  'account.ensure': { name: 'Gateway', openBalance: '0.00', openedOn: DAY },
  'supplier.find': { document: '52998224725', name: 'Zenaide Quaresma' },
  'cost-center.update': { costCenter: 'c', description: 'Shop', asOf: '2026-03-10T12:00:00Z' },
  'payment.delete': { schedule: 's', payment: 'p' },
  'attention.raise': { code: 'rule-look', message: 'Look at Zenaide', value: '1.00' },
  'http.notify': { endpoint: 'partner', type: 'order.booked', data: { who: 'Zenaide Quaresma' } },
  'email.send': {
    ...{ subscription: 's', to: 'team@example.com', subject: 'Two items' },
    ...{ text: 'Zenaide', html: '<p>Zenaide</p>' },
  },
};
const OPERATIONS = Object.keys(INPUTS) as EffectOperation[];

function effectOf(operation: EffectOperation): PlannedEffect {
  return { key: 'k', operation, input: INPUTS[operation], amount: '10.00' } as PlannedEffect;
}

describe('an effect that is settled', () => {
  it.each([
    ['customer.ensure', ['name', 'document', 'email', 'phone', 'address'], ['update', 'asOf']],
    ['supplier.find', ['document', 'name'], []],
    ['attention.raise', ['message'], ['code', 'value']],
    ['http.notify', ['data'], ['endpoint', 'type']],
    ['email.send', ['text', 'html'], ['subscription', 'to', 'subject']],
  ] as const)('%s leaves out %j and says so', (operation, leftOut, left) => {
    const settled = settledEffect(effectOf(operation));
    expect(settled).toMatchObject({ key: 'k', operation, amount: '10.00', leftOut });
    expect(Object.keys(settled.input)).toEqual(left);
  });

  it('names only what was there, and is the same when it is settled again', () => {
    const effect: PlannedEffect = { key: 'k', operation: 'customer.ensure', input: { name: 'Zenaide' } };
    const once = settledEffect(effect);
    expect(once).toMatchObject({ input: {}, leftOut: ['name'] });
    expect(settledEffect(once)).toBe(once);
  });

  it('is the one given where nothing of it is about a person', () => {
    const effect = effectOf('credit-schedule.create');
    expect(settledEffect(effect)).toBe(effect);
  });

  it.each(OPERATIONS)(
    '%s says nothing of a person, and differs from a later one as if it were whole',
    (operation) => {
      const effect = effectOf(operation);
      const settled = settledEffect(effect);
      expect(JSON.stringify(settled)).not.toMatch(/Zenaide|52998224725|z@example|\+5511|Laranjeiras/);
      const { differences = () => [] }: EffectDeclaration<object> = EFFECTS[operation];
      const context = { dates: true, names: true, currency: 'BRL' };
      const other = Object.fromEntries(
        Object.entries(effect.input).map(([name, value]) => [
          name,
          typeof value === 'string' ? `${value}x` : value,
        ]),
      );
      for (const now of [effect.input, other])
        expect(differences(settled.input, now, context)).toEqual(differences(effect.input, now, context));
    },
  );
});
