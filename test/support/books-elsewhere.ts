import { setTimeout as sleep } from 'node:timers/promises';
import type { DemoOrder } from '../../scripts/demo/shop-orders';
import type { StoredConnection } from '../../src/finance/remote/connections/connection-settings';
import { ConfigFolder } from './config-folder';
import { FinanceClient } from './finance-client';
import { TestService } from './service';
import type { TestingApp } from './testing-app';

/** Another Ponte that keeps the books of a company, for services under test that are connected to it. */
export class BooksElsewhere {
  private constructor(
    readonly app: TestingApp,
    readonly client: FinanceClient,
    private readonly folder: ConfigFolder,
  ) {}

  static async start(): Promise<BooksElsewhere> {
    const app = await FinanceClient.serve();
    const client = await FinanceClient.of(app);
    const folder = new ConfigFolder({
      category: { 'online-sales': await client.idByCode('category', '1.1.01') },
      gatewayAccount: { default: await client.idByCode('account', 'main') },
    });
    return new BooksElsewhere(app, client, folder);
  }

  /** A service whose finance service these books are; nobody has connected it. */
  async service(): Promise<TestService> {
    return TestService.start(undefined, {
      CONFIG_DIR: this.folder.path,
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: `${await this.app.app.getUrl()}/v1`,
    });
  }

  /** How an operator connects it. */
  get connection(): StoredConnection & { apiKey: string } {
    return {
      organization: this.client.company.organization.slug,
      apiKey: this.client.key,
      uniqueDocuments: true,
      limits: { perSecond: 1_000, atOnce: 8 },
    };
  }

  /** A {@link service} that is connected. @param changes of its {@link connection} */
  async connected(changes: StoredConnection = {}): Promise<TestService> {
    const service = await this.service();
    const put = await service.operate('put', 'finance', { ...this.connection, ...changes });
    expect(put.status).toBe(200);
    return service;
  }

  /** The receivables of an order, by instalment. */
  schedulesOf({ id }: DemoOrder) {
    return this.app.database.prisma.schedule.findMany({
      where: { reference: `shopify/order/${id}` },
      orderBy: { instalment: 'asc' },
    });
  }

  /** What is open of each. */
  async openOf(order: DemoOrder): Promise<bigint[]> {
    return (await this.schedulesOf(order)).map(({ openMinor }) => openMinor);
  }

  async stop(): Promise<void> {
    await this.app.close();
    this.folder.remove();
  }
}

/** Waits until none of a service's deliveries waits any more. @param meanwhile done again and again */
export async function untilNoneWaits(
  service: TestService,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  while ((await service.database.prisma.delivery.count({ where: { state: 'waiting' } })) > 0) {
    await meanwhile();
    await sleep(20);
  }
}
