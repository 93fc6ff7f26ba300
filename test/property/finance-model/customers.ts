import fc from 'fast-check';
import { newId } from '../../../src/kernel/identifier';
import { commandOf, pick, rarely, which, type Command } from './command';
import { refusal, type World } from './world';

/** Operation 1. */
class CreateCustomer implements Command {
  constructor(readonly fields: { who: number; document: 'none' | 'new' | 'taken' | 'wrong' }) {}

  async perform(world: World): Promise<void> {
    const { who, document } = this.fields;
    const { customers } = world.books;
    const same = document === 'taken' ? pick(customers.filter(hasDocument), who) : undefined;
    const number = document === 'wrong' ? '52998224724' : (same?.document ?? cpf(who));
    const holder = customers.find((customer) => customer.document === number);
    const name = `Customer ${who}`;
    const refusals =
      document === 'wrong'
        ? [refusal('validation-failed')]
        : document !== 'none' && holder
          ? [refusal('customer-exists', { customerId: holder.id })]
          : [];
    const shape = { name, ...(document !== 'none' && { document: { number: punctuated(number) } }) };
    const made = await world.expect(refusals, () => world.customers.create(world.organization, shape));
    if (made) customers.push({ id: made.value, name, ...(document !== 'none' && { document: number }) });
  }
}

function hasDocument({ document }: { document?: string }): boolean {
  return document !== undefined;
}

/** A CPF with right check digits; the first nine say which. */
function cpf(which: number): string {
  const digits = [...String(100_000_000 + which)].map(Number);
  for (const length of [9, 10]) {
    const sum = digits.reduce((total, digit, index) => total + digit * (length + 1 - index), 0);
    digits.push(sum % 11 < 2 ? 0 : 11 - (sum % 11));
  }
  return digits.join('');
}

function punctuated(number: string): string {
  return number.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4');
}

/** Operation 6. */
class ChangeCostCenter implements Command {
  constructor(
    readonly fields: {
      which: number;
      description: 'kept' | 'changed';
      externalCode: 'kept' | 'cleared' | 'changed';
      code: number;
      wrong: 'right' | 'unknown' | 'another in the body';
    },
  ) {}

  async perform(world: World): Promise<void> {
    const { description, externalCode, code, wrong } = this.fields;
    const { costCenters } = world.books;
    const center = pick(costCenters, this.fields.which);
    if (!center) return;
    const words = { kept: undefined, cleared: null, changed: `CC-${code}` };
    const taken = costCenters.some((other) => other !== center && other.externalCode === `CC-${code}`);
    const body = {
      ...(description === 'changed' && { description: `Center ${code}` }),
      ...(externalCode !== 'kept' && { externalCode: words[externalCode] }),
      ...(wrong === 'another in the body' && { costCenterId: newId() }),
    };
    const refusals = [
      ...(wrong === 'unknown' ? [refusal('not-found')] : []),
      ...(wrong === 'another in the body' ? [refusal('validation-failed')] : []),
      ...(wrong === 'right' && externalCode === 'changed' && taken ? [refusal('conflict')] : []),
    ];
    const id = wrong === 'unknown' ? newId() : center.id;
    const done = await world.expect(refusals, () => world.costCenters.update(world.organization, id, body));
    if (!done) return;
    if (description === 'changed') center.description = `Center ${code}`;
    if (externalCode !== 'kept') center.externalCode = words[externalCode] ?? undefined;
  }
}

export const createCustomer = commandOf(CreateCustomer, {
  who: which,
  document: fc.constantFrom('none', 'new', 'taken', 'wrong'),
});

export const changeCostCenter = commandOf(ChangeCostCenter, {
  which,
  description: fc.constantFrom('kept', 'changed'),
  externalCode: fc.constantFrom('kept', 'cleared', 'changed'),
  code: fc.integer({ min: 1, max: 4 }),
  wrong: rarely(6, 'unknown', 'another in the body'),
});
