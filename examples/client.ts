/*
 * A small client of the finance interface, with nothing but Node:
 *
 *     PONTE_URL=http://127.0.0.1:3000 PONTE_KEY=… node scripts/run-ts.cjs examples/client.ts \
 *       "Padaria Pão Quente" 12.ABC.345/01DE-35 order-1042 300.00 2026-12-10
 *
 * It does what a shop's own program does: lists the accounts, finds the customer by document or registers one, writes
 * what they owe in three monthly instalments, receives the first of them today, and lists what is still open. It can
 * be run again with the same reference on the same day: each writing request carries an Idempotency-Key.
 */

const URL_OF_PONTE = (process.env['PONTE_URL'] ?? 'http://127.0.0.1:3000').replace(/\/+$/, '');
const KEY = process.env['PONTE_KEY'] ?? '';
const INSTALMENTS = 3;

interface Page<T> {
  items: T[];
  nextPageLink: string | null;
}

interface Problem {
  error?: string;
  detail?: string;
  customerId?: string;
}

interface Schedule {
  description: string;
  dueDate: string;
  openValue: number;
}

/** A problem document. */
class Refused extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(`${status} ${problem.detail ?? ''}`);
  }
}

/** The JSON of the reply; undefined where it has none. @throws Refused */
async function call<T>(method: string, address: string, body?: object, key?: string): Promise<T> {
  const reply = await fetch(address.startsWith('http') ? address : `${URL_OF_PONTE}${address}`, {
    method,
    headers: {
      ApiToken: KEY,
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Refused(reply.status, problemIn(text));
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

function problemIn(text: string): Problem {
  try {
    return JSON.parse(text) as Problem;
  } catch {
    return {};
  }
}

/** Every record of a list, page by page. */
async function listed<T>(path: string, options: Record<string, string>): Promise<T[]> {
  const records: T[] = [];
  let address: string | null = `${path}?${new URLSearchParams(options).toString()}`;
  while (address !== null) {
    const page: Page<T> = await call<Page<T>>('GET', address);
    records.push(...page.items);
    address = page.nextPageLink;
  }
  return records;
}

/** The customer with the document; a new one where there is none, or where customers cannot be listed. */
async function customerOf(name: string, document: string): Promise<string> {
  const bare = document.replace(/[^0-9a-z]/gi, '').toUpperCase();
  const $filter = `document/number eq '${bare}'`;
  const found = await listed<{ id: string }>('/v1/customers', { $filter }).catch((error: unknown) => {
    if (error instanceof Refused && error.status === 501) return [];
    throw error;
  });
  if (found[0]) return found[0].id;
  try {
    return await call<string>('POST', '/v1/customers', { name, document: { number: document } });
  } catch (error) {
    const { customerId } = error instanceof Refused ? error.problem : {};
    if (customerId === undefined) throw error;
    return customerId;
  }
}

/** The same day some months later, `YYYY-MM-DD`; the last of the month where it has no such day. */
function monthAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0));
  last.setUTCDate(Math.min(date, last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}

/** Whole cents. For an organization whose currency has no cents, or thousandths, reckon with its decimals instead. */
function centsOf(value: string): number {
  const [, units, decimals = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(value) ?? [];
  if (units === undefined)
    throw new TypeError(`the value ${value} is no amount with at most two decimals, such as 300.00`);
  return Number(units) * 100 + Number(decimals.padEnd(2, '0'));
}

/** Amounts that add up to the whole to the cent: what is left over comes with the first ones. */
function instalmentsOf(cents: number, firstDue: string): { value: number; dueDate: string }[] {
  const share = Math.floor(cents / INSTALMENTS);
  const rest = cents - share * INSTALMENTS;
  return Array.from({ length: INSTALMENTS }, (_, index) => ({
    value: (share + (index < rest ? 1 : 0)) / 100,
    dueDate: monthAfter(firstDue, index),
  }));
}

function today(): string {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

async function main(name: string, document: string, reference: string, value: string, firstDue: string) {
  const cents = centsOf(value);
  const accounts = await listed<{ id: string; name: string }>('/v1/accounts', { $orderby: 'name' });
  const customer = await customerOf(name, document);
  const instalment = instalmentsOf(cents, firstDue);
  const schedule = await call<string>(
    'POST',
    '/v1/schedules/credit/FormatType=json',
    {
      stakeholderId: customer,
      description: reference,
      reference,
      value: cents / 100,
      dueDate: firstDue,
      instalment,
    },
    `${reference}/schedule`,
  );
  await call(
    'POST',
    `/v1/schedules/credit/${schedule}/receipts`,
    { accountId: accounts[0]?.id, date: today(), value: instalment[0]?.value, identifier: reference },
    `${reference}/receipt-1`,
  );
  const wanted = new URLSearchParams({ $filter: 'openValue gt 0', $orderby: 'dueDate' });
  const open = await call<Schedule[]>('GET', `/v1/customers/${customer}/schedules?${wanted.toString()}`);
  const result = {
    accounts: accounts.map((account) => account.name),
    customer,
    schedule,
    open: open.map(({ description, dueDate, openValue }) => ({
      description,
      dueDate: dueDate.slice(0, 10),
      openValue,
    })),
  };
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}

const [name, document, reference, value, firstDue] = process.argv.slice(2);
if (!name || !document || !reference || !value || !firstDue) {
  process.stderr.write('needs a name, a document, a reference, a value and the first due date\n');
  process.exitCode = 2;
} else {
  main(name, document, reference, value, firstDue).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Refused ? `Ponte refused: ${error.message}` : String(error)}\n`);
    process.exitCode = 1;
  });
}
