import { Company } from '../../test/support/company';
import { openTestDatabase } from '../../test/support/database';
import type { Configuration } from '../config/configuration';
import { SettingError, Settings } from '../config/settings';
import type { Database } from '../database/database';
import { SourceDirectory } from '../deliveries/source-directory';
import { SourcesRepository } from '../deliveries/sources.repository';
import { newId } from '../kernel/identifier';
import { OrganizationsRepository } from '../organizations/organizations.repository';
import { RulesRepository } from '../rules/rules.repository';
import { RuleBook } from '../workflows/rule-book';
import { Provisioning } from './provisioning';

const NOTHING: Configuration = { organizations: [], sources: [], rules: [], tables: [], charts: [] };

let database: Database;
let organizations: OrganizationsRepository;

beforeAll(async () => {
  database = await openTestDatabase();
  organizations = new OrganizationsRepository(database);
});
afterAll(() => database.close());

/** A start with organizations as the configuration says, each as slug, name and currency. */
function start(...documents: [slug: string, name: string, currency: string][]): Promise<void> {
  const settings = new Settings({ SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') });
  const sources = new SourcesRepository(database);
  const configuration = {
    ...NOTHING,
    organizations: documents.map(([slug, name, currency]) => ({
      slug,
      name,
      currency,
      timeZone: 'America/Sao_Paulo',
    })),
  };
  return new Provisioning(
    configuration,
    settings,
    database,
    organizations,
    sources,
    new SourceDirectory(sources, settings),
    new RulesRepository(database),
    new RuleBook(),
  ).apply();
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
