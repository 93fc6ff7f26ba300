import { CostCentersPort } from '../../src/finance/api/ports/cost-centers.port';
import { announceOwn } from '../../src/finance/embedded/changes/announce';
import { newId } from '../../src/kernel/identifier';
import { Company } from '../support/company';
import { openTestReplicas } from '../support/database';
import { payable } from '../support/payables';
import { SettableClock } from '../support/settable-clock';
import { Watching } from '../support/watching';

describe('looks of several replicas', () => {
  let replicas: Watching[];
  let first: Watching;
  let company: Company;
  let organizationId: string;

  beforeAll(async () => {
    const clock = new SettableClock('2026-03-10T15:00:00Z');
    const databases = await openTestReplicas(3);
    replicas = await Promise.all(databases.map((database) => Watching.open({ database }, clock)));
    first = replicas[0]!;
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    for (const replica of replicas) await replica.testing.database.close();
  });

  beforeEach(async () => {
    company = await Company.found(first.testing.database);
    organizationId = company.organization.id;
    await first.look();
    await first.news(organizationId);
  });
  afterEach(() => first.leave(organizationId));

  const prisma = () => first.testing.database.prisma;

  it('tell each difference once, however many look at the same time', async () => {
    for (let round = 1; round <= 8; round += 1) {
      const made = newId();
      await prisma().costCenter.create({
        data: { id: made, organizationId, description: 'Made', externalCode: made },
      });
      const debit = await payable(company, { dueDate: '2030-01-01' });
      await first.ready();
      first.pass(301);
      await Promise.all([...replicas, ...replicas].map(({ watch }) => watch.run()));
      // Whoever found a turn in another's hands came back without it.
      await first.look();
      expect((await first.headlines(organizationId)).sort()).toEqual([
        `cost-center.created cost-center/${made}`,
        `debit-schedule.created debit-schedule/${debit}`,
      ]);
    }
  });

  it('write nothing in a turn that ended while they were reading', async () => {
    const slow = replicas[1]!;
    const port = slow.testing.app.get(CostCentersPort);
    const list = port.list.bind(port);
    const where = { organizationId };
    const { id } = await prisma().costCenter.findFirstOrThrow({ where });
    let others = 0;
    port.list = async (organization, request) => {
      const page = await list(organization, request);
      // Its lease ends; another reads what is there by then.
      await prisma().costCenter.update({ where: { id }, data: { description: 'Later' } });
      await first.look();
      others += 1;
      return page;
    };
    await prisma().costCenter.update({ where: { id }, data: { description: 'Earlier' } });
    await first.ready();
    first.pass(301);
    await slow.watch.run();
    port.list = list;
    await first.look();
    await first.look();
    const told = (await first.news(organizationId)).map(({ data }) => data['description']);
    expect([others, told]).toEqual([1, ['Later']]);
  });

  it('leave a change of Ponte’s own that is not committed yet to a later look', async () => {
    const { id } = await prisma().costCenter.findFirstOrThrow({ where: { organizationId } });
    const writer = replicas[2]!.testing.database;
    await writer.transaction(async (tx) => {
      await tx.costCenter.update({ where: { id }, data: { description: 'By Ponte' } });
      await announceOwn(tx, company.organization, [{ type: 'cost-center.updated', id }], first.clock.now());
      // Its place in the feed is drawn, its commit is to come: others are told meanwhile, and looked at.
      await prisma().account.updateMany({ where: { organizationId, code: 'main' }, data: { name: 'Other' } });
      await first.look();
    });
    await first.look();
    await first.look();
    const told = (await first.headlines(organizationId)).map((line) => line.split('/')[0]);
    expect(told.sort()).toEqual(['account.updated account', 'cost-center.updated cost-center']);
  });

  it('leave the last word to a change of Ponte’s own that a look passed unseen', async () => {
    const { id } = await prisma().costCenter.findFirstOrThrow({ where: { organizationId } });
    await prisma().costCenter.update({ where: { id }, data: { description: 'By the service' } });
    const writer = replicas[2]!.testing.database;
    await writer.transaction(async (tx) => {
      await tx.costCenter.update({ where: { id }, data: { description: 'By Ponte' } });
      await announceOwn(tx, company.organization, [{ type: 'cost-center.updated', id }], first.clock.now());
      await first.ready();
      first.pass(301);
      // What is told of the look stands behind what was written before it and is committed after it.
      await first.watch.run();
    });
    for (let time = 0; time < 3; time += 1) await first.look();
    const told = (await first.news(organizationId)).map(({ data }) => data['description']);
    expect([told.length, told.at(-1)]).toEqual([3, 'By Ponte']);
  });
});
