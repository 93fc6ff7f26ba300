import { openTestDatabase } from '../support/database';
import type { Database } from '../../src/database/database';
import { CostCentersPort } from '../../src/finance/api/ports/cost-centers.port';
import type { ListRequest } from '../../src/finance/api/shapes/lists.dto';
import { newId } from '../../src/kernel/identifier';
import { Problem } from '../../src/kernel/problem';
import type { Organization } from '../../src/kernel/organization';
import { MortalDatabase } from '../support/mortal-database';
import { PolledRemote } from '../support/polled-remote';
import type { PollingApp } from '../support/polling-app';

type List = CostCentersPort['list'];
type Page = Awaited<ReturnType<List>>;

describe('polling cost centers', () => {
  let database: Database;
  let mortal: MortalDatabase;
  let remote: PolledRemote;
  let app: PollingApp;
  let port: CostCentersPort;
  let readAsItIs: List;
  let organization: Organization;
  let companyId: string;
  let organizationId: string;
  let first: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    mortal = new MortalDatabase(database);
    remote = await PolledRemote.open(0, { database: mortal });
    app = remote.app;
    await app.prepare();
    await app.stopPolling(remote.organization.id);
    port = app.testing.app.get(CostCentersPort);
    readAsItIs = port.list.bind(port);
  });
  afterAll(async () => {
    await remote.close();
    await database.close();
  });

  beforeEach(async () => {
    const found = await remote.found();
    organization = found.organization;
    organizationId = organization.id;
    companyId = found.company.organization.id;
    first = (await books().costCenter.findFirstOrThrow({ where: { organizationId: companyId } })).id;
    await app.prepare();
    const dueAt = new Date('2100-01-01T00:00:00Z');
    await database.prisma.pollLease.updateMany({
      where: { organizationId, kind: { not: 'cost-centers' } },
      data: { dueAt },
    });
    await app.poll();
    await newLines();
  });
  afterEach(async () => {
    port.list = readAsItIs;
    await app.stopPolling(organizationId);
  });

  const books = () => remote.books.database.prisma;
  const newLines = () => app.changeLines(organizationId);
  const rename = (description: string, id = first) =>
    books().costCenter.update({ where: { id }, data: { description } });
  const renameThroughPonte = (description: string) => port.update(organization, first, { description });

  /** @param happens between the reading of each page and everything else; the first time alone */
  function afterReading(happens: (page: Page) => Promise<void> | void): void {
    let happened = false;
    port.list = async (organization, request) => {
      const page = await readAsItIs(organization, request);
      if (!happened) await happens(page);
      happened = true;
      return page;
    };
  }

  async function add(count: number): Promise<string[]> {
    const data = Array.from({ length: count }, (_, index) => {
      return {
        id: newId(),
        organizationId: companyId,
        description: `No ${index}`,
        externalCode: `no-${newId()}`,
      };
    });
    await books().costCenter.createMany({ data });
    return data.map(({ id }) => id);
  }

  describe('while Ponte itself changes them', () => {
    it('does not announce again what was changed after the listing was read', async () => {
      afterReading(() => renameThroughPonte('By Ponte'));
      await app.poll();
      await app.poll();
      await app.poll();
      expect(await newLines()).toEqual([`cost-center.updated cost-center/${first}`]);
    });

    it('does not announce again what was changed before the listing was read', async () => {
      await renameThroughPonte('By Ponte');
      await app.poll();
      await app.poll();
      expect(await newLines()).toEqual([`cost-center.updated cost-center/${first}`]);
    });

    it('announces that what Ponte changed was undone, though the record is as it was last observed', async () => {
      const { description } = await books().costCenter.findFirstOrThrow({ where: { id: first } });
      await renameThroughPonte('By Ponte');
      await rename(description);
      await app.poll();
      await app.poll();
      const announced = await app.changes(organizationId);
      expect(announced.map(({ data }) => data['description'])).toEqual(['By Ponte', description]);
    });

    it('announces that what Ponte announced was removed before a poll found it', async () => {
      const [added] = await add(1);
      await port.update(organization, added!, { description: 'By Ponte' });
      await books().costCenter.update({ where: { id: added! }, data: { deletedAt: new Date() } });
      for (let time = 0; time < 4; time += 1) await app.poll();
      const subject = `cost-center/${added}`;
      expect(await newLines()).toEqual([`cost-center.updated ${subject}`, `cost-center.removed ${subject}`]);
    });

    it('announces nothing of what Ponte made after the listing was read', async () => {
      const [added] = await add(1);
      port.list = async (asked, request) => {
        const page = await readAsItIs(asked, request);
        port.list = readAsItIs;
        const items = page.items.filter(({ costCenterId }) => costCenterId !== added);
        await port.update(asked, added!, { description: 'By Ponte' });
        return { ...page, items, count: items.length };
      };
      for (let time = 0; time < 3; time += 1) await app.poll();
      expect(await newLines()).toEqual([`cost-center.updated cost-center/${added}`]);
    });

    it('leaves the last word to the last change, whoever made which', async () => {
      await rename('By the service');
      afterReading(() => renameThroughPonte('By Ponte'));
      await app.poll();
      await app.poll();
      expect((await app.changes(organizationId)).map(({ data }) => data['description'])).toEqual([
        'By Ponte',
      ]);
      await renameThroughPonte('By Ponte again');
      await rename('By the service again');
      await app.poll();
      await app.poll();
      expect((await app.changes(organizationId)).map(({ data }) => data['description'])).toEqual([
        'By Ponte again',
        'By the service again',
      ]);
    });
  });

  describe('that cannot be read whole', () => {
    it('announces nothing, and logs so once', async () => {
      await rename('Other');
      let refused = 0;
      port.list = async () => {
        refused += 1;
        throw new Problem('finance-unreachable', 'it does not answer');
      };
      const logged = () => app.testing.log.filter((line) => line.includes(organizationId)).length;
      const before = logged();
      await app.poll();
      await app.poll(601);
      await app.poll(1201);
      expect([refused, logged() - before, await newLines()]).toEqual([3, 1, []]);
      port.list = readAsItIs;
      await app.poll(2401);
      expect(await newLines()).toEqual([`cost-center.updated cost-center/${first}`]);
    });

    it('is left alone for longer and longer', async () => {
      let asked = 0;
      port.list = async () => {
        asked += 1;
        throw new Problem('finance-unreachable', 'it does not answer');
      };
      for (let minute = 0; minute < 60; minute += 1) await app.poll(60);
      expect(asked).toBe(4);
    });

    it('removes nothing when it is shorter than its count', async () => {
      port.list = async (organization, request) => {
        const page = await readAsItIs(organization, request);
        return { ...page, items: page.items.slice(1) };
      };
      await app.poll();
      await app.poll(601);
      await app.poll(1201);
      expect(await newLines()).toEqual([]);
    });

    it('removes nothing when a later page fails', async () => {
      await add(600);
      await app.poll();
      await newLines();
      await books().costCenter.update({ where: { id: first }, data: { deletedAt: new Date() } });
      port.list = async (organization, request) => {
        if (request.skipToken !== undefined) throw new Problem('finance-unreachable', 'it does not answer');
        return readAsItIs(organization, request);
      };
      await app.poll();
      await app.poll(601);
      await app.poll(1201);
      expect(await newLines()).toEqual([]);
    });

    it('takes a record that one poll does not find for hidden, not for removed', async () => {
      const without =
        (id: string): List =>
        async (organization, request) => {
          const page = await readAsItIs(organization, request);
          const items = page.items.filter(({ costCenterId }) => costCenterId !== id);
          return { ...page, items, count: items.length };
        };
      for (let time = 0; time < 3; time += 1) {
        port.list = without(first);
        await app.poll();
        port.list = readAsItIs;
        await app.poll();
      }
      expect(await newLines()).toEqual([]);
    });
  });

  it('reads a long listing page by page, a part of it under each lease, and each record once', async () => {
    const requests: ListRequest[] = [];
    port.list = async (organization, request) => {
      requests.push(request);
      // As small as pages of a service may be that does not heed what it is asked for.
      return readAsItIs(organization, { ...request, top: 10 });
    };
    const added = await add(745);
    await app.poll();
    const announced = await newLines();
    expect([announced.length, new Set(announced).size]).toEqual([745, 745]);
    expect(announced).toContain(`cost-center.created cost-center/${added[744]}`);
    expect([requests.length, requests.every(({ fresh }) => fresh)]).toEqual([75, true]);
    await app.poll();
    expect(await newLines()).toEqual([]);
  });

  it('announces each difference once, before whichever statement or commit the process dies', async () => {
    let deaths = 0;
    let expected = '';
    for (let statements = 0; ; statements += 1) {
      await rename(`Version ${statements}`);
      const [added] = await add(1);
      expected = `cost-center.created cost-center/${added}`;
      app.pass(301);
      mortal.dieAfter(statements);
      await app.detector.run().catch(() => undefined);
      const died = mortal.revive();
      // Its lease ends; what failed by its own word is tried again later.
      await app.poll(4_000);
      await app.poll();
      expect([statements, ...(await newLines()).sort()]).toEqual([
        statements,
        expected,
        `cost-center.updated cost-center/${first}`,
      ]);
      if (!died) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(20);
  }, 120_000);
});
