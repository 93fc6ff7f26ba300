import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { TestService } from '../../support/service';

const NOBODY = '0197a5b0-0000-7000-8000-000000000000';

let service: TestService;
let client: OperatorsClient;
let group: string;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
  group = await client.make('/category-groups', { referenceCode: '9', name: 'A group' });
});
afterAll(() => service.stop());

/** Bodies refer to the group that each test has. */
function inGroup(body: object): object {
  return JSON.parse(JSON.stringify(body).replace('"GROUP"', JSON.stringify(group))) as object;
}

describe.each([
  {
    path: '/banks',
    name: 'bank',
    body: { code: '341', name: ' Itaú ', color: '#EC7000' },
    shown: { code: '341', name: 'Itaú', color: '#EC7000' },
    other: { code: '001', name: 'BB' },
    otherShown: { code: '001', name: 'BB', color: null },
    change: { name: 'Itaú Unibanco', color: null },
    filter: 'code=341',
    none: 'code=342',
    conflict: 'bankId',
  },
  {
    path: '/category-groups',
    name: 'category-group',
    body: { referenceCode: '1.1', name: 'Sales' },
    shown: { referenceCode: '1.1', name: 'Sales' },
    other: { referenceCode: '1.2', name: 'Others' },
    otherShown: { referenceCode: '1.2', name: 'Others' },
    change: { name: 'All sales' },
    filter: 'name=Sales',
    none: 'name=Sale',
    conflict: 'categoryGroupId',
  },
  {
    path: '/categories',
    name: 'category',
    body: { referenceCode: '1.1.01', name: 'Online', type: 'IN', groupId: 'GROUP' },
    shown: { referenceCode: '1.1.01', name: 'Online', type: 'in', groupId: 'GROUP' },
    other: { referenceCode: '2.1.01', name: 'Rent', type: 'out', groupId: 'GROUP' },
    otherShown: { referenceCode: '2.1.01', name: 'Rent', type: 'out', groupId: 'GROUP' },
    change: { name: 'Online sales', type: 'out' },
    filter: 'type=in',
    none: `groupId=${NOBODY}`,
    conflict: 'categoryId',
  },
  {
    path: '/cost-centers',
    name: 'cost-center',
    body: { externalCode: 'SHOP', description: 'The shop' },
    shown: { externalCode: 'SHOP', description: 'The shop' },
    other: { description: 'Nothing else' },
    otherShown: { externalCode: null, description: 'Nothing else' },
    change: { description: 'Our shop' },
    filter: 'externalCode=SHOP',
    none: 'description=shop',
    conflict: 'costCenterId',
  },
])('$path', ({ path, name, body, shown, other, otherShown, change, filter, none, conflict }) => {
  it('are made, read, and said so in the audit log', async () => {
    const reply = await client.send('post', path, { ...inGroup(body), reason: 'needed' });
    expect(reply.status).toBe(201);
    const { id } = reply.body as { id: string };
    const state = { ...inGroup(shown), deleted: false };
    expect(reply.body).toEqual({ id, ...state });
    expect((await client.send('get', `${path}/${id}`)).body).toEqual({ id, ...state });
    expect(await client.lastAudit()).toEqual({
      action: `${name}.create`,
      subject: id,
      before: null,
      after: state,
      reason: 'needed',
    });
  });

  it('are listed newest first, page by page, and filtered', async () => {
    const first = await client.make(path, inGroup(body));
    const second = await client.make(path, inGroup(other));
    const page = (await client.send('get', `${path}?limit=1`)).body as { items: object[]; after: string };
    expect(page).toEqual({ items: [{ id: second, ...inGroup(otherShown), deleted: false }], after: second });
    const [next] = await client.items(`${path}?limit=1&after=${page.after}`);
    expect(next?.['id']).toBe(first);
    expect((await client.items(`${path}?${filter}`)).map(({ id }) => id)).toEqual([first]);
    expect(await client.items(`${path}?${none}`)).toEqual([]);
  });

  it('change in what a PATCH brings', async () => {
    const id = await client.make(path, inGroup(body));
    const reply = await client.send('patch', `${path}/${id}`, { ...change, reason: 'renamed' });
    const after = { ...inGroup(shown), ...change, deleted: false };
    expect([reply.status, reply.body]).toEqual([200, { id, ...after }]);
    expect(await client.lastAudit()).toEqual({
      action: `${name}.change`,
      subject: id,
      before: { ...inGroup(shown), deleted: false },
      after,
      reason: 'renamed',
    });
  });

  it('are deleted once, leave the list, and stay readable', async () => {
    const id = await client.make(path, inGroup(body));
    expect((await client.send('delete', `${path}/${id}`, { reason: 'not used' })).status).toBe(204);
    expect(await client.lastAudit()).toMatchObject({
      action: `${name}.delete`,
      before: { deleted: false },
      after: { deleted: true },
      reason: 'not used',
    });
    expect(refusalOf(await client.send('delete', `${path}/${id}`))).toBe('404 not-found');
    expect(await client.items(`${path}?${filter}`)).toEqual([]);
    expect(await client.items(`${path}?${filter}&deleted=true`)).toMatchObject([{ id, deleted: true }]);
    expect((await client.send('get', `${path}/${id}`)).body).toMatchObject({ id, deleted: true });
  });

  it('keep their code when deleted, and are revived with it', async () => {
    const id = await client.make(path, inGroup(body));
    await client.send('delete', `${path}/${id}`);
    const taken = await client.send('post', path, inGroup(body));
    expect(refusalOf(taken)).toBe('409 conflict');
    expect(taken.body).toMatchObject({ [conflict]: id, deleted: true });
    expect(refusalOf(await client.send('patch', `${path}/${id}`, change))).toBe('409 conflict');
    expect(refusalOf(await client.send('patch', `${path}/${id}`, { deleted: true }))).toBe(
      '422 validation-failed /deleted',
    );
    const revived = await client.send('patch', `${path}/${id}`, { deleted: false });
    expect([revived.status, revived.body]).toEqual([200, { id, ...inGroup(shown), deleted: false }]);
  });

  it('take a code once, however many ask at once', async () => {
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => client.send('post', path, inGroup(body))));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await client.items(`${path}?${filter}`)).toHaveLength(1);
    expect(await client.items(`/audit?limit=10`)).toHaveLength(3);
  });

  it('are strangers to every other organization', async () => {
    const id = await client.make(path, inGroup(body));
    const other = await OperatorsClient.of(service);
    expect(refusalOf(await other.send('get', `${path}/${id}`))).toBe('404 not-found');
    expect(refusalOf(await other.send('patch', `${path}/${id}`, change))).toBe('404 not-found');
    expect(refusalOf(await other.send('delete', `${path}/${id}`))).toBe('404 not-found');
    expect(await other.items(`${path}?deleted=true`)).toEqual([]);
    const made = await other.send('post', '/keys', { name: 'own', scopes: ['admin'] });
    const { key } = made.body as { key: string };
    expect((await client.send('get', path, undefined, key)).status).toBe(404);
    expect((await other.send('get', path, undefined, key)).status).toBe(200);
  });
});

