import { readFileSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import { documentKeysOn, organizationsOn } from '../../test/support/organizations';
import { join } from 'node:path';
import { Company } from '../../test/support/company';
import { openTestDatabase } from '../../test/support/database';
import type { Configuration } from '../config/configuration';
import { SettingError, Settings } from '../config/settings';
import type { Database } from '../database/database';
import { Catalog } from '../deliveries/catalog';
import { SourceDirectory } from '../deliveries/source-directory';
import { SourcesRepository } from '../deliveries/sources.repository';
import { SystemClock } from '../kernel/clock';
import { newId } from '../kernel/identifier';
import { CatalogRevision } from '../organizations/catalog-revision.repository';
import type { OrganizationsRepository } from '../organizations/organizations.repository';
import { LookupTable } from '../rules/lookup-table';
import { RulesRepository } from '../rules/rules.repository';
import { TABLES } from '../rules/fixtures';
import { ActiveRules } from '../workflows/active-rules';
import { SourceProviders } from '../sources/source-providers';
import { RuleLoader } from '../workflows/rule-loader';
import { checkConfiguration, type CheckedConfiguration } from './check-configuration';
import { AuditRepository } from './audit.repository';
import { FolderWrites } from './folder-writes';
import { ProfileChanges } from './profile-changes';
import { Provisioning } from './provisioning';
import { TableWarnings } from './rules/table-warnings.repository';

const NOTHING: Configuration = {
  organizations: [],
  sources: [],
  rules: [],
  profiles: [],
  templates: [],
  tables: [],
  charts: [],
};

const ZONE = 'America/Sao_Paulo';
const ORDER_PAID = readFileSync(join(__dirname, '../../config/profiles/cash/order-paid.yaml'), 'utf8');
const TABLE_FILES = [...TABLES.values()].map(({ name, entries }) => ({
  path: `tables/${name}.yaml`,
  name,
  text: JSON.stringify({ table: name, entries: Object.fromEntries(entries) }),
}));

let database: Database;
let organizations: OrganizationsRepository;

beforeAll(async () => {
  database = await openTestDatabase();
  organizations = organizationsOn(database);
});
afterAll(() => database.close());

function catalogWrites(): FolderWrites {
  const rules = new RulesRepository(database);
  const book = new ActiveRules();
  const directory = new SourceDirectory(
    new SourcesRepository(database),
    new Settings({}),
    new SourceProviders(),
  );
  const catalog = new Catalog(
    new CatalogRevision(database),
    directory,
    new RuleLoader(rules, book, documentKeysOn(database)),
  );
  return new FolderWrites(rules, catalog, new AuditRepository(database));
}

/** A folder with rules, by their names, and the tables that they need. */
function checkedOf(texts: Record<string, string>): CheckedConfiguration {
  const rules = Object.entries(texts).map(([name, text]) => ({ path: `rules/${name}.yaml`, name, text }));
  const checked = checkConfiguration({ ...NOTHING, rules, tables: TABLE_FILES }, new SourceProviders());
  if ('problems' in checked) throw new Error(checked.problems.join());
  return checked;
}

/** A start with this configuration. */
async function startWith(
  said: Partial<Configuration>,
  keys: [current: number, ...previous: number[]] = [1],
): Promise<{ rules: ActiveRules; sources: SourceDirectory }> {
  const [current, ...previous] = keys.map((fill) => Buffer.alloc(32, fill).toString('base64'));
  const settings = new Settings({ SECRETS_KEY: current, SECRETS_KEY_PREVIOUS: previous.join() });
  const sources = new SourcesRepository(database);
  const rules = new RulesRepository(database);
  const book = new ActiveRules();
  const directory = new SourceDirectory(sources, settings, new SourceProviders());
  const catalog = new Catalog(
    new CatalogRevision(database),
    directory,
    new RuleLoader(rules, book, documentKeysOn(database)),
  );
  const configuration = { ...NOTHING, ...said };
  const audit = new AuditRepository(database);
  const writes = new FolderWrites(rules, catalog, audit);
  await new Provisioning(
    configuration,
    new SourceProviders(),
    settings,
    database,
    organizations,
    sources,
    writes,
    new ProfileChanges(organizations, rules, writes, audit),
    audit,
    catalog,
    new SystemClock(),
    new TableWarnings(database),
  ).apply();
  return { rules: book, sources: directory };
}

/** A start with organizations as the configuration says, each as slug, name and currency. */
async function start(...documents: [slug: string, name: string, currency: string][]): Promise<void> {
  const said = documents.map(([slug, name, currency]) => ({ slug, name, currency, timeZone: ZONE }));
  await startWith({ organizations: said });
}

describe('an organization of the configuration', () => {
  it('is made at the first start and follows the configuration at the next', async () => {
    const slug = `org-${newId()}`;
    await start([slug, 'Padaria', 'BRL']);
    const made = await organizations.find(slug);
    await start([slug, 'Padaria Sul', 'JPY']);
    expect(await organizations.find(slug)).toEqual({ ...made, name: 'Padaria Sul', currency: 'JPY' });
  });

  it('keeps its currency once there are entries: the start is refused, and nothing has changed', async () => {
    const company = await Company.found(database);
    const { organization } = company;
    await company.schedules({ customer: await company.customer() });
    const other = `org-${newId()}`;
    await start([organization.slug, 'The same', 'BRL']);
    const refused = start([other, 'Another', 'BRL'], [organization.slug, 'Renamed', 'JPY']);
    await expect(refused).rejects.toThrow(
      new SettingError(
        `organizations.yaml: ${organization.slug} has entries in BRL, so its currency cannot be JPY`,
      ),
    );
    expect(await organizations.find(organization.slug)).toEqual({ ...organization, name: 'The same' });
    expect(await organizations.find(other)).toBeUndefined();
  });
});

describe('what operators changed', () => {
  const shop = {
    slug: 'shop',
    provider: 'shopify',
    secrets: [],
    settings: {},
    paused: false,
    liveSecrets: ['one'],
    credentials: {},
    liveCredentials: {},
  };

  it('keeps credentials where the files name none, and takes those that they name', async () => {
    const slug = `org-${newId()}`;
    const vtex = { ...shop, provider: 'vtex', settings: { account: 'loja' } };
    const said = (source: Partial<typeof vtex>): Partial<Configuration> => ({
      organizations: [{ slug, name: 'Padaria', currency: 'BRL', timeZone: ZONE }],
      sources: [{ organization: slug, ...vtex, ...source }],
    });
    const named = { appKey: 'key', appToken: 'token' };
    const first = await startWith(said({ liveCredentials: named }));
    expect(first.sources.find(slug, 'shop')?.credentials).toEqual(named);
    const second = await startWith(said({ liveSecrets: ['two'] }));
    expect(second.sources.find(slug, 'shop')).toMatchObject({ secrets: ['two'], credentials: named });
  });

  it('outlasts a restart with the same files, and ends when a file changes', async () => {
    const slug = `org-${newId()}`;
    const said: Partial<Configuration> = {
      organizations: [{ slug, name: 'Padaria', currency: 'BRL', timeZone: ZONE }],
      sources: [{ organization: slug, ...shop }],
      rules: [{ path: 'rules/order-paid.yaml', name: 'order-paid', text: ORDER_PAID }],
      tables: TABLE_FILES,
    };
    await startWith(said);
    const { id = '' } = (await organizations.find(slug)) ?? {};
    await database.prisma.organization.update({ where: { id }, data: { name: 'Renamed', currency: 'JPY' } });
    await database.prisma.source.updateMany({ where: { organizationId: id }, data: { paused: true } });
    await database.prisma.rule.updateMany({ where: { organizationId: id }, data: { enabled: false } });
    await database.prisma.ruleVersion.create({
      data: { organizationId: id, name: 'order-paid', version: 2, document: `${ORDER_PAID}\n# Changed.\n` },
    });
    await database.prisma.rule.updateMany({ where: { organizationId: id }, data: { version: 2 } });
    await database.prisma.lookupTable.updateMany({
      where: { organizationId: id },
      data: { entries: { a: 'b' } },
    });

    const { rules, sources } = await startWith(said);
    expect(await organizations.find(slug)).toMatchObject({ name: 'Renamed', currency: 'JPY' });
    expect(sources.find(slug, 'shop')).toMatchObject({ paused: true, secrets: ['one'] });
    expect(rules.listeningTo(id, 'order.paid').rules).toEqual([]);
    const rule = { where: { organizationId: id, name: 'order-paid' } };
    expect(await database.prisma.rule.findFirst(rule)).toMatchObject({ version: 2, enabled: false });
    const tables = await database.prisma.lookupTable.findMany({ where: { organizationId: id } });
    expect(new Set(tables.map(({ entries }) => JSON.stringify(entries)))).toEqual(new Set(['{"a":"b"}']));

    const byFolder = { where: { organizationId: id, actor: 'configuration' } };
    expect(await database.prisma.auditEntry.findMany(byFolder)).toEqual([]);
    const [{ name: table = '', text = '' } = {}] = TABLE_FILES;

    await startWith({
      ...said,
      tables: TABLE_FILES.map((file) =>
        file.name === table ? { ...file, text: text.replace('"entries":{', '"entries":{"new":"1",') } : file,
      ),
      organizations: [{ slug, name: 'Padaria Sul', currency: 'BRL', timeZone: ZONE }],
      sources: [{ organization: slug, ...shop, liveSecrets: ['two'] }],
      rules: [{ path: 'rules/order-paid.yaml', name: 'order-paid', text: `${ORDER_PAID}\n# In the file.\n` }],
    });
    expect(await organizations.find(slug)).toMatchObject({ name: 'Padaria Sul', currency: 'BRL' });
    expect(await database.prisma.rule.findFirst(rule)).toMatchObject({ version: 3 });
    expect(
      await database.prisma.auditEntry.findMany({ ...byFolder, orderBy: { action: 'asc' } }),
    ).toMatchObject([
      {
        ...{ action: 'rule.put', subject: 'order-paid' },
        ...{ before: { version: 2, enabled: false }, after: { version: 3, enabled: false } },
      },
      {
        ...{ action: 'table.put', subject: table, before: { entries: { a: 'b' } } },
        after: { entries: { new: '1' } },
      },
    ]);
    const again = await startWith(said);
    expect(again.sources.find(slug, 'shop')).toMatchObject({ paused: false, secrets: ['one'] });
  });

  it('outlasts a change of SECRETS_KEY, of which the files say nothing', async () => {
    const slug = `org-${newId()}`;
    const said: Partial<Configuration> = {
      organizations: [{ slug, name: 'Padaria', currency: 'BRL', timeZone: ZONE }],
      sources: [{ organization: slug, ...shop, liveSecrets: ['old', 'new'] }],
    };
    const first = await startWith(said, [1]);
    expect(first.sources.find(slug, 'shop')?.secrets).toEqual(['new', 'old']);
    const { id = '' } = (await organizations.find(slug)) ?? {};
    await database.prisma.source.updateMany({ where: { organizationId: id }, data: { paused: true } });
    for (const keys of [
      [2, 1],
      [2, 1],
      [3, 2],
    ] as [number, number][])
      expect((await startWith(said, keys)).sources.find(slug, 'shop')).toMatchObject({ paused: true });
    const { fileDigest } = await database.prisma.source.findFirstOrThrow({ where: { organizationId: id } });
    await startWith(said, [3]);
    expect(await database.prisma.source.findFirstOrThrow({ where: { organizationId: id } })).toMatchObject({
      paused: true,
      fileDigest,
    });
    await database.prisma.source.deleteMany({ where: { organizationId: id } });
  });

  it('stays in an organization that was given the rules over the API, until the folder names it and they change', async () => {
    const slug = `org-${newId()}`;
    const { id } = await organizations.create({ slug, name: 'By hand', currency: 'BRL', timeZone: ZONE });
    const rules = [{ path: 'rules/order-paid.yaml', name: 'order-paid', text: ORDER_PAID }];
    const changed = rules.map((file) => ({ ...file, text: `${ORDER_PAID}\n# Changed.\n` }));
    const checked = checkedOf({ 'order-paid': ORDER_PAID });
    await database.transaction((tx) => catalogWrites().putRules(tx, id, 'cash', checked));
    await database.prisma.rule.updateMany({ where: { organizationId: id }, data: { enabled: false } });
    const rule = { where: { organizationId: id, name: 'order-paid' } };

    await startWith({ rules: changed, tables: TABLE_FILES });
    expect(await database.prisma.rule.findFirst(rule)).toMatchObject({ version: 1, enabled: false });
    const named = { organizations: [{ slug, name: 'Named', currency: 'BRL', timeZone: ZONE }] };
    await startWith({ ...named, rules, tables: TABLE_FILES });
    expect(await database.prisma.rule.findFirst(rule)).toMatchObject({ version: 1, enabled: false });
    await startWith({ ...named, rules: changed, tables: TABLE_FILES });
    expect(await database.prisma.rule.findFirst(rule)).toMatchObject({ version: 2 });
  });

  it('is given rules and tables once where two give them at once, each with its event', async () => {
    const slug = `org-${newId()}`;
    const { id } = await organizations.create({ slug, name: 'Padaria', currency: 'BRL', timeZone: ZONE });
    const checked = checkedOf({ 'order-paid': ORDER_PAID });
    const give = () => database.transaction((tx) => catalogWrites().putRules(tx, id, 'cash', checked));
    await Promise.all([give(), give()]);
    const where = { organizationId: id };
    expect(await database.prisma.ruleVersion.findMany({ where })).toMatchObject([
      { name: 'order-paid', version: 1, document: ORDER_PAID, event: 'order.paid' },
    ]);
    expect(await database.prisma.rule.findMany({ where })).toMatchObject([{ version: 1, enabled: true }]);
    expect(await database.prisma.lookupTable.count({ where })).toBe(TABLE_FILES.length);
    expect(await database.prisma.auditEntry.count({ where })).toBe(0);
  });

  it('plans anew what was applied before, once it is given a rule or a table', async () => {
    const slug = `org-${newId()}`;
    const { id } = await organizations.create({ slug, name: 'Padaria', currency: 'BRL', timeZone: ZONE });
    const where = { organizationId: id };
    const texts: Record<string, string> = { 'order-paid': ORDER_PAID };
    /** Whether rules count as put since then, after this has been done and the folder has been read. */
    const isPut = async (work: () => unknown): Promise<boolean> => {
      await database.prisma.organization.update({ where: { id }, data: { rulesPutAt: null } });
      await work();
      await database.transaction((tx) => catalogWrites().putRules(tx, id, 'cash', checkedOf(texts)));
      return (await database.prisma.organization.findFirstOrThrow({ where: { id } })).rulesPutAt !== null;
    };
    expect(await isPut(() => undefined)).toBe(true);
    expect(await isPut(() => undefined)).toBe(false);
    const second = ORDER_PAID.replace('rule: order-paid', 'rule: second');
    expect(await isPut(() => (texts['second'] = second))).toBe(true);
    expect(await isPut(() => database.prisma.lookupTable.deleteMany({ where }))).toBe(true);
  });

  it('keeps the versions of a rule and the table that operators put before the folder spoke of them', async () => {
    const slug = `org-${newId()}`;
    const { id } = await organizations.create({ slug, name: 'Padaria', currency: 'BRL', timeZone: ZONE });
    const rules = new RulesRepository(database);
    const checked = checkedOf({ 'order-paid': ORDER_PAID });
    const [table] = [...checked.tables.values()];
    if (!table) throw new Error('the folder has no table');
    await database.transaction(async (tx) => {
      await rules.put(tx, id, 'order-paid', `${ORDER_PAID}\n# By hand.\n`);
      await rules.setEnabled(tx, id, 'order-paid', false);
      await rules.putTable(tx, id, LookupTable.of(table.name, { default: 'by hand' }));
    });
    const give = () => database.transaction((tx) => catalogWrites().putRules(tx, id, 'cash', checked));
    await give();
    const where = { organizationId: id };
    expect(await database.prisma.rule.findMany({ where })).toMatchObject([{ version: 2, enabled: false }]);
    expect(await database.prisma.ruleVersion.count({ where })).toBe(2);
    expect(await rules.findTable(id, table.name)).toEqual(table);
    const audited = { where, orderBy: { action: 'asc' } } as const;
    expect(await database.prisma.auditEntry.findMany(audited)).toMatchObject([
      { action: 'rule.put', before: { version: 1 }, after: { version: 2 } },
      { action: 'table.put', before: { entries: { default: 'by hand' } } },
    ]);
    await give();
    expect(await database.prisma.auditEntry.count({ where })).toBe(2);
    await database.prisma.rule.deleteMany({ where });
    await give();
    expect(await database.prisma.rule.findMany({ where })).toMatchObject([{ version: 2, enabled: true }]);
  });

  it('is left alone where a file never spoke', async () => {
    const slug = `org-${newId()}`;
    const { id } = await organizations.create({ slug, name: 'By hand', currency: 'JPY', timeZone: ZONE });
    await startWith({});
    expect(await organizations.find(slug)).toMatchObject({ id, name: 'By hand', currency: 'JPY' });
  });
});

describe('a source of the configuration', () => {
  it('refuses the start with a setting that its provider does not know, or of another kind', async () => {
    const slug = `org-${newId()}`;
    const shop = { organization: slug, slug: 'shop', provider: 'shopify', secrets: [], paused: false };
    const start = (settings: Record<string, unknown>) =>
      startWith({
        organizations: [{ slug, name: 'Padaria', currency: 'BRL', timeZone: ZONE }],
        sources: [{ ...shop, settings, liveSecrets: [], credentials: {}, liveCredentials: {} }],
      });
    await expect(start({ documentfield: 'cpf' })).rejects.toThrow(
      /^sources\.yaml: shop: settings\.documentfield is no setting of Shopify; did you mean "documentField"\?$/,
    );
    await expect(start({ timeZone: 'Mars/Base' })).rejects.toThrow(
      /^sources\.yaml: shop: settings\.timeZone must be the IANA name of a time zone$/,
    );
    expect(await organizations.find(slug)).toBeUndefined();
  });
});

it('a source of the configuration refuses the start with a secret that its provider cannot use, without showing it', async () => {
  const slug = `org-${newId()}`;
  const start = (provider: string, secret: string) =>
    startWith({
      organizations: [{ slug, name: 'Padaria', currency: 'BRL', timeZone: ZONE }],
      sources: [
        {
          ...{ organization: slug, slug: 'shop', provider, secrets: [], paused: false, settings: {} },
          ...{ liveSecrets: [secret], credentials: {}, liveCredentials: {} },
        },
      ],
    });
  await expect(start('pagarme', 'nineteen characters')).rejects.toThrow(
    /^sources\.yaml: shop: the secret in the environment must have at least 20 characters, because it stands in the address/,
  );
  await expect(start('standard-webhooks', 'no base64!')).rejects.toThrow(
    /^sources\.yaml: shop: the secret in the environment must be base64/,
  );
});

it('a key of a table for a source that there is not is told at each start', async () => {
  const slug = `org-${newId()}`;
  const text = 'table: gatewayAccount\nentries: { default: main, outlet/default: outlet-account }';
  const tables = [{ path: 'tables/gatewayAccount.yaml', name: 'gatewayAccount', text }];
  const organizations = [{ slug, name: 'Padaria', currency: 'BRL', timeZone: ZONE }];
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  try {
    for (let times = 1; times <= 2; times += 1) {
      await startWith({ organizations, tables });
      const msg = `provisioning: ${slug}, table gatewayAccount: key "outlet/default": there is no source "outlet"`;
      expect(warned.mock.calls).toEqual(Array.from({ length: times }, () => [{ msg }]));
    }
  } finally {
    warned.mockRestore();
  }
});

describe('a rule that this version cannot read', () => {
  it('refuses the start in one line that names it', async () => {
    const { id, slug } = await organizations.create({
      slug: `org-${newId()}`,
      name: 'Old',
      currency: 'BRL',
      timeZone: ZONE,
    });
    await new RulesRepository(database).put(database.prisma, id, 'old', 'rule: old\nwhen: order.imagined\n');
    await expect(startWith({})).rejects.toThrow(new RegExp(`^${slug}: rule old version 1: \\d+:\\d+: `));
    await database.prisma.rule.deleteMany({ where: { organizationId: id } });
  });
});

describe('settings of rules in the configuration', () => {
  const ruleWith = (choices: string) =>
    `rule: fee\nsettings: { basis: { type: choice, of: [${choices}], default: cash, description: d } }\nwhen: { event: order.paid }\nthen: [{ id: a, do: customer.ensure, with: { name: "\${settings.basis}" } }]`;
  const filed = (text: string) => [{ path: 'rules/fee.yaml', name: 'fee', text }];

  /** A start with a rule and what is set on it; the value that then holds. */
  async function basisAfter(
    slug: string,
    text: string,
    ruleSettings: Record<string, unknown>,
  ): Promise<unknown> {
    const organization = { slug, name: 'Padaria', currency: 'BRL', timeZone: ZONE, ruleSettings };
    const { rules } = await startWith({ organizations: [organization], rules: filed(text) });
    const { id = '' } = (await organizations.find(slug)) ?? {};
    const value = rules.listeningTo(id, 'order.paid').rules[0]?.settingsIn('BRL');
    return value instanceof Map ? (value.get('basis') as unknown) : undefined;
  }

  it('hold, follow the file when it changes, and leave what operators set since then', async () => {
    const slug = `org-${newId()}`;
    const text = ruleWith('cash, accrual, both');
    expect(await basisAfter(slug, text, {})).toBe('cash');
    expect(await basisAfter(slug, text, { fee: { basis: 'accrual' } })).toBe('accrual');
    const { id = '' } = (await organizations.find(slug)) ?? {};
    const where = { organizationId: id, name: 'fee' };
    await database.prisma.rule.updateMany({ where, data: { settings: { basis: 'both' } } });
    expect(await basisAfter(slug, text, { fee: { basis: 'accrual' } })).toBe('both');
    expect(await basisAfter(slug, text, { fee: { basis: 'cash' } })).toBe('cash');
  });

  it('refuse the start where they do not fit, and nothing has changed', async () => {
    const slug = `org-${newId()}`;
    const text = ruleWith('cash, accrual');
    await expect(basisAfter(slug, text, { fee: { basis: 'both' } })).rejects.toThrow(
      `organizations.yaml: ${slug}: ruleSettings.fee.basis: it is cash or accrual`,
    );
    await expect(basisAfter(slug, text, { fee: { basic: 'cash' } })).rejects.toThrow('did you mean "basis"?');
    await expect(basisAfter(slug, text, { fee: 'cash' })).rejects.toThrow(
      'ruleSettings.fee must be a map of settings and values',
    );
    await expect(basisAfter(slug, text, { none: { a: 'b' } })).rejects.toThrow(
      `organizations.yaml: ${slug}: ruleSettings.none: there is no such rule`,
    );
    expect(await basisAfter(slug, text, {})).toBe('cash');
  });

  it('refuse a version in the folder that what operators set does not fit', async () => {
    const slug = `org-${newId()}`;
    await basisAfter(slug, ruleWith('cash, accrual'), {});
    const { id = '' } = (await organizations.find(slug)) ?? {};
    const where = { organizationId: id, name: 'fee' };
    await database.prisma.rule.updateMany({ where, data: { settings: { basis: 'accrual' } } });
    await expect(basisAfter(slug, ruleWith('cash, both'), {})).rejects.toThrow(
      `${slug}: rule fee: 2:20: what the organization has set for "basis" does not fit here: it is cash or both`,
    );
    expect((await database.prisma.rule.findFirst({ where }))?.version).toBe(1);
    expect(await basisAfter(slug, ruleWith('cash, accrual'), {})).toBe('accrual');
  });
});
