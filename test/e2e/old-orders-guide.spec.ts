import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DemoOrder, wooOrder } from '../../scripts/demo/shop-orders';
import { readBalances } from '../../src/finance/embedded/ledger/balances';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { BacktestClient } from '../support/backtests';
import { ponte } from '../support/command-line';
import { cpfNumber } from '../support/documents';
import { OrderHarness } from '../support/order-harness';
import { OPERATORS_KEY } from '../support/service';

const PAGE = readFileSync(join(__dirname, '../../docs/old-orders.md'), 'utf8');
/** Each command of the page, in order. */
const COMMANDS = [...PAGE.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
  block.trim().split('\n'),
);
/** The totals that the page shows. */
const TOTALS = /^```text\n([\s\S]*?)^```$/m.exec(PAGE)?.[1]?.trim();

const ORDER: DemoOrder = {
  ...{ id: 8_400_000_000_001, number: 1, total: '100.00', name: 'Lia Campos' },
  ...{ document: cpfNumber(84_001), email: 'lia@example.com', instalments: 2 },
};

function refund(id: number, amount: string) {
  const processed_at = '2026-11-21T23:30:00-03:00';
  const transactions = [{ kind: 'refund', status: 'success', gateway: 'mercado_pago', amount, processed_at }];
  return { id, created_at: processed_at, transactions };
}

describe.each([
  ["on Ponte's own books", () => OrderHarness.embedded()],
  ['in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })],
])('docs/old-orders.md, %s', (_where, open) => {
  let harness: OrderHarness;
  let client: BacktestClient;

  beforeAll(async () => {
    harness = await open();
    client = new BacktestClient(harness.service);
  });
  afterAll(() => harness.stop());

  async function balance(): Promise<bigint> {
    const where = { name: 'Conta principal' };
    const { id } = await harness.books.prisma.account.findFirstOrThrow({ where });
    return (await readBalances(harness.books.prisma, [id])).get(id) ?? 0n;
  }

  /** An order that is refunded in two parts, and one whose gateway keeps a fee, with the rules of the page disabled. */
  async function bookedBefore(): Promise<void> {
    for (const rule of ['order-refunded', 'payment-fee'])
      expect((await harness.service.operate('post', `rules/${rule}/disable`)).status).toBe(200);
    await harness.shopify(ORDER);
    const refunds = [refund(9_001, '30.00'), refund(9_002, '12.34')];
    await harness.shopify(ORDER, { financial_status: 'partially_refunded', refunds }, 'orders/updated');
    const other = { ...ORDER, id: ORDER.id + 1, document: cpfNumber(84_002) };
    const body = JSON.stringify({
      ...(JSON.parse(wooOrder(other, 'processing').toString()) as object),
      meta_data: [
        { key: '_billing_cpf', value: other.document },
        { key: '_stripe_fee', value: '4.39' },
      ],
    });
    const reply = await harness.service.hook({ source: 'woocommerce', topic: 'order.updated', body });
    expect(reply.status).toBe(200);
    await harness.settled();
  }

  /** Runs a command of the page for the days of this test. @returns what it printed, to whichever stream */
  async function run(line: string, repair: string): Promise<string> {
    const { from, to } = client.period;
    const meant = line.replace('2026-02-01', from).replace('2026-02-28', to).replace('"$REPAIR"', repair);
    const args = [...meant.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
    const env = { PONTE_URL: harness.service.url, ADMIN_API_KEY: OPERATORS_KEY, PONTE_ORG: 'main' };
    const ran = await ponte(args.slice(1), { env });
    expect([line, ran.code, ran.code === 0 ? '' : ran.stderr]).toEqual([line, 0, '']);
    return ran.stdout + ran.stderr;
  }

  it('brings orders to rules that were switched on later, to the cent', async () => {
    const before = await balance();
    await bookedBefore();
    expect((await balance()) - before).toBe(20_000n);
    const printed: string[] = [];
    let repair = '';
    for (const line of COMMANDS) {
      const output = await run(line, repair);
      printed.push(output);
      repair = /ponte repairs show (\S+)/.exec(output)?.[1] ?? repair;
      if (repair !== '') await client.done(repair);
    }
    const of = (words: string): string[] => printed.filter((_, at) => COMMANDS[at]?.includes(words));
    for (const output of of('backtest order-refunded')) expect(output).toContain('42.34 BRL');
    for (const output of of('ponte repair --from')) expect(output).toContain(TOTALS);
    expect(of('repairs show')[0]).toMatch(/queued +2\n[\s\S]*waiting +0\ndone +2/);
    expect(of('ponte rules backtest --from')[0]).toContain('2 compared, 0 differ');
    expect(of('audit list')[0]?.match(/refunds and fees of February/g)).toHaveLength(2);
    expect((await balance()) - before).toBe(20_000n - 4_673n);
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
  });
});
