import type { ServerResponse } from 'node:http';
import { openTestDatabase } from '../../../../test/support/database';
import { feedChangesOf } from '../../../../test/support/feed-changes';
import { connectionTo, httpWire } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { StubService } from '../../../../test/support/stub-service';
import { until } from '../../../../test/support/until';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { CallContent, CallResult } from './call';
import { digestsOf, keptContent } from './settled-content';

const BODY = {
  ...{ name: 'Zenaide Quaresma', email: 'zenaide@example.com', document: { number: '52998224725' } },
  address: { line1: 'Rua das Laranjeiras 124' },
};
const CUSTOMER: CallContent = { operation: 'customers.create', body: BODY };
const LEFT_OUT = Object.keys(BODY).sort();

describe('what is kept of a call about a person', () => {
  let database: Database;
  let service: StubService;
  let finance: RemoteFinance;
  let effectKey: string;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    service = await StubService.start();
    finance = await RemoteFinance.open(database, httpWire(), connectionTo({ url: service.url() }));
    effectKey = newId();
  });
  afterEach(() => service.stop());
  afterAll(() => database.close());

  async function make(content = CUSTOMER): Promise<CallResult> {
    const { organization, connections, calls } = finance;
    const name = { organizationId: organization.id, effectKey, part: 1 };
    return calls.make(await connections.of(organization), name, content);
  }

  interface Kept {
    body?: object;
    leftOut?: string[];
    said?: Record<string, string>;
    digest?: string;
  }

  async function kept(): Promise<Kept> {
    const [row] = await finance.rows();
    return row?.request as Kept;
  }

  async function stored(): Promise<{ id: string; state: string; text: string }> {
    const [row] = await finance.rows();
    return { id: row?.id ?? '', state: row?.state ?? '', text: JSON.stringify(row) };
  }

  function expectNobody({ body, leftOut }: Kept): void {
    expect([body, leftOut?.toSorted()]).toEqual([undefined, LEFT_OUT]);
  }

  const cut = (response: ServerResponse) => void response.destroy();

  it('is without the person once it is applied, while the feed says whom it made', async () => {
    const id = newId();
    service.replies(200, JSON.stringify(id));
    expect(await make()).toMatchObject({ state: 'applied' });
    const { organization } = finance;
    expectNobody(await kept());
    expect((await kept()).said).toEqual(digestsOf(organization.id, BODY));
    expect((await stored()).text).not.toMatch(/Zenaide|zenaide|52998224725|Laranjeiras/);
    expect(await feedChangesOf(database, organization.id)).toMatchObject([
      { type: 'customer.created', data: { id, name: BODY.name } },
    ]);
    expect(await make()).toMatchObject({ state: 'applied', output: { id }, earlier: true });
    expect(service.requests).toHaveLength(1);
  });

  it('is without the person once it is refused, and asked for again is sent whole', async () => {
    service.replies(422, '{}');
    expect(await make()).toMatchObject({ state: 'rejected' });
    expectNobody(await kept());
    service.replies(200, JSON.stringify(newId()));
    expect(await make()).toMatchObject({ state: 'applied' });
    expect(service.requests.map(({ body }) => JSON.parse(body) as object)).toEqual([BODY, BODY]);
  });

  it('is whole while it may have to be sent', async () => {
    service.replies(503, '', { 'retry-after': '1' });
    expect(await make()).toMatchObject({ state: 'planned' });
    expect(await kept()).toMatchObject({ body: BODY });
    const { id } = await stored();
    await database.transaction((tx) => finance.decisions.abandon(tx, finance.organization.id, id, 'no more'));
    expectNobody(await kept());
  });

  it.each(['adopt', 'abandon'] as const)(
    'is whole while nobody knows what came of it, until a person says so: %s',
    async (how) => {
      service.answer = cut;
      expect(await make()).toMatchObject({ state: 'unknown' });
      await finance.laterOn();
      const { id, state } = await stored();
      expect(state).toBe('unknown');
      expect(await kept()).toMatchObject({ body: BODY });
      const { decisions, organization } = finance;
      await database.transaction(async (tx) => {
        if (how === 'adopt') await decisions.adopt(tx, organization.id, id, newId(), 'it is there');
        else await decisions.abandon(tx, organization.id, id, 'no more');
      });
      expectNobody(await kept());
    },
  );

  it('is sent whole when a person has it repeated that was refused and left to them', async () => {
    service.replies(409, '{}');
    expect(await make()).toMatchObject({ state: 'rejected' });
    const { calls, decisions, organization } = finance;
    await calls.leaveToPerson({ organizationId: organization.id, effectKey, part: 1 }, 'who is it');
    const { id } = await stored();
    await database.transaction((tx) =>
      decisions.repeat(tx, organization.id, id, 'the other one was removed'),
    );
    service.replies(200, JSON.stringify(newId()));
    expect(await make()).toMatchObject({ state: 'applied' });
    expect(JSON.parse(service.requests.at(-1)?.body ?? '')).toEqual(BODY);
  });

  it('is whole again when a call that was taken for refused may be in effect after all', async () => {
    let held: ServerResponse | undefined;
    service.answer = (response) => void (held = response);
    const sending = make();
    await until(() => held !== undefined);
    await database.prisma.$executeRaw`
      update finance_call set state = 'refused', reason = 'taken for refused',
        request = (request - 'body') || '{"leftOut":["name","email","document","address"]}'
      where organization_id = ${finance.organization.id}::uuid`;
    held?.destroy();
    expect(await sending).toMatchObject({ state: 'unknown' });
    expect(await kept()).toMatchObject({ body: BODY });
    expect(await kept()).not.toHaveProperty('leftOut');
  });

  it('is never created anew from what is left of it', async () => {
    service.answer = cut;
    await make();
    await database.prisma.$executeRaw`
      update finance_call set request = (request - 'body') || '{"leftOut":["name"]}'
      where organization_id = ${finance.organization.id}::uuid`;
    await finance.laterOn();
    const [row] = await finance.rows();
    expect([row?.state, row?.needsReviewAt !== null, row?.reason]).toEqual([
      'unknown',
      true,
      'what was sent is not kept any more',
    ]);
    expect(service.requests).toHaveLength(1);
  });

  it('of a request to /v1 is its digest, and nothing that tells values apart', () => {
    const content = { ...CUSTOMER, digest: 'd' };
    const call = { organizationId: newId(), effectKey: 'v1/key/k', content, state: 'applied' } as const;
    expect(keptContent(call)).toEqual({
      operation: 'customers.create',
      digest: 'd',
      leftOut: Object.keys(BODY),
    });
    expect(keptContent({ ...call, state: 'sending' })).toBe(content);
  });

  it('of other operations is all of it', () => {
    const content: CallContent = { operation: 'schedules.createCredit', body: { reference: 'order/1' } };
    const call = { organizationId: newId(), effectKey: 'k', content, state: 'applied' } as const;
    expect(keptContent(call)).toBe(content);
  });
});
