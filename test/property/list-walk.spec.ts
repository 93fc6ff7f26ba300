import fc from 'fast-check';
import { openTestDatabase } from '../support/database';
import { Company } from '../support/company';
import type { Database } from '../../src/database/database';
import { readList } from '../../src/finance/embedded/lists/list.repository';
import { suppliers } from '../../src/finance/embedded/lists/supplier-list.sql';
import type { SupplierView } from '../../src/finance/api/shapes/suppliers.dto';
import { newId } from '../../src/kernel/identifier';
import { Problem } from '../../src/kernel/problem';
import { propertyRuns } from '../support/property-runs';

let database: Database;
let company: Company;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  company = await Company.found(database);
});
afterAll(() => database.close());

const few = fc.option(fc.constantFrom('', 'a', 'b', 'é', "'"), { nil: undefined });
const rows = fc.array(
  fc.record({
    name: fc.constantFrom('Ana', 'Bia', 'ana'),
    email: few,
    phone: few,
    number: fc.option(fc.constantFrom(-1, 0, 7), { nil: undefined }),
  }),
  { maxLength: 25 },
);
const key = fc
  .tuple(fc.constantFrom('name', 'email', 'phone', 'address/number', 'id'), fc.constantFrom('', ' desc'))
  .map((parts) => parts.join(''));

it('shows every row exactly once, in one order, whatever the order, the nulls and the size of pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.array(key, { maxLength: 4 }),
      fc.integer({ min: 1, max: 7 }),
      async (made, keys, top) => {
        const organizationId = newId();
        const organization = { ...company.organization, id: organizationId };
        await database.prisma.stakeholder.createMany({
          data: made.map(({ number, ...row }) => ({
            ...row,
            id: newId(),
            organizationId,
            kind: 'supplier',
            details: { address: { number } },
          })),
        });
        const list = suppliers(organization);
        const request = { skip: 0, orderBy: keys.join(',') };
        const read = (part: object) =>
          readList<SupplierView>(database.prisma, organization, list, {
            ...request,
            top: 500,
            ...part,
          });
        const whole = await read({});
        const seen: string[] = [];
        let page = await read({ top });
        for (;;) {
          expect(page.count).toBe(made.length);
          seen.push(...page.items.map(({ id }) => id));
          if (page.next === undefined) break;
          page = await read({ top, skipToken: page.next });
        }
        expect(seen).toEqual(whole.items.map(({ id }) => id));
        expect(new Set(seen).size).toBe(made.length);
      },
    ),
    { numRuns: propertyRuns(10) },
  );
});

it('is answered or refused, whatever the filter is made of', async () => {
  const operand = fc.constantFrom(
    ...['name', 'email', 'address/number', 'id', 'type', "'a'", "''", '5', '-1e9', '1.50', 'null', 'true'],
    ...['length(name)', 'trim(email)', 'toupper(phone)', 'contains(name,email)', "endswith(name,'%')"],
    ...['2026-01-01', 'year(2026-01-01)', '00000000-0000-0000-0000-000000000000'],
    ...["'''; drop table entry; --'", "'$1'", "'\\'", "'\u{10ffff}'"],
  );
  const operator = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4 },
      fc.tuple(operand, operator, operand).map((parts) => parts.join(' ')),
      fc
        .tuple(operand, fc.array(operand, { minLength: 1, maxLength: 3 }))
        .map(([a, b]) => `${a} in (${b.join()})`),
      tie('condition').map((inner) => `not (${inner})`),
      fc
        .tuple(tie('condition'), fc.constantFrom('and', 'or', 'eq', 'ne'), tie('condition'))
        .map(([left, word, right]) => `(${left}) ${word} (${right})`),
    ),
  }));
  await database.prisma.stakeholder.create({
    data: { id: newId(), organizationId: company.organization.id, kind: 'supplier', name: 'Ana' },
  });
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(condition, async (filter) => {
      const list = suppliers(company.organization);
      const ask = (text: string) =>
        readList(database.prisma, company.organization, list, { top: 1, skip: 0, filter: text });
      try {
        const { count } = await ask(filter);
        // No condition is neither true nor false.
        expect((await ask(`not (${filter})`)).count).toBe(1 - count);
        answered += 1;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        expect(error.code).toBe('malformed-request');
      }
    }),
    { numRuns: 400 },
  );
  expect(answered).toBeGreaterThan(20);
});
