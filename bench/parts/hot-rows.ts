import type { BenchContext } from '../context';
import type { MeasuredService } from '../frame/measured-service';
import { ProcessWatch } from '../frame/processes';
import { alternate, median } from '../frame/statistics';
import type { Part, PartResult } from '../part';
import { persistentLoop, rateOf } from '../load/loops';

const CLIENTS = 32;
const TODAY = new Date().toISOString().slice(0, 10);

/**
 * Receipts of thirty-two clients at once, each on a receivable of its own: all credited to one account, and each to
 * an account of its own. If the account were a row that every receipt changes, the first would wait for each other.
 */
export const part: Part = {
  name: 'hot-rows',
  title: 'Thirty-two clients on one account against thirty-two on many',
  order: 65,
  goals: [{ figure: 'one account, times many accounts', atLeast: 0.9 }],
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const service = await context.startService(await context.freshDatabase());
  const books = await Books.open(service);
  const accounts = await times(() => books.account());
  const schedules = await times(() => books.schedule());
  const seconds = context.short ? 2 : 10;
  const receive = (accountOf: (client: number) => string): Promise<number> => {
    const requests = schedules.map((schedule, client) => books.receipt(schedule, accountOf(client)));
    return receiptsASecond(service.url, requests, seconds);
  };
  const one = (): Promise<number> => receive(() => accounts[0] ?? '');
  const many = (): Promise<number> => receive((client) => accounts[client] ?? '');
  await one();
  const { watched } = context.postgres;
  const watch = ProcessWatch.start([service.watched, ...(watched ? [watched] : [])]);
  const rates = await alternate(context.rounds, { one, many });
  // Of runs next to each other, so that what else the machine did hit both.
  const ratios = rates.one.map((rate, round) => rate / (rates.many[round] ?? NaN));
  return {
    figures: [
      { name: 'receipts on one account', unit: '/s', value: median(rates.one), runs: rates.one },
      { name: 'receipts on many accounts', unit: '/s', value: median(rates.many), runs: rates.many },
      { name: 'one account, times many accounts', unit: '×', value: median(ratios), runs: ratios },
    ],
    processes: watch.stop(),
  };
}

/** Each client sends the same request over and over: a small part of a large receivable. */
async function receiptsASecond(url: string, requests: readonly Buffer[], seconds: number): Promise<number> {
  const loops = requests.map((request) =>
    persistentLoop({ url, connections: 1, seconds, next: () => request, good: 204 }),
  );
  const results = await Promise.all(loops);
  return results.reduce((sum, traffic) => sum + rateOf(traffic), 0);
}

function times<T>(make: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: CLIENTS }, make));
}

/** The finance API of one company. */
class Books {
  private constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly customer: string,
  ) {}

  static async open(service: MeasuredService): Promise<Books> {
    const key = await service.apiKey();
    const books = new Books(service.url, key, '');
    return new Books(service.url, key, await books.create('/v1/customers', { name: 'Cliente' }));
  }

  account(): Promise<string> {
    return this.create('/v1/accounts', { name: 'Conta', openBalance: 0, dateOfOpenBalance: TODAY });
  }

  schedule(): Promise<string> {
    return this.create('/v1/schedules/credit/FormatType=json', {
      stakeholderId: this.customer,
      value: 10_000_000,
      dueDate: TODAY,
      description: 'Um pedido grande',
    });
  }

  receipt(schedule: string, account: string): Buffer {
    const body = JSON.stringify({ accountId: account, value: 0.01, date: TODAY });
    const head =
      `POST /v1/schedules/credit/${schedule}/receipts HTTP/1.1\r\nhost: ponte\r\napitoken: ${this.key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    return Buffer.from(head + body);
  }

  private async create(path: string, body: object): Promise<string> {
    const headers = { apitoken: this.key, 'content-type': 'application/json' };
    const reply = await fetch(`${this.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${await reply.text()}`);
    return (await reply.json()) as string;
  }
}
