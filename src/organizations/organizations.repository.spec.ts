import { openTestDatabase } from '../../test/support/database';
import { organizationsOn } from '../../test/support/organizations';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import type { OrganizationsRepository } from './organizations.repository';

const MAIN = { slug: 'main', name: 'Main', timeZone: 'America/Sao_Paulo', currency: 'BRL' };

let database: Database;
let organizations: OrganizationsRepository;

beforeAll(async () => {
  database = await openTestDatabase();
  organizations = organizationsOn(database);
});
beforeEach(() => database.prisma.organization.deleteMany());
afterAll(() => database.close());

describe('organizations', () => {
  it('are found by id or slug, in any letter case', async () => {
    const main = await organizations.create(MAIN);
    await organizations.create({ ...MAIN, slug: 'another' });
    expect(main).toMatchObject(MAIN);
    for (const name of [main.id, main.id.toUpperCase(), 'main', ' Main '])
      expect(await organizations.find(name)).toEqual(main);
    for (const name of [newId(), 'nobody', '', '%']) expect(await organizations.find(name)).toBeUndefined();
    expect((await organizations.list()).map(({ slug }) => slug)).toEqual(['another', 'main']);
  });

  it('have slugs of their own', async () => {
    const main = await organizations.create(MAIN);
    await expect(organizations.create({ ...MAIN, name: 'Again' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await organizations.list()).toEqual([main]);
  });

  it('of configuration are made once, however many replicas do so, and keep their id when they change', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => organizations.upsert(MAIN)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const changed = await organizations.upsert({ ...MAIN, name: 'New name', timeZone: 'America/Manaus' });
    expect(changed).toEqual({ ...made[0], name: 'New name', timeZone: 'America/Manaus' });
    expect(await organizations.list()).toEqual([changed]);
  });
});
