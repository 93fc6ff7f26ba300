import type { Response } from 'supertest';
import { digest } from '../../../src/admin/folder-writes';
import { newId } from '../../../src/kernel/identifier';
import { refusalOf } from '../../support/finance-client';
import { type Method, send } from '../../support/operators-client';
import { namedRule, ProfileFolder } from '../../support/profile-folder';
import { OPERATORS_KEY, TestService } from '../../support/service';

interface Rule {
  name: string;
  version: number;
  enabled: boolean;
}

/** A rule with a setting that takes these. */
function settable(choices: string): string {
  return `rule: both
settings: { basis: { type: choice, of: [${choices}], default: cash, description: how } }
when: { event: order.paid }
then: [{ id: a, do: customer.ensure, with: { name: "\${settings.basis}" } }]`;
}

let folder: ProfileFolder;
let service: TestService;
let slug: string;

beforeAll(async () => {
  folder = new ProfileFolder({
    'profiles/strict/both.yaml': settable('cash, accrual'),
    'tables/brought.yaml': 'table: brought\nentries: { a: filed }',
    'tables/there.yaml': 'table: there\nentries: { a: filed }',
  });
  service = await TestService.start(undefined, { CONFIG_DIR: folder.path });
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});
beforeEach(() => {
  slug = `org-${newId()}`;
});

function call(method: Method, path: string, body?: object): Promise<Response> {
  return send(service, method, `/${slug}${path}`, body);
}

/** Makes the organization. */
async function make(more: object = {}): Promise<void> {
  expect((await send(service, 'post', '', { slug, name: 'Padaria', ...more })).status).toBe(201);
}

/** Changes its profile. @returns what the answer says of that */
async function change(profile: string): Promise<unknown> {
  const reply = await call('patch', '', { profile, reason: 'the accountant said so' });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  const { profileChange, ...organization } = reply.body as Record<string, unknown>;
  expect(organization).toMatchObject({ slug, profile });
  return profileChange;
}

/** Its rules, as `name version`, with a sign before those that are disabled. */
async function rules(): Promise<string[]> {
  const { items } = (await call('get', '/rules')).body as { items: Rule[] };
  return items.map(({ name, version, enabled }) => `${enabled ? '' : '-'}${name} ${version}`);
}

async function put(name: string, document: string): Promise<void> {
  const reply = await service.http
    .put(`/admin/organizations/${slug}/rules/${name}`)
    .set('authorization', `Bearer ${OPERATORS_KEY}`)
    .set('content-type', 'application/yaml')
    .send(document);
  expect(reply.status).toBe(200);
}

describe('an organization that is made', () => {
  it('has the rules of all and those of its profile, cash unless it says another', async () => {
    await make();
    expect((await call('get', '')).body).toMatchObject({ profile: 'cash' });
    expect(await rules()).toEqual(['both 1', 'common 1', 'only-cash 1']);
    slug = `org-${newId()}`;
    await make({ profile: 'accrual' });
    expect((await call('get', '')).body).toMatchObject({ profile: 'accrual' });
    expect(await rules()).toEqual(['both 1', 'common 1', 'only-accrual 1']);
    slug = `org-${newId()}`;
    await make({ profile: 'own' });
    expect(await rules()).toEqual(['common 1', 'only-own 1']);
  });

  it('without rules has none of its profile either', async () => {
    await make({ profile: 'accrual', rules: 'none' });
    expect(await rules()).toEqual([]);
  });

  it('is refused an unknown profile, with the nearest name', async () => {
    const reply = await send(service, 'post', '', { slug, name: 'P', profile: 'acrual' });
    expect(refusalOf(reply)).toBe('422 validation-failed /profile');
    expect(reply.text).toContain('there is no profile \\"acrual\\"; did you mean \\"accrual\\"?');
    expect((await call('get', '')).status).toBe(404);
  });
});

