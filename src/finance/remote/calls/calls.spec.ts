import type { ServerResponse } from 'node:http';
import { arrive } from '../../../../test/support/arrivals';
import { openTestDatabase } from '../../../../test/support/database';
import { connectionTo, httpWire } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { StubService } from '../../../../test/support/stub-service';
import { until } from '../../../../test/support/until';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { CallContent, CallResult } from './call';

const CUSTOMER: CallContent = { operation: 'customers.create', body: { name: 'Lia' } };
const MINUTE_MS = 60_000;

describe('a call that several deliveries want', () => {
  let database: Database;
  let service: StubService;
  let finance: RemoteFinance;
  let held: ServerResponse[];
  let effectKey: string;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    service = await StubService.start();
    held = [];
    service.answer = (response) => void held.push(response);
    finance = await RemoteFinance.open(database, httpWire(), connectionTo({ url: service.url() }));
    effectKey = newId();
  });
  afterEach(() => service.stop());
  afterAll(() => database.close());

  async function make(deliveryId: string | undefined): Promise<CallResult> {
    const { organization, connections, calls } = finance;
    const name = { organizationId: organization.id, effectKey, part: 1 };
    const options = deliveryId === undefined ? {} : { deliveryId };
    return calls.make(await connections.of(organization), name, CUSTOMER, options);
  }

  /** Deliveries that have been put off for longer than any of this takes. */
  async function putOff(count: number): Promise<string[]> {
    const lanes = Array.from({ length: count }, () => newId());
    const ids = await arrive(database, lanes, { receivedAt: finance.clock.now() });
    const readyAt = new Date(Date.now() + 60 * MINUTE_MS);
    await database.prisma.delivery.updateMany({ where: { id: { in: ids } }, data: { readyAt } });
    return ids;
  }

  const row = (id: string | undefined) =>
    database.prisma.delivery.findUniqueOrThrow({ where: { id: id ?? '' } });

  it.each([
    ['was made', 200, 'applied'],
    ['was refused', 422, 'rejected'],
    ['did not arrive', 503, 'planned'],
  ])('wakes whoever asked for it while it was on its way, when it %s', async (_name, status, state) => {
    const [sender, waiter] = await putOff(2);
    const sending = make(sender);
    await until(() => held.length === 1);
    expect(await make(waiter)).toMatchObject({ state: 'sending' });
    expect(await row(waiter)).toMatchObject({ woken: false });
    held[0]?.writeHead(status, { 'retry-after': '1' }).end(JSON.stringify(newId()));
    expect(await sending).toMatchObject({ state });
    expect(await row(waiter)).toMatchObject({ woken: true });
    expect((await row(waiter)).readyAt <= new Date()).toBe(true);
    expect(await row(sender)).toMatchObject({ woken: false });
  });

  it('lets those whom nobody wakes ask again after as long as it has been on its way, and soon at first', async () => {
    const [sender, waiter] = await putOff(2);
    const sending = make(sender);
    await until(() => held.length === 1);
    const asked: number[] = [];
    for (let waited = 0; waited <= 40_000; waited = asked.reduce((sum, wait) => sum + wait, 0)) {
      const result = await make(waiter);
      if (result.state !== 'sending') throw new Error(`it is ${result.state}`);
      const wait = result.until.getTime() - finance.clock.now().getTime();
      asked.push(wait);
      finance.pass(wait);
    }
    expect(asked.slice(0, 5)).toEqual([1_000, 1_000, 2_000, 4_000, 8_000]);
    held[0]?.writeHead(200).end(JSON.stringify(newId()));
    await sending;
  });

  it('has the clock made sure of before its intent and before its outcome', async () => {
    const sure = jest.spyOn(finance.clock, 'sure');
    let before = 0;
    service.answer = (response) => {
      before = sure.mock.calls.length;
      response.writeHead(200).end(JSON.stringify(newId()));
    };
    expect(await make(undefined)).toMatchObject({ state: 'applied' });
    expect([before, sure.mock.calls.length]).toEqual([1, 2]);
  });

  it('is not sent where its machine was suspended after the intent, and is repeated later', async () => {
    service.answer = (response) => response.writeHead(200).end(JSON.stringify(newId()));
    const wire = httpWire();
    const send = wire.withPermit.bind(wire);
    jest.spyOn(wire, 'withPermit').mockImplementationOnce((connection, work) =>
      send(connection, (permit) =>
        work({
          ...permit,
          send: (call, onSend) => {
            finance.pass(10 * MINUTE_MS);
            return permit.send(call, onSend);
          },
        }),
      ),
    );
    finance = finance.on(database, wire);
    expect(await make(undefined)).toMatchObject({ state: 'planned' });
    expect(service.requests).toHaveLength(0);
    finance.pass(MINUTE_MS);
    expect(await make(undefined)).toMatchObject({ state: 'applied' });
    expect(service.requests).toHaveLength(1);
  });
});
