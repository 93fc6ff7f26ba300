/**
 * Whether the finance interface gets slower as books grow: the built service, the whole way over HTTP, on books
 * of several sizes at once. `npm run bench:finance -- --sizes 10000,100000,1000000`; on a PostgreSQL server with
 * `TEST_DATABASE_URL` or `DATABASE_URL` (each size gets a database of its own there, dropped at the end), else
 * embedded. See docs/performance/2026-11-finance-interface.md for how to read it.
 *
 * Each size has its own database and its own process of the service. Every operation is measured at all sizes
 * right after each other, over and over, so that whatever else the machine does hits all sizes alike. The
 * client takes its share of the same processors. See `growing-company.ts` for what is in the books.
 *
 * Ends with code 1 when a page or the balances take more than {@link LIMIT} times as long (at the median) on
 * the largest books as on the smallest.
 */
import { Console } from 'node:console';
import { parseArgs } from 'node:util';
import { CONNECTIONS, MeasuredBooks, SERVER, type Call, type Operation } from './measured-books';

const ROUNDS = 5;
const LIMIT = 1.5;
const DAY_MS = 86_400_000;

const dayFromToday = (days: number): string =>
  new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const get = (path: string, query: Record<string, string> = {}): Call => ({
  method: 'GET',
  path: `/v1${path}?${new URLSearchParams(query).toString()}`,
});
const post = (path: string, body: object): Call => ({
  method: 'POST',
  path: `/v1${path}`,
  body: JSON.stringify(body),
});
/** A week two months ago. */
const week = (field: string): string =>
  `${field} ge ${dayFromToday(-60)} and ${field} lt ${dayFromToday(-53)}`;

const OPERATIONS: Operation[] = [
  {
    name: 'create customer',
    bounded: false,
    call: () => post('/customers', { name: 'A new customer' }),
  },
  {
    name: 'create credit schedule',
    bounded: false,
    call: (books) =>
      post('/schedules/credit/FormatType=json', {
        stakeholderId: books.customer,
        value: 100.5,
        dueDate: dayFromToday(45),
        description: 'A new order',
      }),
    answered: (books, text) => void books.unpaid.push(JSON.parse(text) as string),
  },
  {
    name: 'receipt',
    bounded: false,
    call: (books) =>
      post(`/schedules/credit/${books.unpaid.shift()}/receipts`, {
        accountId: books.company.accounts[books.unpaid.length % books.company.accounts.length],
        value: 100.5,
        date: dayFromToday(0),
      }),
  },
  {
    name: 'schedules of a customer',
    bounded: true,
    call: (books) => get(`/customers/${books.customer}/schedules`, { $top: '20' }),
  },
  {
    name: 'open schedules of a customer',
    bounded: true,
    call: (books) =>
      get(`/customers/${books.customer}/schedules`, { $top: '20', $filter: 'isPaid eq false' }),
  },
  {
    name: 'payables of a week',
    bounded: true,
    call: () => get('/schedules/debit', { $top: '50', $filter: week('dueDate') }),
  },
  {
    name: 'overdue of a week',
    bounded: true,
    call: () => get('/schedules/credit/dued', { $top: '50', $filter: week('date') }),
  },
  {
    name: 'first page of all payables',
    bounded: true,
    call: () => get('/schedules/debit', { $top: '50' }),
  },
  {
    name: 'deep page of all payables',
    bounded: true,
    call: (books) => ({ method: 'GET', path: books.deepPage }),
  },
  { name: 'balances', bounded: true, call: () => get('/accounts/views/balance') },
];

/** Follows the link of a page nine tenths into the list. */
async function findDeepPage(books: MeasuredBooks): Promise<void> {
  const { count } = JSON.parse((await books.send(get('/schedules/debit', { $top: '1' }))).text) as {
    count: number;
  };
  const skip = String(Math.floor(count * 0.9));
  const page = await books.send(get('/schedules/debit', { $top: '50', $skip: skip }));
  books.deepPage = (JSON.parse(page.text) as { nextPageLink: string }).nextPageLink;
}

function report(all: readonly MeasuredBooks[], operations: readonly Operation[]): boolean {
  const [smallest, largest] = [all.at(0), all.at(-1)];
  if (!smallest || !largest) throw new Error('there is no size to report');
  let good = true;
  const rows = operations.flatMap(({ name, bounded }) => {
    const ratio = largest.quantile(name, 0.5) / smallest.quantile(name, 0.5);
    const tooMuch = bounded && ratio > LIMIT;
    good &&= !tooMuch;
    return all.map((books) => ({
      operation: name,
      entries: books.size,
      'per second': Math.round(books.perSecond(name)),
      'p50 ms': Number(books.quantile(name, 0.5).toFixed(1)),
      'p99 ms': Number(books.quantile(name, 0.99).toFixed(1)),
      ratio:
        books === largest && books !== smallest
          ? `${ratio.toFixed(2)}${bounded ? ` of ${LIMIT}${tooMuch ? ' TOO MUCH' : ''}` : ''}`
          : '',
    }));
  });
  new Console(process.stdout).table(rows);
  return good;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { sizes: { type: 'string', default: '10000,100000,1000000' } } });
  const sizes = values.sizes.split(',').map(Number);
  if (!sizes.every((size) => Number.isInteger(size) && size >= 1_000)) {
    throw new Error('--sizes takes whole numbers from 1000 on, with commas between');
  }
  sizes.sort((left, right) => left - right);
  const all: MeasuredBooks[] = [];
  try {
    process.stdout.write(
      `on ${SERVER ? 'PostgreSQL' : 'the embedded database'}, ${CONNECTIONS} connections\n`,
    );
    for (const size of sizes) all.push(await MeasuredBooks.open(size));
    for (const books of all) await findDeepPage(books);
    // The first round is for caches and compilers.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const operation of OPERATIONS) {
        for (const books of all) await books.measure(operation);
      }
      if (round === 0) for (const books of all) books.forget();
    }
    if (!report(all, OPERATIONS)) process.exitCode = 1;
  } finally {
    for (const books of all) await books.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
