import { openTestDatabase } from '../../test/support/database';
import { documentKeysOn, organizationsOn } from '../../test/support/organizations';
import { namedRule, ProfileFolder } from '../../test/support/profile-folder';
import { readConfiguration } from '../config/configuration';
import { Settings } from '../config/settings';
import type { Database } from '../database/database';
import { Catalog } from '../deliveries/catalog';
import { SourceDirectory } from '../deliveries/source-directory';
import { SourcesRepository } from '../deliveries/sources.repository';
import { SystemClock } from '../kernel/clock';
import { newId } from '../kernel/identifier';
import { CatalogRevision } from '../organizations/catalog-revision.repository';
import type { OrganizationsRepository } from '../organizations/organizations.repository';
import { RulesRepository } from '../rules/rules.repository';
import { SourceProviders } from '../sources/source-providers';
import { ActiveRules } from '../workflows/active-rules';
import { RuleLoader } from '../workflows/rule-loader';
import { AuditRepository } from './audit.repository';
import { checkConfiguration } from './check-configuration';
import { FolderWrites } from './folder-writes';
import { ProfileChanges } from './profile-changes';
import { Provisioning } from './provisioning';
import { TableWarnings } from './rules/table-warnings.repository';

let database: Database;
let organizations: OrganizationsRepository;
let rules: RulesRepository;
let folder: ProfileFolder;
let slug: string;

beforeAll(async () => {
  database = await openTestDatabase();
  organizations = organizationsOn(database);
  rules = new RulesRepository(database);
});
afterAll(() => database.close());
beforeEach(() => {
  slug = `org-${newId()}`;
  folder = new ProfileFolder();
});
afterEach(() => folder.remove());

