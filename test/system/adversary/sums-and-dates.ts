import { readFixture } from '../../support/source-cases';
import { shopifyOrder } from '../../../scripts/demo/shop-orders';
import { exchange, type Reply, type Request } from './exchange';
import { loose } from './poison';
import { ATTACKED, type Target } from './target';
import { faultOf, report } from './verdict';
import { deliver, signed } from './webhooks';

/** The largest value that the finance interface takes. */
const LARGEST = '999999999999.99';
const ZONES = [
  ...['America/Sao_Paulo', 'Africa/Monrovia', 'Asia/Kathmandu', 'Pacific/Apia', 'Europe/Amsterdam'],
  ...['Asia/Manila', 'America/Juneau', 'Etc/GMT+12', 'Pacific/Kiritimati', 'Africa/Cairo', 'Europe/Dublin'],
];
const DATES = [
  ...['1900-01-01', '1900-01-02', '1899-12-31', '1914-01-01', '1883-11-18', '1892-07-04', '1867-10-18'],
  ...['0001-01-01', '0000-12-31', '1582-10-10', '1972-01-07', '2011-12-30', '2018-11-04', '2026-02-29'],
  ...['9999-12-31', '9998-12-31', '10000-01-01', '1900-01-01T00:00:00', '1900-01-01T23:59:59-03:06'],
  ...[
    '9999-12-31T23:59:59Z',
    '9999-12-31T23:59:59.999-12:00',
    '1899-12-31T23:59:59+14:00',
    '2018-11-04T00:00:00',
  ],
];
const LISTS = [
  ...['/accounts', '/accounts/views/balance', '/schedules/credit/dued', '/schedules/debit', '/costcenters'],
  ...['/schedules/debit/opened', '/suppliers', '/schedules/credit/dued?$orderby=date%20desc&$count=true'],
  ...[
    '/schedules/credit/dued?$filter=date%20lt%201900-01-02',
    '/accounts/views/balance?$orderby=accountName',
  ],
];
const ADMIN_LISTS = ['entries', 'customers', 'accounts', 'deliveries', 'attention', 'audit'];

/** The books of one organization, by a key of its own. */
class Books {
  readonly faults: string[] = [];

  private constructor(
    private readonly target: Target,
    private readonly slug: string,
    private readonly key: string,
    private readonly feedKey: string,
  ) {}

  static async of(target: Target, slug: string): Promise<Books> {
    const key = async (scopes: string[]): Promise<string> =>
      (await target.admin<{ key: string }>('POST', `/${slug}/keys`, { name: 'adversary', scopes })).key;
    return new Books(target, slug, await key(['finance:read', 'finance:write']), await key(['feed:read']));
  }

  async accounts(): Promise<string[]> {
    const path = `/${this.slug}/accounts`;
    return (await this.target.admin<{ items: { id: string }[] }>('GET', path)).items.map(({ id }) => id);
  }

  /** @param body JSON text: sums to the digit. @returns the identifier of what it made, if it did */
  async post(path: string, body: string): Promise<string | undefined> {
    const reply = await this.ask({
      method: 'POST',
      path: `/v1${path}`,
      headers: { apitoken: this.key, 'content-type': 'application/json' },
      body,
    });
    return reply.status === 200 ? (JSON.parse(reply.text) as string) : undefined;
  }

  /** Every list is read, with what stands in it now. */
  async read(customer: string | undefined): Promise<void> {
    const ofCustomer = customer === undefined ? [] : [`/customers/${customer}/schedules`];
    for (const path of [...LISTS, ...ofCustomer])
      for (const accept of ['application/json', 'application/xml'])
        await this.readable({ method: 'GET', path: `/v1${path}`, headers: { apitoken: this.key, accept } });
    await this.readable({ method: 'GET', path: '/feed', headers: { apitoken: this.feedKey } });
    for (const list of ADMIN_LISTS) await this.target.admin('GET', `/${this.slug}/${list}`);
  }

  private async readable(request: Request): Promise<void> {
    const { status } = await this.ask(request);
    // That nothing is open is what one of them may answer.
    if (status !== 200 && status !== 404) this.faults.push(`${request.path}: ${status}`);
  }

  private async ask(request: Request): Promise<Reply> {
    const reply = await exchange(this.target.url, request);
    const fault = faultOf(request, reply);
    if (fault !== undefined) this.faults.push(`${this.slug}: ${report(request, reply, fault)}`.slice(0, 700));
    return reply;
  }
}

