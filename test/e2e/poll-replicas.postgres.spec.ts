import { CostCentersPort } from '../../src/finance/api/ports/cost-centers.port';
import { appendChanges } from '../../src/feed/changes/changes.repository';
import { ConnectionsRepository } from '../../src/finance/remote/connections/connections.repository';
import { FinanceModule } from '../../src/finance/finance.module';
import type { Organization } from '../../src/kernel/organization';
import type { Transaction } from '../../src/database/transaction';
import { newId } from '../../src/kernel/identifier';
import { Company } from '../support/company';
import { openTestReplicas } from '../support/database';
import { payable } from '../support/payables';
import { frontOf } from '../support/looped';
import { SettableClock } from '../support/settable-clock';
import { TestingApp } from '../support/testing-app';
import { PollingApp } from '../support/polling-app';

describe('polls of several replicas', () => {
  let replicas: PollingApp[];
  let first: PollingApp;
  let books: TestingApp;
  let company: Company;
  /** Whose books the company's are, for the replicas. */
  let organization: Organization;
  let organizationId: string;
  let companyId: string;

  beforeAll(async () => {
    const clock = new SettableClock('2026-03-10T15:00:00Z');
    books = await TestingApp.open({ imports: [FinanceModule], clock });
    const env = frontOf(`${await books.app.getUrl()}/v1`);
    const databases = await openTestReplicas(3);
    replicas = await Promise.all(databases.map((database) => PollingApp.open({ database, env }, clock)));
    first = replicas[0]!;
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    for (const replica of replicas) await replica.testing.database.close();
    await books.close();
  });

  beforeEach(async () => {
    company = await Company.found(books.database);
    companyId = company.organization.id;
    organization = await first.testing.makeOrganization();
    organizationId = organization.id;
    const { key } = await books.makeKey(company.organization, 'finance:read', 'finance:write');
    const stored = { organization: company.organization.slug, limits: { perSecond: 10_000 }, cacheMs: 0 };
    const connections = first.testing.app.get(ConnectionsRepository);
    await first.testing.database.transaction((tx) => connections.put(tx, organizationId, stored, key));
    await first.poll();
    await first.changes(organizationId);
  });
  afterEach(() => first.stopPolling(organizationId));

  const prisma = () => books.database.prisma;

  /** As a call that took effect announces it. */
  const announce = (tx: Transaction, recordId: string) =>
    appendChanges(
      tx,
      [
        {
          ...{ organizationId, type: 'cost-center.updated', recordId },
          data: { costCenterId: recordId, description: 'By Ponte' },
        },
      ],
      first.clock.now(),
    );

  it('announce each difference once, however many poll at the same time', async () => {
    for (let round = 1; round <= 8; round += 1) {
      const made = newId();
      await prisma().costCenter.create({
        data: { id: made, organizationId: companyId, description: 'Made', externalCode: made },
      });
      const debit = await payable(company, { dueDate: '2030-01-01' });
      await first.prepare();
      first.pass(301);
      await Promise.all([...replicas, ...replicas].map(({ detector }) => detector.run()));
      // Whoever found a lease taken came back without it.
      await first.poll();
      expect((await first.changeLines(organizationId)).sort()).toEqual([
        `cost-center.created cost-center/${made}`,
        `debit-schedule.created debit-schedule/${debit}`,
      ]);
    }
  });

  it('write nothing under a lease that ended while they were reading', async () => {
    const slow = replicas[1]!;
    const port = slow.testing.app.get(CostCentersPort);
    const list = port.list.bind(port);
    const where = { organizationId: companyId };
    const { id } = await prisma().costCenter.findFirstOrThrow({ where });
    let others = 0;
    port.list = async (asked, request) => {
      const page = await list(asked, request);
      // Its lease ends; another reads what is there by then.
      await prisma().costCenter.update({ where: { id }, data: { description: 'Later' } });
      await first.poll();
      others += 1;
      return page;
    };
    await prisma().costCenter.update({ where: { id }, data: { description: 'Earlier' } });
    await first.prepare();
    first.pass(301);
    await slow.detector.run();
    port.list = list;
    await first.poll();
    await first.poll();
    const announced = (await first.changes(organizationId)).map(({ data }) => data['description']);
    expect([others, announced]).toEqual([1, ['Later']]);
  });

  it('announce the last state of a change that another’s poll had passed', async () => {
    const [, early, late] = replicas as [PollingApp, PollingApp, PollingApp];
    const port = early.testing.app.get(CostCentersPort);
    const list = port.list.bind(port);
    const { id } = await prisma().costCenter.findFirstOrThrow({ where: { organizationId: companyId } });
    const rename = (description: string) =>
      prisma().costCenter.update({ where: { id }, data: { description } });
    const descriptions = async () =>
      (await first.changes(organizationId)).map(({ data }) => data['description']);
    for (const read of ['One', 'Two']) {
      port.list = async (asked, request) => {
        const page = await list(asked, request);
        await rename(`${read}, passed`);
        await rename(`${read}, at last`);
        return page;
      };
      await rename(read);
      await early.poll();
      port.list = list;
      expect(await descriptions()).toEqual([read]);
      await late.poll();
      expect(await descriptions()).toEqual([`${read}, at last`]);
      await first.poll();
      expect(await descriptions()).toEqual([]);
    }
  });

  it('leave a change of Ponte’s own that is not committed yet to a later poll', async () => {
    const { id } = await prisma().costCenter.findFirstOrThrow({ where: { organizationId: companyId } });
    const writer = replicas[2]!.testing.database;
    const now = first.clock.now();
    const call = await writer.prisma.financeCall.create({
      data: {
        ...{ id: newId(), organizationId, effectKey: newId(), part: 1, state: 'intended' },
        ...{ operation: 'costCenters.update', request: { path: { CostCenterId: id } } },
        ...{ nextAt: now, createdAt: now, updatedAt: now },
      },
    });
    await prisma().costCenter.update({ where: { id }, data: { description: 'By Ponte' } });
    await writer.transaction(async (tx) => {
      await tx.financeCall.update({ where: { id: call.id }, data: { state: 'applied', nextAt: null } });
      await announce(tx, id);
      // Its place in the feed is drawn, its commit is to come: other changes are announced meanwhile, and listings polled.
      await prisma().account.updateMany({
        where: { organizationId: companyId, code: 'main' },
        data: { name: 'Other' },
      });
      await first.poll();
    });
    await first.poll();
    await first.poll();
    const announced = (await first.changeLines(organizationId)).map((line) => line.split('/')[0]);
    expect(announced.sort()).toEqual(['account.updated account', 'cost-center.updated cost-center']);
  });
});