/** A start with the folder as it is. @param about further members of the organization's entry */
async function start(about = ''): Promise<void> {
  folder.write('organizations.yaml', `organizations: [{ slug: ${slug}, name: Padaria${about} }]`);
  const settings = new Settings({ SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') });
  const sources = new SourcesRepository(database);
  const directory = new SourceDirectory(sources, settings, new SourceProviders());
  const catalog = new Catalog(
    new CatalogRevision(database),
    directory,
    new RuleLoader(rules, new ActiveRules(), documentKeysOn(database)),
  );
  const audit = new AuditRepository(database);
  const writes = new FolderWrites(rules, catalog, audit);
  await new Provisioning(
    readConfiguration(folder.path, {}),
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
}

async function idOf(): Promise<string> {
  const { id = '' } = (await organizations.find(slug)) ?? {};
  return id;
}

/** Its profile, then its rules as `name version`, with a sign before those that are disabled. */
async function state(): Promise<string[]> {
  const { id, profile } = await organizations.record(await idOf());
  const all = await rules.list(id);
  return [profile, ...all.map(({ name, version, enabled }) => `${enabled ? '' : '-'}${name} ${version}`)];
}

/** As an operator does it. */
async function putByHand(name: string): Promise<void> {
  const id = await idOf();
  await database.transaction((tx) => rules.put(tx, id, name, namedRule(name, 'by hand')));
}

describe('the profile of an organization of the configuration', () => {
  it('is cash unless the file says another', async () => {
    await start();
    expect(await state()).toEqual(['cash', 'both 1', 'common 1', 'only-cash 1']);
    slug = `org-${newId()}`;
    await start(', profile: accrual');
    expect(await state()).toEqual(['accrual', 'both 1', 'common 1', 'only-accrual 1']);
    expect(await database.prisma.auditEntry.count({ where: { organizationId: await idOf() } })).toBe(0);
  });

  it('follows the file when that changes, and the change is in the audit log', async () => {
    await start();
    await start(', profile: accrual');
    expect(await state()).toEqual(['accrual', 'both 2', 'common 1', 'only-accrual 1', '-only-cash 1']);
    const where = { organizationId: await idOf() };
    const entries = await database.prisma.auditEntry.findMany({ where, orderBy: { subject: 'asc' } });
    expect(new Set(entries.map(({ actor }) => actor))).toEqual(new Set(['configuration']));
    expect(entries.map(({ action }) => action).sort()).toEqual([
      ...['organization.change', 'rule.disable', 'rule.put', 'rule.put'],
    ]);
    await start(', profile: accrual');
    expect(await database.prisma.auditEntry.count({ where })).toBe(4);
    await start(', profile: cash');
    expect(await state()).toEqual(['cash', 'both 1', 'common 1', '-only-accrual 1', 'only-cash 1']);
  });

  it('is left as operators have it where the file says what it said before, or nothing', async () => {
    await start(', profile: cash');
    await database.prisma.organization.update({ where: { slug }, data: { profile: 'accrual' } });
    await start(', profile: cash, timeZone: UTC');
    expect((await state())[0]).toBe('accrual');
    await start();
    expect((await state())[0]).toBe('accrual');
    await start(', profile: own');
    expect((await state())[0]).toBe('own');
  });

  it('brings a rule that is new or changed in its own folder, and none of another', async () => {
    await start(', profile: accrual');
    folder.write('profiles/accrual/both.yaml', namedRule('both', 'changed'));
    folder.write('profiles/accrual/added.yaml', namedRule('added'));
    folder.write('profiles/cash/added-too.yaml', namedRule('added-too'));
    await start(', profile: accrual');
    expect(await state()).toEqual(['accrual', 'added 1', 'both 2', 'common 1', 'only-accrual 1']);
  });

  it('changes nothing of what operators wrote, at the change and at each start after it', async () => {
    await start();
    await putByHand('both');
    await putByHand('only-cash');
    for (let starts = 0; starts < 2; starts += 1) {
      await start(', profile: accrual');
      expect(await state()).toEqual(['accrual', 'both 2', 'common 1', 'only-accrual 1', 'only-cash 2']);
    }
  });

  it('refuses the start as a whole where its rules do not take what is set on them', async () => {
    const settable = (choices: string): string =>
      `rule: both\nsettings: { basis: { type: choice, of: [${choices}], default: cash, description: how } }\n` +
      'when: { event: order.paid }\nthen: [{ id: a, do: customer.ensure, with: { name: "${settings.basis}" } }]';
    folder.write('profiles/cash/both.yaml', settable('cash, both'));
    folder.write('profiles/accrual/both.yaml', settable('cash, accrual'));
    await start();
    const id = await idOf();
    await database.transaction((tx) => rules.setSettings(tx, id, 'both', { basis: 'both' }));
    const before = await state();
    await expect(start(', profile: accrual')).rejects.toThrow(
      `organizations.yaml: ${slug}: with the profile accrual, rule both: 2:20: what the organization has set`,
    );
    expect(await state()).toEqual(before);
  });

  it('counts for what the file sets on rules', async () => {
    const settable = namedRule('only-accrual').replace(
      'when:',
      'settings: { days: { type: int, default: 1, description: how many } }\nwhen:',
    );
    folder.write('profiles/accrual/only-accrual.yaml', settable);
    await start(', profile: accrual, ruleSettings: { only-accrual: { days: 3 } }');
    expect(await rules.settingsOf(await idOf(), 'only-accrual')).toEqual({ days: '3' });
    await expect(start(', profile: accrual, ruleSettings: { only-accrual: { day: 3 } }')).rejects.toThrow(
      'ruleSettings.only-accrual.day: ',
    );
  });
});

describe('a folder with profiles', () => {
  function problems(): string[] {
    const checked = checkConfiguration(readConfiguration(folder.path, {}), new SourceProviders());
    return 'problems' in checked ? checked.problems : [];
  }

  it('is right where each profile is', () => {
    expect(problems()).toEqual([]);
  });

  it('has each rule in one place: for every profile, or in profiles', () => {
    folder.write('rules/both.yaml', namedRule('both'));
    expect(problems()).toEqual([
      'profiles/accrual/both.yaml: rules/both.yaml has both already, for every profile: take it out of one of the two',
      'profiles/cash/both.yaml: rules/both.yaml has both already, for every profile: take it out of one of the two',
    ]);
  });

  it('is checked in all of its profiles, whoever has them', () => {
    folder.write('profiles/own/wrong.yaml', namedRule('wrong').replace('order.paid', 'order.payed'));
    folder.write('profiles/own/again.yaml', namedRule('only-own'));
    expect(problems()).toEqual([
      'profiles/own/only-own.yaml: another file has only-own already',
      expect.stringMatching(/^profiles\/own\/wrong\.yaml:2:16: there is no event "order\.payed"/),
    ]);
  });

  it('has the profile that an organization names; the nearest is named', () => {
    folder.write('organizations.yaml', 'organizations: [{ slug: main, name: Main, profile: acrual }]');
    expect(problems()).toEqual([
      'organizations.yaml: main: profile: there is no profile "acrual"; did you mean "accrual"?',
    ]);
  });

  it('has templates under names of their own, whose tables may be absent', () => {
    folder.write('templates/mine.yaml', namedRule('mine', '${tables.absent["a"]}'));
    expect(problems()).toEqual([]);
    folder.write('templates/only-own.yaml', namedRule('only-own'));
    folder.write('templates/wrong.yaml', namedRule('wrong').replace('order.paid', 'order.payed'));
    expect(problems()).toEqual([
      'templates/only-own.yaml: profiles/own/only-own.yaml has only-own already: give the template another name',
      expect.stringMatching(/^templates\/wrong\.yaml:2:16: there is no event "order\.payed"/),
    ]);
  });

  it('has no file outside of the folders, and no folder that cannot be named', () => {
    folder.write('profiles/loose.yaml', namedRule('loose'));
    expect(problems).toThrow(/^profiles\/loose\.yaml: move it to the folder of a profile/);
    folder.remove();
    folder = new ProfileFolder({ 'profiles/Own Rules/a.yaml': namedRule('a') });
    expect(problems).toThrow(/^profiles\/Own Rules: the name of a profile must be lower-case/);
  });
});

describe('what an organization of the configuration keeps', () => {
  const retention = async () => (await organizations.record(await idOf())).retention;

  it('is what the file says of it, and the rest for ever', async () => {
    await start(', retention: { bodies: 45, plans: 1825, feed: forever }');
    expect(await retention()).toMatchObject({ bodies: 45, plans: 1825, feed: null, calls: null });
    slug = `org-${newId()}`;
    await start();
    expect(await retention()).toMatchObject({ bodies: 90, plans: null, feed: null });
  });

  it('follows the file when that changes, with an audit record; what operators set since stays else', async () => {
    await start(', retention: { plans: 1825 }');
    const id = await idOf();
    await database.transaction((tx) =>
      organizations.update(tx, id, { retention: { plans: 400, calls: 400 } }),
    );
    await start(', retention: { plans: 1825 }');
    expect(await retention()).toMatchObject({ plans: 400, calls: 400 });
    await start(', retention: { plans: forever }');
    expect(await retention()).toMatchObject({ plans: null, calls: 400 });
    const [entry, ...others] = await database.prisma.auditEntry.findMany({ where: { organizationId: id } });
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      ...{ actor: 'configuration', action: 'organization.change' },
      ...{ before: { retention: { plans: 400 } }, after: { retention: { plans: null } } },
    });
    await start();
    expect(await retention()).toMatchObject({ plans: null, calls: 400 });
  });
});