/** The largest sums and the oddest days, through `/v1` and through a shop; whatever was taken can be read again. */
export async function sumsAndDates(target: Target, zones: number): Promise<string[]> {
  const books = await Books.of(target, ATTACKED);
  await largestSums(books);
  const faults = [...books.faults, ...(await ordersOf(target))];
  for (const [index, timeZone] of ZONES.slice(0, zones).entries()) {
    const slug = `zone-${index}`;
    await target.admin('POST', '', { slug, name: slug, chart: 'brazil', timeZone });
    const there = await Books.of(target, slug);
    await oddDays(there);
    faults.push(...there.faults.map((fault) => `${timeZone}: ${fault}`));
  }
  return faults;
}

async function largestSums(books: Books): Promise<void> {
  const [account] = await books.accounts();
  const customer = await books.post('/customers', '{"name":"Lia Campos"}');
  for (let time = 0; time < 11; time += 1)
    await books.post(
      '/receipts',
      `{"accountId":"${account}","stakeholderId":"${customer}","value":${LARGEST},"date":"2026-03-10"}`,
    );
  for (let time = 0; time < 11; time += 1) {
    const body = `"stakeholderId":"${customer}","value":${LARGEST},"dueDate":"2020-03-10"`;
    const schedule = await books.post('/schedules/credit', `{${body}}`);
    if (schedule !== undefined)
      await books.post(
        `/schedules/credit/${schedule}/receipts`,
        `{"accountId":"${account}","date":"2026-03-10","value":${LARGEST}}`,
      );
  }
  const other = await books.post(
    '/accounts',
    `{"name":"Cofre","openBalance":${LARGEST},"dateOfOpenBalance":"2020-01-01"}`,
  );
  if (other !== undefined)
    for (const [origin, destiny] of [
      [account, other],
      [other, account],
    ])
      await books.post(
        '/accounts/transfer',
        `{"originAccountId":"${origin}","destinyAccountId":"${destiny}","date":"2026-03-10","value":${LARGEST}}`,
      );
  await books.read(customer);
}

async function oddDays(books: Books): Promise<void> {
  const [account] = await books.accounts();
  const customer = await books.post('/customers', '{"name":"Lia Campos","birthDate":"1900-01-01"}');
  for (const date of DATES) {
    const schedule = await books.post(
      '/schedules/credit',
      `{"stakeholderId":"${customer}","value":10,"dueDate":"${date}","scheduleDate":"${date}"}`,
    );
    if (schedule !== undefined)
      await books.post(
        `/schedules/credit/${schedule}/receipts`,
        `{"accountId":"${account}","date":"${date}","value":5}`,
      );
    await books.post(
      '/payments',
      `{"accountId":"${account}","stakeholderId":"${customer}","value":1,"date":"${date}"}`,
    );
    await books.post('/accounts', `{"name":"Conta","dateOfOpenBalance":"${date}","openBalance":1}`);
  }
  await books.read(customer);
}

/** Orders of a shop whose sums and days are as odd. */
async function ordersOf(target: Target): Promise<string[]> {
  const faults: string[] = [];
  const bodies = [
    ...DATES.map((date) =>
      standardOrder((data) => ({ ...data, paidAt: date, createdAt: date, updatedAt: date })),
    ),
    ...[LARGEST, '0.01', '92233720368547758.07', '92233720368547758.08', '0.00', '-1.00'].map((total) =>
      standardOrder((data) => ({ ...data, total, payment: { id: total, gateway: 'x', value: total } })),
    ),
  ];
  for (const [index, body] of bodies.entries()) {
    const request = signed({ source: 'standard', topic: '', id: `odd ${index}`, body });
    const reply = await deliver(target, request);
    const fault = faultOf(request, reply);
    if (fault !== undefined) faults.push(report(request, reply, fault).slice(0, 500));
  }
  for (let time = 0; time < 11; time += 1) {
    const order = {
      id: 2_000_000_000_000 + time,
      number: time,
      total: LARGEST,
      name: 'Lia',
      document: '',
      email: 'lia@example.com',
      instalments: 12,
    };
    await deliver(
      target,
      signed({ source: 'shopify', topic: 'orders/paid', id: `big ${time}`, body: shopifyOrder(order, true) }),
    );
  }
  return [...faults, ...(await loose(target, 60_000))];
}

let orders = 0;

function standardOrder(change: (data: Record<string, unknown>) => object): string {
  const root = JSON.parse(readFixture('standard-webhooks', 'order-paid.json').toString('utf8')) as {
    data: Record<string, unknown>;
  };
  orders += 1;
  return JSON.stringify({ ...root, data: change({ ...root.data, id: `odd-${orders}` }) });
}
