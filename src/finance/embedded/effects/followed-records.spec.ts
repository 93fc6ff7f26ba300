import fc from 'fast-check';
import { Company, customerEffect, outputOf, scheduleEffect } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { cpfNumber } from '../../../../test/support/documents';
import { UnreadChanges } from '../../../../test/support/feed-changes';
import { slowPropertyRuns } from '../../../../test/support/property-runs';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { PlannedEffect } from '../../api/effects/effect';
import type { EffectInputs } from '../../api/effects/registry';

type CustomerInput = EffectInputs['customer.ensure'];

let database: Database;
let company: Company;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  company = await Company.found(database);
});
afterAll(() => database.close());

/** The second of a minute on 10 March 2026. */
const at = (second: number) => new Date(Date.UTC(2026, 2, 10, 12, 0, second)).toISOString();

/** What an event of that second says of a customer who follows the shop. */
const says = (key: string, second: number, input: Partial<CustomerInput>): PlannedEffect =>
  customerEffect(key, { update: ['name', 'email', 'phone', 'address'], asOf: at(second), ...input });

async function customer(id: string | undefined) {
  const { name, email, phone, details } = await database.prisma.stakeholder.findUniqueOrThrow({
    where: { id: id ?? '' },
  });
  return { name, email, phone, details };
}

describe('customer.ensure with fields that follow the shop', () => {
  it('changes a customer to what a newer event says, and keeps what it does not say', async () => {
    const [made] = await company.apply(says('c', 1, { name: 'Lia', email: 'a@example.com', phone: '1' }));
    const address = { city: 'Santos', country: 'BR' };
    const [changed] = await company.apply(says('c', 2, { name: 'Lia Campos', address }));
    expect(changed).toEqual({ ...made, state: 'applied' });
    expect(await customer(outputOf(made).id)).toEqual({
      ...{ name: 'Lia Campos', email: 'a@example.com', phone: '1' },
      details: { address },
    });
  });

  it('never goes back to what an older event says, also where that made nobody', async () => {
    const [made] = await company.apply(says('c', 5, { name: 'New' }));
    const [older] = await company.apply(says('c', 4, { name: 'Old', email: 'old@example.com' }));
    expect(older).toMatchObject({ state: 'applied' });
    expect(await customer(outputOf(made).id)).toMatchObject({ name: 'New', email: 'old@example.com' });
    expect(await company.apply(says('c', 4, { name: 'Old' }))).toMatchObject([{ state: 'existing' }]);
  });

  it('changes only what the rule names, and nothing at all without it', async () => {
    const [made] = await company.apply(says('c', 1, { name: 'Lia', email: 'a@example.com' }));
    await company.apply(says('c', 2, { name: 'Other', email: 'b@example.com', update: ['email'] }));
    await company.apply(customerEffect('c', { name: 'Third' }));
    expect(await customer(outputOf(made).id)).toMatchObject({ name: 'Lia', email: 'b@example.com' });
  });

  it('leaves its place for another customer of the same document as it is found', async () => {
    const document = cpfNumber(1);
    const id = await company.customer({ document, name: 'Lia' });
    const [found] = await company.apply(says('other', 1, { document, name: 'Lia Campos' }));
    expect(found).toMatchObject({ state: 'applied', output: { id } });
    expect(await customer(id)).toMatchObject({ name: 'Lia Campos' });
  });

  it('changes the customer of the order, and not where the event names another', async () => {
    const [first, second] = [cpfNumber(2), cpfNumber(3)];
    const id = await company.customer({ document: first, name: 'Lia' });
    const key = `schedule/${newId()}`;
    await company.apply(scheduleEffect(key, { customer: id }));
    const ask = (document: string, name: string, second: number) => ({
      ...company.request(says(newId(), second, { document, name })),
      bookedAs: [key],
    });
    const apply = (request: ReturnType<typeof ask>) =>
      database.transaction((tx) => company.applier.apply(tx, [request]));
    expect(await apply(ask(first, 'Lia Campos', 1))).toMatchObject([{ state: 'applied', output: { id } }]);
    expect(await apply(ask(second, 'Rui', 2))).toMatchObject([
      { state: 'existing', attention: [{ code: 'customer-differs' }] },
    ]);
    expect(await customer(id)).toMatchObject({ name: 'Lia Campos' });
  });

  it('says so in the feed, once', async () => {
    const [made] = await company.apply(says('c', 1, { name: 'Lia' }));
    const feed = new UnreadChanges(database);
    await feed.next(company.organization.id);
    const newer = says('c', 2, { name: 'Lia Campos' });
    await company.apply(newer, newer);
    await company.apply(newer);
    expect(await feed.nextLines(company.organization.id)).toEqual([
      `customer.updated customer/${outputOf(made).id}`,
    ]);
  });

  it('comes to the same customer in every order, in any batches and with repetitions', async () => {
    const said = fc.record({
      second: fc.integer({ min: 0, max: 4 }),
      name: fc.constantFrom('A', 'B', 'C'),
      email: fc.option(fc.constantFrom('a@example.com', 'b@example.com'), { nil: undefined }),
    });
    const lives = fc
      .array(said, { minLength: 1, maxLength: 5 })
      .chain((list) =>
        fc.tuple(
          fc.constant(list),
          fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 }),
          fc.boolean(),
        ),
      );
    const live = async (
      list: readonly { second: number; name: string; email?: string }[],
      atOnce: boolean,
    ) => {
      const key = `customer/${newId()}`;
      const effects = list.map(({ second, ...input }) => says(key, second, input));
      const results = atOnce ? await company.apply(...effects) : await oneByOne(effects);
      return customer(outputOf(results[0]).id);
    };
    await fc.assert(
      fc.asyncProperty(lives, async ([list, shuffled, atOnce]) => {
        expect(await live(shuffled, atOnce)).toEqual(await live(list, false));
      }),
      { numRuns: slowPropertyRuns(25) },
    );
  });

  async function oneByOne(effects: readonly PlannedEffect[]) {
    const results = [];
    for (const effect of effects) results.push(...(await company.apply(effect)));
    return results;
  }
});

