import { DeadLetterLog } from '../../src/deliveries/dead-letter-log';
import { DeliveryWorker } from '../../src/deliveries/delivery-worker';
import { SourceDirectory } from '../../src/deliveries/source-directory';
import { newId } from '../../src/kernel/identifier';
import { arrive } from '../support/arrivals';
import { TestService } from '../support/service';

describe('an organization whose deliveries use up a turn each', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  afterEach(() => jest.restoreAllMocks());

  it('lets the others go first in the next one, however many of its own came before', async () => {
    // One turn after another: two beside each other know only later what the other has used up.
    const worker = service.part(DeliveryWorker);
    worker.pauseWhile(() => true);
    const { database } = service;
    const [costly, costlyToo, cheap] = [newId(), newId(), newId()];
    const ids: string[] = [];
    const planned: string[] = [];
    for (const [sourceId, count] of [
      [costly, 4],
      [costlyToo, 4],
      [cheap, 2],
    ] as const) {
      const lanes = Array.from({ length: count }, () => newId());
      // Not ready before all of them are there.
      const fields = { organizationId: newId(), sourceId, receivedAt: new Date(Date.now() + 86_400_000) };
      ids.push(...(await arrive(database, lanes, fields)));
    }
    const now = performance.now.bind(performance);
    let passed = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
    jest.spyOn(service.part(SourceDirectory), 'findById').mockImplementation((sourceId) => {
      planned.push(sourceId);
      if (sourceId !== cheap) passed += 3_000;
      return undefined;
    });
    // It looks the source up, too.
    jest.spyOn(service.part(DeadLetterLog), 'write').mockReturnValue(undefined);
    const where = { id: { in: ids } };
    await database.prisma.delivery.updateMany({ where, data: { readyAt: new Date(0) } });
    while ((await worker.workOnce()) > 0);
    const rest = [costly, costlyToo, costly, costlyToo, costly, costlyToo];
    expect(planned).toEqual([costly, costlyToo, cheap, cheap, ...rest]);
  });
});
