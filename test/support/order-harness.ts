import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import type { AttentionPage, DeliveryPage } from '../../src/admin/deliveries/deliveries.dto';
import type { Database } from '../../src/database/database';
import { newId } from '../../src/kernel/identifier';
import { PROVIDERS } from '../../src/sources/registry';
import type { SourceProvider } from '../../src/sources/source';
import { SourceProviders } from '../../src/sources/source-providers';
import { ConfigFolder } from './config-folder';
import { FinanceClient } from './finance-client';
import { TestService } from './service';
import type { TestingApp } from './testing-app';

/** Longest that work may take before a test gives up on it; a busy machine must not decide. */
const LONGEST_WAIT_MS = 120_000;

/** A Ponte that keeps its own books, or one before another Ponte that keeps them. */
export class OrderHarness {
  private constructor(
    readonly service: TestService,
    /** Where the books are. */
    readonly books: Database,
    private readonly end: () => Promise<void>,
  ) {}

  /** @param environment settings of the service @param providers whose webhooks it takes, besides the registry's */
  static async embedded(
    environment: Readonly<Record<string, string>> = {},
    providers: readonly SourceProvider[] = [],
  ): Promise<OrderHarness> {
    const service = await TestService.start(undefined, environment, false, withThose(providers));
    return new OrderHarness(service, service.database, () => service.stop());
  }

  /** @param connection settings of the connection, besides its key @param environment settings of the service */
  static async remote(
    connection: object = {},
    environment: Readonly<Record<string, string>> = {},
    providers: readonly SourceProvider[] = [],
  ): Promise<OrderHarness> {
    const books: TestingApp = await FinanceClient.serve();
    const client = await FinanceClient.of(books);
    const account = await client.idByCode('account', 'main');
    const folder = new ConfigFolder({
      category: {
        'online-sales': await client.idByCode('category', '1.1.01'),
        'payment-fees': await client.idByCode('category', '2.1.04'),
        refunds: await client.idByCode('category', '2.1.06'),
        chargebacks: await client.idByCode('category', '2.1.06'),
        'chargebacks-won': await client.idByCode('category', '1.2.99'),
        'cancelled-sales': await client.idByCode('category', '2.1.06'),
        'marketplace-commission': await client.idByCode('category', '2.1.05'),
        bills: await client.idByCode('category', '2.6.99'),
      },
      gatewayAccount: { default: account },
      payoutAccount: { default: account },
    });
    const settings = {
      CONFIG_DIR: folder.path,
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: `${await books.app.getUrl()}/v1`,
      ...environment,
    };
    const service = await TestService.start(undefined, settings, false, withThose(providers));
    const put = await service.operate('put', 'finance', {
      organization: client.company.organization.slug,
      apiKey: client.key,
      limits: { perSecond: 1_000, atOnce: 8 },
      ...connection,
    });
    if (put.status !== 200) throw new Error(put.text);
    return new OrderHarness(service, books.database, async () => {
      await service.stop();
      await books.close();
      folder.remove();
    });
  }

  stop(): Promise<void> {
    return this.end();
  }

  /** Sends an order as Shopify has it, with these fields instead of its own, and waits until it is worked on. */
  async shopify(order: DemoOrder, fields: object = {}, topic = 'orders/paid'): Promise<void> {
    const own = JSON.parse(shopifyOrder(order, true).toString()) as object;
    const reply = await this.service.hook({
      ...{ source: 'shopify', topic },
      body: JSON.stringify({ ...own, ...fields }),
    });
    if (reply.status !== 200) throw new Error(reply.text);
    await this.settled();
  }

  /** Sends a message of Standard Webhooks, and waits until it is worked on. */
  async standard(type: string, data: object, id?: string): Promise<void> {
    const body = JSON.stringify({ type, timestamp: '2025-06-30T12:00:00Z', data });
    const hook = { source: 'standard', topic: type, body, ...(id !== undefined && { id }) } as const;
    const reply = await this.service.hook(hook);
    if (reply.status !== 200) throw new Error(reply.text);
    await this.settled();
  }

  /** Waits until nothing is waiting. */
  async settled(): Promise<void> {
    const waiting = () => this.service.database.prisma.delivery.findFirst({ where: { state: 'waiting' } });
    const since = performance.now();
    for (let left = await waiting(); left; left = await waiting()) {
      if (performance.now() - since > LONGEST_WAIT_MS) throw new Error(`it waits: ${left.reason}`);
      await sleep(20);
    }
  }

  async lastDelivery(): Promise<DeliveryPage['items'][number]> {
    const { items } = (await this.service.admin('deliveries')) as DeliveryPage;
    const [last] = items;
    if (!last) throw new Error('nothing was delivered');
    return last;
  }

  /** What a Shopify order left to a person, newest first. */
  async attention({ id }: DemoOrder): Promise<AttentionPage['items']> {
    const { items } = (await this.service.admin('attention')) as AttentionPage;
    return items.filter(({ businessKey }) => businessKey === `shopify/order/${id}`);
  }

  /** Puts a lookup table. */
  async table(name: string, entries: Record<string, string>): Promise<void> {
    const { status, text } = await this.service.operate('put', `tables/${name}`, { entries });
    if (status !== 200) throw new Error(text);
  }

  /** Opens an account in the organization's books. @returns its UUID */
  async openAccount(name: string): Promise<string> {
    const { prisma } = this.books;
    const { organizationId } = await prisma.account.findFirstOrThrow({ where: { name: 'Conta principal' } });
    const openedOn = new Date('2026-01-01');
    const { id } = await prisma.account.create({
      data: { id: newId(), organizationId, name, openBalanceMinor: 0n, openedOn },
    });
    await prisma.accountBalance.create({ data: { accountId: id, balanceMinor: 0n, announcedMinor: 0n } });
    return id;
  }

  /** The customers in the books who are called so. */
  customers(name: string): Promise<{ id: string; document: string | null }[]> {
    return this.books.prisma.stakeholder.findMany({
      where: { name, kind: 'customer' },
      select: { id: true, document: true },
    });
  }
}

function withThose(providers: readonly SourceProvider[]): SourceProviders {
  return new SourceProviders([...PROVIDERS, ...providers]);
}