describe('cost-center.update', () => {
  const describes = (second: number, description: string, costCenter = 'geral'): PlannedEffect => ({
    key: `cost-center/${newId()}`,
    operation: 'cost-center.update',
    input: { costCenter, description, asOf: at(second) },
  });
  const description = async () => {
    const where = { organizationId: company.organization.id, externalCode: 'geral' };
    return (await database.prisma.costCenter.findFirstOrThrow({ where })).description;
  };

  it('keeps what the newest event says, whatever comes when', async () => {
    const states = (await company.apply(describes(2, 'Second'), describes(1, 'First'))).map(
      ({ state }) => state,
    );
    expect(states).toEqual(['applied', 'existing']);
    expect(await description()).toBe('Second');
    expect(await company.apply(describes(1, 'First'))).toMatchObject([{ state: 'existing' }]);
    expect(await company.apply(describes(3, 'Third'))).toMatchObject([{ state: 'applied' }]);
    expect(await description()).toBe('Third');
  });

  it('decides the same between two of one instant, in either order', async () => {
    const { id: organizationId } = company.organization;
    const costCenters = [newId(), newId()];
    for (const id of costCenters)
      await database.prisma.costCenter.create({ data: { id, organizationId, description: 'Before' } });
    for (const [index, id] of costCenters.entries()) {
      const both = [describes(1, 'One', id), describes(1, 'Two', id)];
      for (const effect of index === 0 ? both : both.toReversed()) await company.apply(effect);
    }
    const found = await database.prisma.costCenter.findMany({ where: { id: { in: costCenters } } });
    expect(new Set(found.map((one) => one.description)).size).toBe(1);
    expect(found[0]?.description).not.toBe('Before');
  });

  it('is refused for a cost center that is not there', async () => {
    expect(await company.apply(describes(1, 'x', 'nowhere'))).toMatchObject([
      { state: 'refused', reason: 'there is no cost center nowhere' },
    ]);
  });
});
