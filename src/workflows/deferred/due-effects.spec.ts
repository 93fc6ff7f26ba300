import { EffectRecordsRepository } from '../../finance/effects/effect-records.repository';
import { Company, receiptEffect } from '../../../test/support/company';
import { openTestDatabase } from '../../../test/support/database';
import { embeddedDue, putOff, statesOf } from '../../../test/support/deferred-parts';
import { RecordingServer } from '../../../test/support/recording-server';
import { SettableClock } from '../../../test/support/settable-clock';
import { testSettings } from '../../../test/support/database';
import type { Database } from '../../database/database';
import type { PlannedEffect } from '../../finance/api/effects/effect';
import { DatabaseUnavailable } from '../../kernel/database-unavailable';
import { newId } from '../../kernel/identifier';
import { storedRetention } from '../../kernel/retention';
import { NotificationEndpoints } from '../../notifications/endpoints.repository';
import { Notifications } from '../../notifications/notifications';
import { DeferredRetention } from '../../retention/deferred.repository';
import { AttentionRepository } from '../attention.repository';
import type { Run } from '../run';
import { Deferral } from './deferral';
import { DeferredEffects } from './deferred-effects.repository';
import { EmbeddedDueEffects } from './embedded-due-effects';
import { OutsideDueEffects } from './outside-due-effects';

const RUNNING = new AbortController().signal;

let database: Database;
let company: Company;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  company = await Company.found(database);
});
afterEach(() => company.verify());
afterAll(() => database.close());

async function parts(count: number, value = '10.00') {
  const schedules = await company.schedules({ customer: await company.customer(), value: '100.00' });
  return Array.from({ length: count }, (_, index) =>
    receiptEffect(`part/${index}`, { schedules, value, date: '2026-03-10' }),
  );
}

describe("what is due on Ponte's own books", () => {
  it('is not applied by a worker that dies before its end is written, and is by the next', async () => {
    await putOff(database, company.organization, await parts(2));
    class Dying extends EmbeddedDueEffects {
      protected override async conclude(): Promise<void> {
        throw new DatabaseUnavailable('gone');
      }
    }
    await expect(embeddedDue(database, Dying).applySome(RUNNING)).rejects.toThrow(DatabaseUnavailable);
    expect(await company.balance()).toBe(0n);
    expect(await embeddedDue(database).applySome(RUNNING)).toBe(2);
    expect(await embeddedDue(database).applySome(RUNNING)).toBe(0);
    expect(await company.balance()).toBe(2_000n);
    expect(Object.values(await statesOf(database, company.organization))).toEqual(['applied', 'applied']);
  });

  it('is applied although another one fails inside Ponte, which is counted and tried later', async () => {
    const [first, broken, last] = await parts(3);
    await putOff(database, company.organization, [first!, broken!, last!]);
    await database.prisma.$executeRaw`
      update deferred_effect set effect = jsonb_set(effect, '{operation}', '"no.operation"')
      where organization_id = ${company.organization.id}::uuid and key = 'part/1'`;
    await embeddedDue(database).applySome(RUNNING);
    expect(await company.balance()).toBe(2_000n);
    expect(await statesOf(database, company.organization)).toEqual({
      ...{ 'part/0': 'applied', 'part/1': 'waiting', 'part/2': 'applied' },
    });
    const row = await database.prisma.deferredEffect.findFirstOrThrow({
      where: { organizationId: company.organization.id, key: 'part/1' },
    });
    expect(row.attempts).toBe(1);
    expect(row.readyAt.getTime()).toBeGreaterThan(row.dueAt.getTime());
  });

  it('does nothing twice that was applied under its key meanwhile, and names another amount', async () => {
    const [early] = await parts(1);
    await putOff(database, company.organization, [early!]);
    await company.apply({ ...early!, amount: '9.00', input: { ...early!.input, value: '9.00' } } as never);
    await embeddedDue(database).applySome(RUNNING);
    expect(await company.balance()).toBe(900n);
    expect(await statesOf(database, company.organization)).toEqual({ 'part/0': 'applied' });
    const items = await database.prisma.attention.findMany({
      where: { organizationId: company.organization.id },
    });
    expect(items.map(({ code }) => code)).toEqual(['amount-differs']);
  });

  it('leaves over what finds nothing open', async () => {
    await putOff(database, company.organization, await parts(2, '60.00'));
    await embeddedDue(database).applySome(RUNNING);
    expect(await company.balance()).toBe(10_000n);
    const items = await database.prisma.attention.findMany({
      where: { organizationId: company.organization.id },
    });
    expect(items.map(({ code, amountMinor }) => [code, amountMinor])).toEqual([
      ['payment-left-over', 2_000n],
    ]);
  });
});

