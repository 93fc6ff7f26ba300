import type { Database } from '../../src/database/database';
import { Money } from '../../src/kernel/money';

/** What is in the books, and what a person is asked: enough to tell what came since. */
export interface Posted {
  readonly lines: readonly string[];
  readonly ids: ReadonlySet<string>;
}

const shownDay = (date: Date) => date.toISOString().slice(0, 10);
const shown = (minor: bigint) => Money.ofMinor(minor < 0n ? -minor : minor, 'BRL').toString();

/**
 * What was posted since, one line for each record, in the order of days: receivables with what is open of them, movements
 * of accounts, and codes of what a person is asked.
 * @param books where the records are @param service where the list for people is
 */
export async function postedSince(
  { books, service }: { books: Database; service: Database },
  before: ReadonlySet<string> = new Set(),
): Promise<Posted> {
  const accounts = new Map((await books.prisma.account.findMany()).map(({ id, name }) => [id, name]));
  const categories = new Map((await books.prisma.category.findMany()).map(({ id, name }) => [id, name]));
  const schedules = await books.prisma.schedule.findMany();
  const entries = await books.prisma.entry.findMany();
  const attention = await service.prisma.attention.findMany();
  const dead = await service.prisma.delivery.findMany({ where: { state: 'dead' } });
  const named = (map: ReadonlyMap<string, string>, id: string | null) => map.get(id ?? '') ?? 'none';
  const all = [
    ...schedules.map(({ id, valueMinor, openMinor, dueDate, categoryId }) => ({
      ...{ id, day: `0 ${shownDay(dueDate)}` },
      line: `receivable of ${shown(valueMinor)} due ${shownDay(dueDate)}, ${shown(openMinor)} open, _${named(categories, categoryId)}_`,
    })),
    // What a sale posts on its receivable itself is the receivable.
    ...entries
      .filter(({ debitId, creditId }) => accounts.has(debitId) || accounts.has(creditId))
      .map((entry) => {
        const { id, kind, amountMinor, date, categoryId } = entry;
        const [to, from] = [accounts.get(entry.debitId), accounts.get(entry.creditId)];
        const where = [
          ...(from === undefined ? [] : [`from ${from}`]),
          ...(to === undefined ? [] : [`to ${to}`]),
        ];
        const category = categoryId === null ? '' : `, _${named(categories, categoryId)}_`;
        const text = `${kind} of ${shown(amountMinor)} on ${shownDay(date)} ${where.join(' ')}${category}`;
        return { id, day: `1 ${shownDay(date)}`, line: text };
      }),
    ...attention.map(({ id, code }) => ({ id, day: '2', line: `a person is asked (\`${code}\`)` })),
    ...dead.map(({ id, reason }) => ({ id, day: '3', line: `dead letter: ${reason}` })),
  ];
  const since = all.filter(({ id }) => !before.has(id));
  const sorted = since.toSorted((left, right) =>
    `${left.day} ${left.line}` < `${right.day} ${right.line}` ? -1 : 1,
  );
  return { lines: sorted.map(({ line }) => line), ids: new Set(all.map(({ id }) => id)) };
}
