import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ponte } from '../../support/command-line';
import { OperatorsClient, send } from '../../support/operators-client';
import { namedRule, ProfileFolder } from '../../support/profile-folder';
import { OPERATORS_KEY, TestService } from '../../support/service';

interface Template {
  name: string;
  event: string;
  description: string;
  document: string;
}

describe('the templates of rules', () => {
  let folder: ProfileFolder;
  let service: TestService;

  beforeAll(async () => {
    folder = new ProfileFolder({
      'templates/begin.yaml': `# First line,\n# second.\n${namedRule('begin')}`,
      'templates/with-table.yaml': namedRule('with-table', '${tables.absent["a"]}'),
    });
    service = await TestService.start(undefined, { CONFIG_DIR: folder.path });
  });
  afterAll(async () => {
    await service.stop();
    folder.remove();
  });

  async function names(slug: string): Promise<string[]> {
    const { items } = (await send(service, 'get', `/${slug}/rule-templates`)).body as { items: Template[] };
    return items.map(({ name }) => name);
  }

  it('are those of the folder, the rules of all, and those of the profile', async () => {
    const body = { slug: 'by-accrual', name: 'A', profile: 'accrual' };
    expect((await send(service, 'post', '', body)).status).toBe(201);
    expect(await names('main')).toEqual(['begin', 'both', 'common', 'only-cash', 'with-table']);
    expect(await names('by-accrual')).toEqual(['begin', 'both', 'common', 'only-accrual', 'with-table']);
    expect((await send(service, 'get', '/by-accrual/rule-templates/both')).text).toContain('in accrual');
  });

  it('are shown with what their comment says', async () => {
    expect((await send(service, 'get', '/main/rule-templates/begin')).body).toEqual({
      ...{ name: 'begin', event: 'order.paid', description: 'First line, second.' },
      document: `# First line,\n# second.\n${namedRule('begin')}`,
    });
  });

  it('are named where one is misspelt', async () => {
    const reply = await send(service, 'get', '/main/rule-templates/bigin');
    expect([reply.status, reply.text]).toEqual([404, expect.stringContaining('did you mean \\"begin\\"?')]);
  });

  it('become a rule of another name that is only printed, or put', async () => {
    const client = await OperatorsClient.of(service);
    const env = { PONTE_URL: service.url, PONTE_KEY: OPERATORS_KEY, PONTE_ORG: client.slug };
    const begin = ['rules', 'new', 'mine', '--template', 'begin'];
    expect(await ponte(begin, { env })).toEqual({
      ...{
        code: 0,
        stderr: '',
        stdout: `# First line,\n# second.\n${namedRule('begin').replace('rule: begin', 'rule: mine')}`,
      },
    });
    expect(await client.items('/rules')).toEqual([]);
    expect((await ponte([...begin, '--put', '--reason', 'why'], { env })).code).toBe(0);
    expect(await client.items('/rules')).toMatchObject([{ name: 'mine', version: 1, enabled: true }]);
    expect(await client.lastAudit()).toMatchObject({ action: 'rule.put', subject: 'mine', reason: 'why' });
  });

  it('are refused where the organization lacks a table, with line and column', async () => {
    const env = { PONTE_URL: service.url, PONTE_KEY: OPERATORS_KEY, PONTE_ORG: 'main' };
    const ran = await ponte(['rules', 'new', 'mine', '--template', 'with-table', '--put'], { env });
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toMatch(
      /^The rule would not be valid here\.\n {2}line 6, column 63: there is no table "absent"/,
    );
    expect((await send(service, 'get', '/main/rules/mine')).status).toBe(404);
  });
});

describe('the templates that come with Ponte', () => {
  it('each say what they do, and are valid where their tables are', async () => {
    const service = await TestService.start();
    for (const table of ['rates', 'skuCostCenter'])
      await service.operate('put', `tables/${table}`, { entries: { USD: '5', default: '1' } });
    const { items } = (await service.admin('rule-templates')) as { items: Template[] };
    const own = readdirSync(join(__dirname, '../../../config/templates')).map((file) =>
      file.replace('.yaml', ''),
    );
    expect(own).toHaveLength(4);
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining([...own, 'order-paid']));
    for (const { name, description } of items) {
      expect([name, description.length > 30]).toEqual([name, true]);
      const { document } = (await service.admin(`rule-templates/${name}`)) as Template;
      const reply = await service.http
        .post('/admin/organizations/main/rules/check')
        .set('authorization', `Bearer ${OPERATORS_KEY}`)
        .type('application/yaml')
        .send(document);
      expect([name, reply.body]).toEqual([name, expect.objectContaining({ valid: true, problems: [] })]);
    }
    await service.stop();
  });
});
