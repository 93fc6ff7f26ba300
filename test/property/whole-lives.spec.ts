import fc from 'fast-check';
import { ResumedDeliveries } from '../../src/deliveries/resumed-deliveries';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { PROFILE_NAMES, putProfile } from '../support/profiles';
import { slowPropertyRuns } from '../support/property-runs';
import { TestService } from '../support/service';
import { WHOLE_LIVES, type WholeLife } from '../support/whole-lives';

/** All messages, some of them twice, in any order: one that was lost is sent again, and so comes last. */
function arrivalsOf({ messages }: WholeLife): fc.Arbitrary<number[]> {
  const all = [...messages.keys()];
  return fc
    .tuple(fc.shuffledSubarray([...all, ...all]), fc.shuffledSubarray(all, { minLength: all.length }))
    .map(([first, again]) => [...first, ...again.filter((index) => !first.includes(index))]);
}

describe.each(PROFILE_NAMES)('whole lives of orders in the profile %s', (profile) => {
  let service: TestService;
  let orders = 0;

  beforeAll(async () => {
    service = await TestService.start();
    await putProfile(service, profile);
  });
  afterAll(() => service.stop());

  /** @param together how many webhooks are sent before what came of them is waited for */
  async function live({ messages }: WholeLife, arrivals: readonly number[], together: number) {
    orders += 1;
    const id = `life${orders}z`;
    for (const [position, index] of arrivals.entries()) {
      const [type, data] = messages[index]!(id);
      const body = JSON.stringify({ type, timestamp: '2025-06-30T12:00:00Z', data });
      expect((await service.hook({ source: 'standard', topic: type, body })).status).toBe(200);
      if (position % together === together - 1) await service.settle();
    }
    await service.settle();
    while ((await service.part(ResumedDeliveries).resume()) > 0) await service.settle();
    await service.settle();
    return id;
  }

  /** The final records about an order: receipts of one payment are one, however they are spread. */
  async function records(id: string) {
    const { prisma } = service.database;
    const about = { contains: id };
    const named = (text: string | null) => (text ?? '').replaceAll(id, 'ID');
    const day = (date: Date) => date.toISOString().slice(0, 10);
    const accounts = new Map((await prisma.account.findMany()).map((account) => [account.id, account.name]));
    const schedules = await prisma.schedule.findMany({ where: { reference: about } });
    const entries = await prisma.entry.findMany({
      where: { OR: [{ reference: about }, { identifier: about }] },
    });
    const sums = new Map<string, bigint>();
    for (const { kind, date, identifier, reference, debitId, creditId, amountMinor } of entries) {
      const account = accounts.get(debitId) ?? accounts.get(creditId);
      if (account === undefined) continue;
      const what = `${kind} ${day(date)} ${account} ${named(identifier ?? reference)}`;
      sums.set(what, (sums.get(what) ?? 0n) + amountMinor);
    }
    const attention = await prisma.attention.findMany({ where: { businessKey: about } });
    const effects = await prisma.effect.findMany({ where: { key: about, state: 'applied' } });
    const states = await prisma.delivery.groupBy({ by: ['state'], where: { businessKey: about } });
    return {
      states: states.map(({ state }) => state),
      schedules: schedules
        .map(({ reference, dueDate, valueMinor, openMinor }) =>
          [named(reference), day(dueDate), valueMinor, openMinor].join(' '),
        )
        .sort(),
      movements: [...sums].map(([what, minor]) => `${what} ${minor}`).sort(),
      effects: effects.map(({ key, amountMinor }) => `${named(key)} ${amountMinor}`).sort(),
      attention: [...new Set(attention.map(({ code, amountMinor }) => `${code} ${amountMinor}`))].sort(),
    };
  }

  /** Minor units that accounts other than that of write-offs received of buyers. */
  function receivedOf({ movements }: Awaited<ReturnType<typeof records>>): bigint {
    return movements
      .filter(
        (line) => line.startsWith('receipt') && !line.includes(' Baixas ') && !line.includes('/dispute/'),
      )
      .reduce((sum, line) => sum + BigInt(line.split(' ').at(-1) ?? '0'), 0n);
  }

  it.each(WHOLE_LIVES)(
    'end in the same records in whatever order, and how often, it is told: $what',
    async (life) => {
      const expected = await records(await live(life, [...life.messages.keys()], 1));
      expect(expected.states).toEqual(['done']);
      expect(receivedOf(expected)).toBe(life.paidMinor);
      expect(expected.schedules.every((line) => line.endsWith(' 0'))).toBe(true);
      await fc.assert(
        fc.asyncProperty(arrivalsOf(life), fc.integer({ min: 1, max: 8 }), async (arrivals, together) => {
          expect(await records(await live(life, arrivals, together))).toEqual(expected);
        }),
        { numRuns: slowPropertyRuns(10) },
      );
      expect((await verifyLedger(service.database.prisma)).difference).toBeUndefined();
    },
  );
});
