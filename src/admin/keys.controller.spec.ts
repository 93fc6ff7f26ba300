import { Module } from '@nestjs/common';
import type { Response } from 'supertest';
import { TestingApp } from '../../test/support/testing-app';
import { CONFIGURATION } from '../config/config.module';
import { Catalog } from '../deliveries/catalog';
import { SourceDirectory } from '../deliveries/source-directory';
import { SourceProviders } from '../sources/source-providers';
import { SourcesRepository } from '../deliveries/sources.repository';
import type { Organization } from '../kernel/organization';
import { storedRetention } from '../kernel/retention';
import { OperatorKey } from '../organizations/operator-key';
import { RulesRepository } from '../rules/rules.repository';
import { ActiveRules } from '../workflows/active-rules';
import { RuleLoader } from '../workflows/rule-loader';
import { AuditController } from './audit.controller';
import { AuditRepository } from './audit.repository';
import { FolderWrites } from './folder-writes';
import { KeysController } from './keys.controller';
import { OrganizationsAdminController } from './organizations-admin.controller';
import { ProfileChanges } from './profile-changes';

/** The part of the operators' API that is about keys. */
@Module({
  controllers: [OrganizationsAdminController, KeysController, AuditController],
  providers: [
    {
      provide: CONFIGURATION,
      useValue: {
        organizations: [],
        sources: [],
        rules: [],
        profiles: [],
        templates: [],
        tables: [],
        charts: [],
      },
    },
    AuditRepository,
    Catalog,
    FolderWrites,
    ProfileChanges,
    ActiveRules,
    RuleLoader,
    RulesRepository,
    SourceDirectory,
    { provide: SourceProviders, useValue: new SourceProviders() },
    SourcesRepository,
  ],
})
class KeysModule {}

let testing: TestingApp;
let operators: string;
let main: Organization;

beforeAll(async () => {
  testing = await TestingApp.open({ imports: [KeysModule] });
  operators = (await testing.app.get(OperatorKey).ensureOperatorKey({})) ?? '';
});
beforeEach(async () => {
  main = await testing.makeOrganization();
});
afterAll(() => testing.close());

interface Made {
  id: string;
  key: string;
}

function call(
  method: 'get' | 'post' | 'delete',
  path: string,
  key = operators,
): ReturnType<TestingApp['http']['get']> {
  return testing.http[method](`/admin/organizations${path}`).set('authorization', `Bearer ${key}`);
}

async function make(name: string, scopes = ['finance:read']): Promise<Made> {
  const reply: Response = await call('post', `/${main.slug}/keys`).send({ name, scopes });
  expect(reply.status).toBe(201);
  return reply.body as Made;
}

describe('organizations', () => {
  it('are listed and read by operators', async () => {
    const { body } = (await call('get', '')) as { body: { items: Organization[] } };
    expect(body.items).toContainEqual({
      ...main,
      defaultAccountId: null,
      rawBodyDays: 90,
      retention: storedRetention({}, 90),
      profile: 'cash',
    });
    expect((await call('get', `/${main.id}`)).body).toEqual({
      ...main,
      defaultAccountId: null,
      rawBodyDays: 90,
      retention: storedRetention({}, 90),
      profile: 'cash',
    });
    expect((await call('get', '/nobody')).status).toBe(404);
  });

  it('show themselves, and only themselves, to their own key with scope admin', async () => {
    await testing.makeOrganization();
    const { key } = await make('own', ['admin']);
    expect((await call('get', '', key)).body).toEqual({
      items: [
        {
          ...main,
          defaultAccountId: null,
          rawBodyDays: 90,
          retention: storedRetention({}, 90),
          profile: 'cash',
        },
      ],
      after: null,
    });
  });
});

describe('keys of an organization', () => {
  it('are shown when made and never again', async () => {
    const { id, key } = await make('till', ['finance:read', 'FEED:read']);
    expect(key).toMatch(/^ponte_[\w-]{43}$/);
    const list = await call('get', `/${main.slug}/keys`);
    expect(list.body).toEqual({
      items: [
        {
          id,
          name: 'till',
          scopes: ['finance:read', 'feed:read'],
          createdAt: expect.any(String),
          revokedAt: null,
        },
      ],
      after: null,
    });
    expect(list.text).not.toContain(key);
  });

  it('are listed newest first, page by page', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await make(name)).id);
    const first = (await call('get', `/${main.slug}/keys?limit=2`)).body as { items: Made[]; after: string };
    const rest = (await call('get', `/${main.slug}/keys?limit=2&after=${first.after}`)).body as typeof first;
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids);
    expect(rest.after).toBeNull();
  });

  it('stop working when revoked; a second time there is nothing to revoke', async () => {
    const { id, key } = await make('own', ['admin']);
    expect((await call('get', `/${main.slug}`, key)).status).toBe(200);
    expect((await call('delete', `/${main.slug}/keys/${id}`)).status).toBe(204);
    expect((await call('get', `/${main.slug}`, key)).status).toBe(401);
    expect((await call('delete', `/${main.slug}/keys/${id}`)).status).toBe(404);
  });

  it('belong to their organization: another one cannot list or revoke them', async () => {
    const { id } = await make('till');
    const other = await testing.makeOrganization();
    expect((await call('get', `/${other.slug}/keys`)).body).toEqual({ items: [], after: null });
    expect((await call('delete', `/${other.slug}/keys/${id}`)).status).toBe(404);
    expect((await call('delete', `/${main.slug}/keys/nonsense`)).status).toBe(404);
  });

  it.each([
    [{}, ['/name', '/scopes']],
    [{ name: 'x', scopes: [] }, ['/scopes']],
    [{ name: 'x', scopes: ['finance:read', 'root'] }, ['/scopes']],
    [{ name: 'x', scopes: 'admin' }, ['/scopes']],
    [{ name: 'x'.repeat(101), scopes: ['admin'] }, ['/name']],
  ])('are not made of %j', async (body, pointers) => {
    const reply = await call('post', `/${main.slug}/keys`).send(body);
    expect(reply.status).toBe(422);
    const { errors } = reply.body as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('leave who made and revoked them in the audit log, without the key', async () => {
    const own = await make('own', ['admin']);
    const made = (await call('post', `/${main.slug}/keys`, own.key).send({ name: 'till', scopes: ['admin'] }))
      .body as Made;
    await call('delete', `/${main.slug}/keys/${made.id}`, own.key);
    await call('delete', `/${main.slug}/keys/${made.id}`, own.key);
    const audit = await call('get', `/${main.slug}/audit?limit=2`);
    const { items } = audit.body as { items: unknown[] };
    const till = { name: 'till', scopes: ['admin'] };
    expect(items).toEqual([
      expect.objectContaining({
        actor: own.id,
        action: 'key.revoke',
        subject: made.id,
        before: till,
        after: null,
      }),
      expect.objectContaining({
        actor: own.id,
        action: 'key.create',
        subject: made.id,
        before: null,
        after: till,
      }),
    ]);
    expect(audit.text).not.toContain(made.key);
  });
});
