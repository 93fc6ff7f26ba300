import fc from 'fast-check';
import type { BooksStatementView } from '../../src/admin/books/books.dto';
import { OperatorsClient } from '../support/operators-client';
import { propertySeed, slowPropertyRuns } from '../support/property-runs';
import { TestService } from '../support/service';

/** Amounts are cents; days are of May 2026, some of them before the receivable was booked. */
interface Sale {
  cents: number;
  booked: number;
  due: number;
  /** Shares of what is open then, in percent; the last one may close it. */
  receipts: { percent: number; day: number; closes: boolean }[];
}

const day = fc.integer({ min: 1, max: 28 });
const sales: fc.Arbitrary<Sale[]> = fc.array(
  fc.record({
    cents: fc.integer({ min: 1, max: 1_000_000 }),
    booked: day,
    due: day,
    receipts: fc.array(fc.record({ percent: fc.integer({ min: 1, max: 100 }), day, closes: fc.boolean() }), {
      maxLength: 3,
    }),
  }),
  { minLength: 1, maxLength: 4 },
);

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const dated = (number: number): string => `2026-05-${String(number).padStart(2, '0')}`;
const cents = (text: string): number => Math.round(Number(text) * 100);

it('a statement ends at what is open, its lines add up to its sums, and pages of any size are the whole', async () => {
  const client = await OperatorsClient.of(service);
  const made = await client.send('post', '/keys', {
    name: 'till',
    scopes: ['finance:read', 'finance:write'],
  });
  const { key } = made.body as { key: string };
  const v1 = async (path: string, body: object): Promise<string> => {
    const reply = await service.http.post(`/v1${path}`).set('apitoken', key).send(body);
    expect([reply.status < 300, reply.text]).toEqual([true, reply.text]);
    return reply.body as string;
  };
  const accountId = await v1('/accounts', { name: 'Till', dateOfOpenBalance: '2026-01-01' });

  await fc.assert(
    fc.asyncProperty(sales, fc.integer({ min: 1, max: 7 }), async (sold, limit) => {
      const stakeholderId = await v1('/customers', { name: 'Lia Campos' });
      const wanted = { booked: 0, received: 0, discounts: 0, open: 0 };
      for (const sale of sold) {
        const id = await v1('/schedules/credit', {
          ...{ stakeholderId, value: sale.cents / 100 },
          ...{ scheduleDate: dated(sale.booked), dueDate: dated(sale.due) },
        });
        let open = sale.cents;
        wanted.booked += open;
        for (const { percent, day: on, closes } of sale.receipts) {
          const part = Math.ceil((open * percent) / 100);
          if (part === 0) break;
          const receipt = { accountId, value: part / 100, date: dated(on) };
          await v1(`/schedules/credit/${id}/receipts`, {
            ...receipt,
            ...(closes && { payingType: 'close' }),
          });
          open -= part;
          wanted.received += part;
          if (!closes) continue;
          wanted.discounts += open;
          open = 0;
        }
        wanted.open += open;
      }
      const path = `/books/customers/${stakeholderId}`;
      const { items, totals } = (await client.send('get', `${path}?limit=200`)).body as BooksStatementView;
      const { booked, received, discounts, open } = totals!;
      expect({
        ...{ booked: cents(booked), received: cents(received) },
        ...{ discounts: cents(discounts), open: cents(open) },
      }).toEqual(wanted);
      expect(items.at(-1)!.open).toBe(open);
      let running = 0;
      for (const line of items) expect(cents(line.open)).toBe((running += cents(line.value)));
      expect(items.some(({ type }) => type === 'difference')).toBe(false);
      const days = items.map(({ date }) => date!);
      expect(days).toEqual(days.toSorted());

      const paged: unknown[] = [];
      for (let after: string | null = ''; after !== null;) {
        const query: string = `?limit=${limit}${after && `&after=${after}`}`;
        const page = (await client.send('get', path + query)).body as BooksStatementView;
        expect(page.items.length).toBeLessThanOrEqual(limit);
        paged.push(...page.items);
        ({ after } = page);
      }
      expect(paged).toEqual(items);
    }),
    { numRuns: slowPropertyRuns(10), ...propertySeed() },
  );
}, 120_000);
