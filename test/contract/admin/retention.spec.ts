import type { RetentionStatusView } from '../../../src/admin/organizations.dto';
import { RETENTION_BOUNDS, RETENTION_SETTINGS } from '../../../src/kernel/retention';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { removeAfter } from '../../support/retained';
import { TestService } from '../../support/service';

let service: TestService;
let client: OperatorsClient;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
});
afterAll(() => service.stop());

const NULLABLE = RETENTION_SETTINGS.filter((setting) => setting !== 'bodies');

async function retention(): Promise<unknown> {
  return ((await client.send('get', '')).body as { retention: unknown }).retention;
}

const change = (retention: object, more: object = {}) => client.send('patch', '', { retention, ...more });

describe('retention of an organization', () => {
  it('is for ever, but for bodies, until somebody says otherwise', async () => {
    const kept = Object.fromEntries(NULLABLE.map((setting) => [setting, null]));
    expect(await retention()).toEqual({ ...kept, bodies: 90 });
  });

  it('is set kind by kind; what is left out stays, and null is for ever', async () => {
    expect((await change({ plans: 365, feed: 90, feedUnread: 90 })).status).toBe(200);
    expect((await change({ bodies: 45, feed: null })).body).toMatchObject({ rawBodyDays: 45 });
    expect(await retention()).toMatchObject({
      bodies: 45,
      plans: 365,
      feed: null,
      feedUnread: 90,
      calls: null,
    });
    await client.send('patch', '', { rawBodyDays: 60 });
    expect(await retention()).toMatchObject({ bodies: 60, plans: 365 });
    const { items } = (await client.send('get', '/audit')).body as {
      items: { after: object; before: object }[];
    };
    expect(items[1]).toMatchObject({
      before: { retention: { bodies: 90, plans: 365, feed: 90 } },
      after: { retention: { bodies: 45, plans: 365, feed: null } },
    });
  });

  it.each(RETENTION_SETTINGS)('refuses days of %s below its floor and above its most', async (setting) => {
    const { least, most } = RETENTION_BOUNDS[setting];
    const pointer = `422 validation-failed /retention/${setting}`;
    for (const days of [least - 1, most + 1, 1.5, 'soon', -1])
      expect(refusalOf(await change({ [setting]: days }))).toBe(pointer);
    expect((await change({ [setting]: least })).status).toBe(200);
  });

  it('refuses what contradicts itself', async () => {
    expect(refusalOf(await change({ bodies: null }))).toBe('422 validation-failed /retention/bodies');
    expect(refusalOf(await change({ bodies: 30 }, { rawBodyDays: 31 }))).toBe(
      '422 validation-failed /retention/bodies',
    );
    expect((await change({ feed: 90 })).status).toBe(200);
    expect(refusalOf(await change({ feedUnread: 60 }))).toBe('422 validation-failed /retention/feedUnread');
  });

  it('shows when what is no longer kept was removed, and whether some is left', async () => {
    await change({ attention: 90, idempotency: 30 });
    const status = async () => (await client.send('get', '/retention')).body as RetentionStatusView;
    expect((await status()).kinds.map(({ kind }) => kind)).toEqual(
      NULLABLE.filter((setting) => setting !== 'feedUnread'),
    );
    const of = async (kind: string) => (await status()).kinds.find((one) => one.kind === kind);
    expect(await of('attention')).toEqual({
      ...{ kind: 'attention', days: 90, ranAt: null, removed: 0, removedEver: 0, complete: false },
    });
    expect(await of('plans')).toMatchObject({ days: null, ranAt: null, complete: true });
    await removeAfter(service, 0);
    expect(await of('attention')).toMatchObject({ ranAt: expect.any(String) as string, complete: true });
  });
});