describe('a change of profile', () => {
  it('disables what only the old one has, puts and enables what the new one has, and says so', async () => {
    await make();
    expect(await change('accrual')).toEqual({
      ...{ put: ['both', 'only-accrual'], enabled: [], disabled: ['only-cash'], kept: [] },
    });
    expect(await rules()).toEqual(['both 2', 'common 1', 'only-accrual 1', '-only-cash 1']);
    expect(await change('cash')).toEqual({
      ...{ put: ['both'], enabled: ['only-cash'], disabled: ['only-accrual'], kept: [] },
    });
    // The text of before is the version that has it.
    expect(await rules()).toEqual(['both 1', 'common 1', '-only-accrual 1', 'only-cash 1']);
  });

  it('stands in the audit log, the organization and each rule', async () => {
    await make();
    await change('accrual');
    const { items } = (await call('get', '/audit')).body as { items: Record<string, unknown>[] };
    const reason = 'the accountant said so';
    expect(items.slice(0, -1).map(({ action, subject }) => [action, subject])).toEqual(
      expect.arrayContaining([
        ['organization.change', expect.any(String)],
        ['rule.put', 'both'],
        ['rule.put', 'only-accrual'],
        ['rule.disable', 'only-cash'],
      ]),
    );
    expect(items.filter((item) => item['reason'] === reason)).toHaveLength(4);
    expect(items.find(({ action }) => action === 'organization.change')).toMatchObject({
      before: { profile: 'cash' },
      after: { profile: 'accrual', profileChange: { disabled: ['only-cash'] } },
    });
  });

  it('to the one that it has changes nothing', async () => {
    await make();
    expect(await change('cash')).toBeNull();
    expect(await rules()).toEqual(['both 1', 'common 1', 'only-cash 1']);
  });

  it('leaves what operators wrote or disabled, and names it', async () => {
    await make();
    await put('only-cash', namedRule('only-cash', 'by hand'));
    await put('both', namedRule('both', 'by hand'));
    expect(await change('accrual')).toEqual({
      ...{ put: ['only-accrual'], enabled: [], disabled: [], kept: ['only-cash', 'both'] },
    });
    expect(await rules()).toEqual(['both 2', 'common 1', 'only-accrual 1', 'only-cash 2']);
    await call('post', '/rules/only-accrual/disable');
    await change('cash');
    expect(await change('accrual')).toMatchObject({
      put: [],
      enabled: [],
      kept: expect.arrayContaining(['only-accrual']),
    });
    expect(await rules()).toContain('-only-accrual 1');
  });

  it('does not enable what an operator disabled after another change had', async () => {
    await make();
    await change('accrual');
    await call('post', '/rules/only-cash/enable');
    await call('post', '/rules/only-cash/disable');
    expect(await change('cash')).toMatchObject({ enabled: [], kept: ['only-cash'] });
    expect(await rules()).toContain('-only-cash 1');
  });

  it('brings the tables that its rules need, and leaves those that are there', async () => {
    await make({ rules: 'none' });
    expect((await call('put', '/tables/there', { entries: { a: 'mine' } })).status).toBe(200);
    await change('accrual');
    expect((await call('get', '/tables/there')).body).toMatchObject({ entries: { a: 'mine' } });
    expect((await call('get', '/tables/brought')).body).toMatchObject({ entries: { a: 'filed' } });
    expect(await rules()).toEqual(['both 1', 'only-accrual 1']);
  });

  it('is refused as a whole where a rule does not take what the organization has set on it', async () => {
    await make({ profile: 'own' });
    await put('both', settable('cash, both'));
    const set = await call('put', '/rules/both/settings', { settings: { basis: 'both' } });
    expect(set.status).toBe(200);
    // As if the folder had put it: what operators wrote would stay.
    const organizationId = ((await call('get', '')).body as { id: string }).id;
    await service.database.prisma.rule.updateMany({
      where: { organizationId, name: 'both' },
      data: { fileDigest: new Uint8Array(digest(settable('cash, both'))) },
    });
    const reply = await call('patch', '', { profile: 'strict', name: 'Renamed' });
    expect(refusalOf(reply)).toBe('409 conflict');
    expect(reply.text).toContain(
      'With the profile strict, rule both: 2:20: what the organization has set for',
    );
    expect((await call('get', '')).body).toMatchObject({ profile: 'own', name: 'Padaria' });
    expect(await rules()).toEqual(['both 1', 'common 1', 'only-own 1']);
  });

  it('is refused to a profile that is not there', async () => {
    await make();
    const reply = await call('patch', '', { profile: 'caixa' });
    expect(refusalOf(reply)).toBe('422 validation-failed /profile');
    expect((await call('get', '')).body).toMatchObject({ profile: 'cash' });
  });

  it('by many at once ends with the rules of one', async () => {
    await make();
    const asked = ['accrual', 'own', 'cash', 'accrual', 'own'];
    const replies = await Promise.all(asked.map((profile) => call('patch', '', { profile })));
    expect(replies.map(({ status }) => status)).toEqual(asked.map(() => 200));
    const { profile } = (await call('get', '')).body as { profile: 'cash' | 'accrual' | 'own' };
    const acting = { cash: ['both', 'only-cash'], accrual: ['both', 'only-accrual'], own: ['only-own'] };
    const enabled = (await rules()).filter((rule) => !rule.startsWith('-')).map((rule) => rule.split(' ')[0]);
    expect(enabled.sort()).toEqual(['common', ...acting[profile]].sort());
  });
});