describe('a deferred effect that is over and asked for again', () => {
  it('names another content and another amount, and once its own content is removed the amount alone', async () => {
    const { organization } = company;
    const [part] = await parts(1);
    const stored = { ...part!, amount: '10.00', notBefore: '2026-03-01' } as PlannedEffect;
    await putOff(database, organization, [stored]);
    await database.prisma.deferredEffect.updateMany({
      where: { organizationId: organization.id },
      data: { state: 'cancelled', reason: 'given up', finishedAt: new Date('2026-03-10T15:00:00Z') },
    });
    const input = { ...stored.input, date: '2026-03-09' };
    const effect = { ...stored, amount: '11.00', input } as PlannedEffect;
    const request = {
      ...{ organization, effect, runId: newId(), step: 'settle', rule: { name: 'r', version: 1 } },
      datesKnown: true,
    };
    const run = {} as Run;
    const clock = new SettableClock('2026-03-20T15:00:00Z');
    const deferral = new Deferral(new DeferredEffects(), new EffectRecordsRepository(), clock);
    const codes = async () => {
      const results = await database.transaction((tx) => deferral.putOff(tx, [{ run, request }]));
      const result = results.get(run);
      return result && 'attention' in result && result.attention.map(({ code }) => code);
    };
    expect(await codes()).toEqual(['amount-differs', 'content-differs']);
    const at = new Date(Date.now() + 200 * 86_400_000);
    const batch = { organizationId: organization.id, before: at, place: null, now: at, limit: 10 };
    const days = storedRetention({ deferred: 90 }, 90);
    const { removed } = await database.transaction((tx) =>
      new DeferredRetention().remove(tx, { ...batch, days }),
    );
    expect(removed).toBe(1);
    expect(await codes()).toEqual(['amount-differs']);
  });
});

describe('a message', () => {
  it('is sent again with its id by the next worker where one dies between sending and noting it', async () => {
    const receiver = await RecordingServer.start();
    receiver.answer({ status: 200 });
    const settings = testSettings({
      NOTIFICATION_ALLOWED_NETWORKS: '127.0.0.0/8',
      SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
    });
    const clock = new SettableClock('2026-03-10T15:00:00Z');
    const endpoints = new NotificationEndpoints(database, settings);
    const sender = new Notifications(endpoints, clock, clock, settings);
    const secrets = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`];
    await database.transaction((tx) =>
      endpoints.create(tx, company.organization.id, { name: 'e', url: receiver.url, secrets }, clock.now()),
    );
    class Dying extends OutsideDueEffects {
      protected override async conclude(): Promise<void> {
        throw new DatabaseUnavailable('gone');
      }
    }
    const due = (type: typeof OutsideDueEffects) =>
      new type(database, sender, new DeferredEffects(), new AttentionRepository(), clock);
    const input = { endpoint: 'e', type: 'order.booked', data: { order: '1' } };
    await putOff(database, company.organization, [{ key: 'n', operation: 'http.notify', input }]);
    await expect(due(Dying).applySome(RUNNING)).rejects.toThrow(DatabaseUnavailable);
    // Its lease is still running.
    expect(await due(OutsideDueEffects).applySome(RUNNING)).toBe(0);
    await database.prisma.$executeRaw`update deferred_effect set ready_at = due_at where key = 'n'`;
    expect(await due(OutsideDueEffects).applySome(RUNNING)).toBe(1);
    const [first, second] = receiver.requests;
    expect(receiver.requests).toHaveLength(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(await statesOf(database, company.organization)).toEqual({ n: 'applied' });
    await sender.beforeApplicationShutdown();
    await receiver.stop();
  });
});
