import { readFileSync } from 'node:fs';
import { documentKeysOn, organizationsOn } from '../../test/support/organizations';
import { join } from 'node:path';
import { openTestDatabase } from '../../test/support/database';
import { secretsKeysOf } from '../config/secrets-key';
import { Settings } from '../config/settings';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { CatalogRevision } from '../organizations/catalog-revision.repository';
import { TABLES } from '../rules/fixtures';
import { LookupTable } from '../rules/lookup-table';
import { RulesRepository } from '../rules/rules.repository';
import { SourceProviders } from '../sources/source-providers';
import { ActiveRules } from '../workflows/active-rules';
import { RuleLoader } from '../workflows/rule-loader';
import { Catalog } from './catalog';
import { sealSecrets } from './sealed-secrets';
import { SourceDirectory } from './source-directory';
import { SourcesRepository } from './sources.repository';

const ORDER_PAID = readFileSync(join(__dirname, '../../config/profiles/cash/order-paid.yaml'), 'utf8');

describe('the catalog', () => {
  let database: Database;
  let rules: RulesRepository;
  let organizationId: string;
  let slug: string;

  beforeAll(async () => {
    database = await openTestDatabase();
    rules = new RulesRepository(database);
  });
  afterAll(() => database.close());

  beforeEach(async () => {
    slug = `org-${newId()}`;
    const organization = { slug, name: 'A shop', currency: 'BRL', timeZone: 'America/Sao_Paulo' };
    ({ id: organizationId } = await organizationsOn(database).create(organization));
    for (const table of TABLES.values()) await rules.putTable(database.prisma, organizationId, table);
  });

  /** What one replica holds in memory. */
  function replica(sources = new SourcesRepository(database), key = 1) {
    const settings = settingsWith(key);
    const book = new ActiveRules();
    const directory = new SourceDirectory(sources, settings, new SourceProviders());
    const catalog = new Catalog(
      new CatalogRevision(database),
      directory,
      new RuleLoader(rules, book, documentKeysOn(database)),
    );
    const versions = () =>
      book.listeningTo(organizationId, 'order.paid').rules.map(({ name, version }) => `${name} ${version}`);
    return { catalog, book, directory, versions };
  }

  function change(catalog: Catalog, document: string): Promise<void> {
    return database.transaction(async (tx) => {
      await rules.put(tx, organizationId, 'order-paid', document);
      await catalog.changed(tx);
    });
  }

  function addSource(catalog: Catalog, name: string): Promise<void> {
    return database.transaction(async (tx) => {
      const source = { organizationId, slug: name, provider: 'shopify', settings: {}, paused: false };
      await new SourcesRepository(database).put(tx, source, () => null);
      await catalog.changed(tx);
    });
  }

  it('learns what another replica changed, at its next poll and within a transaction', async () => {
    const [one, other] = [replica(), replica()];
    await one.catalog.load();
    await other.catalog.load();
    await change(one.catalog, ORDER_PAID);
    await addSource(one.catalog, 'shop');
    expect(other.versions()).toEqual([]);
    await other.catalog.poll();
    expect(other.versions()).toEqual(['order-paid 1']);
    expect(other.directory.find(slug, 'shop')).toMatchObject({ slug: 'shop' });
    await change(other.catalog, `${ORDER_PAID}\n# Mended.\n`);
    await database.transaction((tx) => one.catalog.refresh(tx));
    expect(one.versions()).toEqual(['order-paid 2']);
  });

  it('keeps the secrets it knows where another replica has sealed them with a newer key, and takes the rest', async () => {
    const sources = new SourcesRepository(database);
    const put = (catalog: Catalog, name: string, key: number, settings: Record<string, unknown>) =>
      database.transaction(async (tx) => {
        const source = { organizationId, slug: name, provider: 'shopify', settings, paused: false };
        await sources.put(tx, source, (id) =>
          sealSecrets([`${name} secret`], id, secretsKeysOf(settingsWith(key))),
        );
        await catalog.changed(tx);
      });
    const [old, anew] = [replica(sources, 1), replica(sources, 2)];
    await put(old.catalog, 'shop', 1, {});
    await put(old.catalog, 'beside', 1, {});
    await old.catalog.load();
    const before = old.directory.find(slug, 'shop');
    await put(anew.catalog, 'shop', 2, { documentField: 'cpf' });
    await put(anew.catalog, 'later', 2, {});
    await old.catalog.refresh();
    await old.catalog.load();
    expect(old.directory.findById(before?.id ?? '')).toMatchObject({
      secrets: ['shop secret'],
      secretsUnread: true,
      settings: { documentField: 'cpf' },
    });
    expect(old.directory.find(slug, 'beside')).toMatchObject({
      secrets: ['beside secret'],
      secretsUnread: false,
    });
    expect(old.directory.find(slug, 'later')).toMatchObject({ secrets: [], secretsUnread: true });
    await anew.catalog.load();
    expect(anew.directory.find(slug, 'later')).toMatchObject({
      secrets: ['later secret'],
      secretsUnread: false,
    });
    await database.prisma.source.deleteMany({ where: { organizationId } });
  });

  it('leaves an organization whose document key it cannot open to other replicas', async () => {
    const { catalog, book } = replica();
    await change(catalog, ORDER_PAID);
    await catalog.load();
    expect(book.unreadOrganizations.has(organizationId)).toBe(false);
    const { id } = await organizationsOn(database, settingsWith(2)).create({
      ...{ slug: `org-${newId()}`, name: 'Made meanwhile', currency: 'BRL', timeZone: 'America/Sao_Paulo' },
    });
    expect(await catalog.load()).toEqual([
      { organizationId: id, message: expect.stringContaining('cannot be decrypted') as string },
    ]);
    expect([...book.unreadOrganizations]).toEqual([id]);
    await database.prisma.organization.delete({ where: { id } });
  });

  it('reads nothing while nothing changed', async () => {
    const { catalog, versions } = replica();
    await catalog.load();
    // Written past the catalog: no revision is counted, so nobody reads.
    await rules.put(database.prisma, organizationId, 'order-paid', ORDER_PAID);
    await catalog.refresh();
    expect(versions()).toEqual([]);
  });

  it('is not put back by a reading that began earlier and ended later', async () => {
    const sources = new SourcesRepository(database);
    const { catalog, directory } = replica(sources);
    await catalog.load();
    const { promise: read, resolve: hasRead } = deferred();
    const { promise: held, resolve: go } = deferred();
    const all = sources.all.bind(sources);
    sources.all = async () => {
      sources.all = all;
      const rows = await all();
      hasRead();
      await held;
      return rows;
    };
    const early = catalog.load();
    await read;
    await addSource(catalog, 'late');
    await catalog.refresh();
    expect(directory.find(slug, 'late')).toBeDefined();
    go();
    await early;
    expect(directory.find(slug, 'late')).toBeDefined();
  });

  it('goes back with the database, and takes what is changed from there on', async () => {
    const { catalog, versions } = replica();
    await change(catalog, ORDER_PAID);
    await catalog.load();
    const revision = await new CatalogRevision(database).current();
    await change(catalog, `${ORDER_PAID}\n# Lost.\n`);
    await catalog.refresh();
    expect(versions()).toEqual(['order-paid 2']);
    await database.prisma.rule.updateMany({ where: { organizationId }, data: { version: 1 } });
    await database.prisma.catalogRevision.updateMany({ data: { revision } });
    await catalog.poll();
    expect(versions()).toEqual(['order-paid 1']);
    await change(catalog, `${ORDER_PAID}\n# Mended.\n`);
    await catalog.refresh();
    expect(versions()).toEqual(['order-paid 3']);
  });

  it('compiles a rule anew whose version is another after the database went back', async () => {
    const { catalog, versions, book } = replica();
    const short = ORDER_PAID.slice(0, ORDER_PAID.indexOf('  - id: receipt'));
    await change(catalog, short);
    await catalog.load();
    await database.prisma.ruleVersion.updateMany({
      where: { organizationId },
      data: { document: ORDER_PAID },
    });
    await catalog.load();
    expect(versions()).toEqual(['order-paid 1']);
    const [rule] = book.listeningTo(organizationId, 'order.paid').rules;
    expect(rule?.steps.map(({ id }) => id)).toContain('receipt');
  });

  it('keeps the rules of an organization whose new ones cannot be read, and takes the others', async () => {
    const { catalog, versions, directory } = replica();
    await change(catalog, ORDER_PAID);
    await catalog.load();
    await change(catalog, 'rule: order-paid\nwhen: order.imagined\n');
    await addSource(catalog, 'beside');
    const broken = await catalog.load();
    expect(broken).toMatchObject([
      { organizationId, message: expect.stringMatching(/^rule order-paid version 2: \d+:\d+: /) },
    ]);
    expect(versions()).toEqual(['order-paid 1']);
    expect(directory.find(slug, 'beside')).toBeDefined();
    await change(catalog, `${ORDER_PAID}\n# Mended.\n`);
    expect(await catalog.load()).toEqual([]);
    expect(versions()).toEqual(['order-paid 3']);
  });

  it('takes a rule as soon as the table that it lacked is there', async () => {
    const { catalog, versions } = replica();
    await change(catalog, ORDER_PAID.replace('tables.category', 'tables.kind'));
    expect(await catalog.load()).toMatchObject([{ message: expect.stringContaining('no table "kind"') }]);
    expect(versions()).toEqual([]);
    await database.transaction(async (tx) => {
      await catalog.changed(tx);
      await rules.putTable(tx, organizationId, LookupTable.of('kind', { default: '1.1.01' }));
    });
    await catalog.refresh();
    expect(versions()).toEqual(['order-paid 1']);
  });
});

function settingsWith(key: number): Settings {
  return new Settings({ SECRETS_KEY: Buffer.alloc(32, key).toString('base64') });
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
