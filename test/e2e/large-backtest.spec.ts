import { request } from 'node:http';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { BacktestRules } from '../../src/admin/backtest/backtest-rules';
import { type Backtest, Backtests } from '../../src/admin/backtest/backtests';
import { DeliveryPeriods } from '../../src/deliveries/delivery-period.repository';
import { SourceDirectory } from '../../src/deliveries/source-directory';
import { EffectRecords } from '../../src/finance/api/effects/effect-records.port';
import { newId } from '../../src/kernel/identifier';
import type { Organization } from '../../src/kernel/organization';
import { SAMPLE_ORDER } from '../../src/sources/samples';
import { Approvals } from '../../src/workflows/approvals.repository';
import { DeferredEffects } from '../../src/workflows/deferred/deferred-effects.repository';
import { StoredRuns } from '../../src/workflows/backtest/stored-runs.repository';
import { BacktestClient } from '../support/backtests';
import { OPERATORS_KEY, TestService } from '../support/service';
import { until } from '../support/until';

/** More than a page of rows, and more than a portion of bodies, all received in the same millisecond. */
const COPIES = 603;

class TestedBacktests extends Backtests {
  override deadlineMs = 60_000;
}

describe('a backtest of many deliveries', () => {
  let service: TestService;
  let client: BacktestClient;
  let organization: Organization;

  beforeAll(async () => {
    service = await TestService.start();
    client = new BacktestClient(service);
    const source = service.part(SourceDirectory).find('main', 'shopify')!;
    organization = source.organization;
    const body = shopifyOrder(SAMPLE_ORDER, true);
    expect((await service.hook({ source: 'shopify', topic: 'orders/paid', body })).status).toBe(200);
    await service.settle();
    const { prisma } = service.database;
    const first = await prisma.delivery.findFirstOrThrow();
    const { seq: _seq, ...row } = first;
    const copies = Array.from({ length: COPIES }, () => ({ ...row, id: newId(), attributes: {} }));
    await prisma.delivery.createMany({ data: copies.map((copy) => ({ ...copy, dedupeKey: copy.id })) });
    await prisma.deliveryBody.createMany({
      data: copies.map(({ id }) => ({ id, organizationId: organization.id, body: new Uint8Array(body) })),
    });
  });
  afterAll(() => service.stop());

  it('reads each once, also where many came at once', async () => {
    expect(await client.backtest()).toMatchObject({
      ...{ deliveries: { read: COPIES + 1, compared: COPIES + 1 }, orders: { compared: 1, differing: 0 } },
      ...{ effects: 3, totals: [] },
    });
  });

  it('answers others meanwhile', async () => {
    let [isOver, answered] = [false, 0];
    const backtest = client.backtest().finally(() => (isOver = true));
    while (!isOver) {
      await service.http.get('/health/live').expect(200);
      answered += 1;
    }
    await backtest;
    expect(answered).toBeGreaterThan(3);
  });

  it('of which too many run at once is refused, until one has ended', async () => {
    const replies = await Promise.all(
      [1, 2, 3].map(() => service.operate('post', 'backtest', { ...client.period })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 503]);
    expect(await client.backtest()).toMatchObject({ totals: [] });
  });

  it('ends when nobody waits for it any more', async () => {
    const runs = jest.spyOn(service.part(Backtests), 'run');
    const asked = request(`${service.url}/admin/organizations/main/backtest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': 'application/json' },
    });
    asked.on('error', () => undefined);
    asked.end(JSON.stringify(client.period));
    await until(() => runs.mock.results.length === 1);
    asked.destroy();
    await expect(runs.mock.results[0]?.value).rejects.toMatchObject({
      code: 'saturated',
      detail: expect.stringContaining('Nobody waits') as string,
    });
    runs.mockRestore();
    expect(await client.backtest()).toMatchObject({ totals: [] });
  });

  async function run(deadlineMs: number, signal: AbortSignal): Promise<Backtest> {
    const parts = [DeliveryPeriods, SourceDirectory, EffectRecords, StoredRuns] as const;
    const [periods, sources, records, runs] = [
      service.part(parts[0]),
      service.part(parts[1]),
      service.part(EffectRecords),
      service.part(parts[3]),
    ];
    const backtests = new TestedBacktests(
      service.database,
      periods,
      sources,
      records,
      runs,
      service.part(DeferredEffects),
      service.part(Approvals),
    );
    backtests.deadlineMs = deadlineMs;
    const { planner } = await service.part(BacktestRules).choose(organization);
    const period = { from: new Date(0), to: new Date('2100-01-01') };
    return backtests.run({ organization, period, planner }, signal);
  }

  it('ends when it takes too long, or is not wanted', async () => {
    const { signal } = new AbortController();
    await expect(run(-1, signal)).rejects.toMatchObject({
      code: 'validation-failed',
      detail: expect.stringContaining('shorter period'),
    });
    await expect(run(60_000, AbortSignal.abort())).rejects.toMatchObject({ code: 'saturated' });
    expect((await run(60_000, signal)).deliveries.compared).toBe(COPIES + 1);
  });
});