describe('what is refused', () => {
  it.each([
    ['/banks', {}, '422 validation-failed /code /name'],
    ['/banks', { code: '34', name: 'B' }, '422 validation-failed /code'],
    ['/banks', { code: 341, name: 'B' }, '422 validation-failed /code'],
    ['/banks', { code: '341', name: 'B', color: 'orange' }, '422 validation-failed /color'],
    ['/category-groups', { name: 'G' }, '422 validation-failed /referenceCode'],
    [
      '/categories',
      { referenceCode: '1', name: 'C', type: 'x', groupId: 'GROUP' },
      '422 validation-failed /type',
    ],
    [
      '/categories',
      { referenceCode: '1', name: 'C', type: 'in', groupId: 'x' },
      '422 validation-failed /groupId',
    ],
    [
      '/categories',
      { referenceCode: '1', name: 'C', type: 'in', groupId: NOBODY },
      '422 validation-failed /groupId',
    ],
    ['/cost-centers', { externalCode: 'A' }, '422 validation-failed /description'],
  ])('POST %s %j: %s', async (path, body, refusal) => {
    expect(refusalOf(await client.send('post', path, inGroup(body)))).toBe(refusal);
  });

  it.each([
    ['/banks?deleted=maybe', '400 malformed-request'],
    ['/banks?bankCode=341', '400 malformed-request'],
    ['/suppliers?taxId=1', '400 malformed-request'],
    ['/customers?taxId=1', '400 malformed-request'],
    ['/accounts?bank=341', '400 malformed-request'],
    ['/categories?type=sideways', '400 malformed-request'],
    ['/categories?groupId=1', '400 malformed-request'],
    ['/banks?limit=0', '400 malformed-request'],
    ['/banks?name=%00', '400 malformed-request'],
    ['/banks/nonsense', '404 not-found'],
    [`/banks/${NOBODY}`, '404 not-found'],
  ])('GET %s: %s', async (path, refusal) => {
    expect(refusalOf(await client.send('get', path))).toBe(refusal);
  });

  it('a name cannot be cleared, nor a code be taken from another', async () => {
    await client.make('/banks', { code: '001', name: 'A' });
    const id = await client.make('/banks', { code: '002', name: 'B' });
    expect(refusalOf(await client.send('patch', `/banks/${id}`, { name: null }))).toBe(
      '422 validation-failed /name',
    );
    expect(refusalOf(await client.send('patch', `/banks/${id}`, { code: '001' }))).toBe('409 conflict');
    expect((await client.send('get', `/banks/${id}`)).body).toMatchObject({ code: '002', name: 'B' });
  });
});

describe('categories and their groups', () => {
  it('a group with categories is not deleted; a category needs a live group to come back', async () => {
    const category = await client.make('/categories', {
      referenceCode: '9.1',
      name: 'C',
      type: 'in',
      groupId: group,
    });
    expect(refusalOf(await client.send('delete', `/category-groups/${group}`))).toBe('409 conflict');
    await client.send('delete', `/categories/${category}`);
    expect((await client.send('delete', `/category-groups/${group}`)).status).toBe(204);
    expect(refusalOf(await client.send('patch', `/categories/${category}`, { deleted: false }))).toBe(
      '422 validation-failed /groupId',
    );
  });

  it('the group of another organization is none', async () => {
    const other = await OperatorsClient.of(service);
    const foreign = await other.make('/category-groups', { referenceCode: '9', name: 'Theirs' });
    const body = { referenceCode: '9.1', name: 'C', type: 'in', groupId: foreign };
    expect(refusalOf(await client.send('post', '/categories', body))).toBe('422 validation-failed /groupId');
  });

  it('the type stays once something is booked under it', async () => {
    const groupId = group;
    const category = await client.make('/categories', {
      referenceCode: '9.1',
      name: 'C',
      type: 'in',
      groupId,
    });
    const customer = (await client.finance('post', '/customers', { name: 'Lia' })).body as string;
    const schedule = { stakeholderId: customer, value: 10, dueDate: '2030-01-01', categoryId: category };
    expect((await client.finance('post', '/schedules/credit', schedule)).status).toBe(200);
    expect(refusalOf(await client.send('patch', `/categories/${category}`, { type: 'out' }))).toBe(
      '409 conflict',
    );
    expect((await client.send('patch', `/categories/${category}`, { type: 'in', name: 'D' })).status).toBe(
      200,
    );
  });
});
