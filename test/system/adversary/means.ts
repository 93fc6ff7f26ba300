import { Random } from '../../support/random';
import { makeMutants } from './mutants';
import { deliver, signed, unsettled } from './webhooks';
import type { Means } from './described-requests';
import { exchange } from './exchange';
import { ATTACKED, BYSTANDER, OPERATORS_KEY, type Target } from './target';

interface Listed {
  items: { id: string; name?: string; slug?: string }[];
}

/** Records of every kind in the attacked organization, and keys of every scope, for requests to name. */
export async function makeMeans(target: Target): Promise<Means> {
  await target.admin('POST', '', { slug: 'elsewhere', name: 'Elsewhere', chart: 'brazil' });
  const key = async (organization: string, name: string, scopes: string[]): Promise<string> =>
    (await target.admin<{ key: string }>('POST', `/${organization}/keys`, { name, scopes })).key;
  const keys = {
    operators: OPERATORS_KEY,
    finance: await key(ATTACKED, 'finance', ['finance:read', 'finance:write']),
    reading: await key(ATTACKED, 'reading', ['finance:read']),
    feed: await key(ATTACKED, 'feed', ['feed:read']),
    admin: await key(ATTACKED, 'admin', ['admin']),
    stranger: await key(BYSTANDER, 'stranger', ['finance:read', 'finance:write', 'feed:read', 'admin']),
    wrong: `ponte_${'x'.repeat(43)}`,
  };
  await makeRecords(target, keys.finance);
  for (const mutant of makeMutants(30, new Random(1))) await deliver(target, signed(mutant));
  await unsettled(target, 60_000);
  const ids = async (list: string): Promise<string[]> =>
    (await target.admin<Listed>('GET', `/${ATTACKED}/${list}?limit=20`)).items.map(({ id }) => id);
  const customers = await ids('customers');
  const accounts = await ids('accounts');
  const categories = await ids('categories');
  const costCenters = await ids('cost-centers');
  const suppliers = await ids('suppliers');
  const banks = await ids('banks');
  const groups = await ids('category-groups');
  const entries = await ids('entries');
  const deliveries = await ids('deliveries');
  const admin = `/admin/organizations/{org}`;
  const means: Means = {
    keys,
    organizations: [ATTACKED, ATTACKED, ATTACKED, 'elsewhere'],
    ids: {
      stakeholderId: [...customers, ...suppliers],
      customerId: customers,
      supplierId: suppliers,
      accountId: accounts,
      originAccountId: accounts,
      destinyAccountId: accounts,
      accountWithDrawId: accounts,
      categoryId: categories,
      costCenterId: costCenters,
      bankId: banks,
      groupId: groups,
      scheduleId: await schedules(target, keys.finance),
      paymentId: entries,
      deliveryId: deliveries,
      name: ['order-paid', 'category', 'gatewayAccount', 'fuzz-1', 'fuzz-2', 'customer.ensure', 'erp'],
      slug: ['shopify', 'woocommerce', 'standard', 'fuzz'],
      source: ['shopify', 'woocommerce', 'standard'],
      any: [...customers, ...accounts, ...entries, ...deliveries, 'shopify', 'order-paid', 'Lia'],
      ...Object.fromEntries(
        Object.entries({
          banks,
          'category-groups': groups,
          categories,
          'cost-centers': costCenters,
          suppliers,
          customers,
          accounts,
          deliveries,
        }).map(([list, known]) => [`${admin}/${list}/{id} id`, known]),
      ),
      [`${admin}/deliveries/{id}/replay id`]: deliveries,
      [`${admin}/dead-letters/{id}/retry id`]: deliveries,
      [`${admin}/dead-letters/{id}/discard id`]: deliveries,
      [`${admin}/entries/{id}/reconciliation id`]: entries,
    },
  };
  for (const [name, known] of Object.entries(means.ids))
    if (known.length === 0) throw new Error(`there is no ${name} to be named`);
  return means;
}

async function makeRecords(target: Target, key: string): Promise<void> {
  const { items: accounts } = await target.admin<Listed>('GET', `/${ATTACKED}/accounts`);
  await target.admin('POST', `/${ATTACKED}/suppliers`, { name: 'Fornecedor' });
  for (const name of ['Lia Campos', 'Caio Reis']) {
    const customer = await post(target, key, '/customers', { name });
    const schedule = await post(target, key, '/schedules/credit', {
      stakeholderId: customer,
      value: 100,
      dueDate: '2020-03-10',
    });
    await post(target, key, `/schedules/credit/${schedule}/receipts`, {
      accountId: accounts[0]?.id,
      date: '2026-03-10',
      value: 10,
    });
  }
}

async function schedules(target: Target, key: string): Promise<string[]> {
  const reply = await exchange(target.url, {
    method: 'GET',
    path: '/v1/schedules/credit/dued',
    headers: { apitoken: key },
  });
  return (JSON.parse(reply.text) as { items: { scheduleId: string }[] }).items.map(
    ({ scheduleId }) => scheduleId,
  );
}

/** @returns the identifier of what it made, where the answer names it */
async function post(target: Target, key: string, path: string, body: object): Promise<string> {
  const reply = await exchange(target.url, {
    method: 'POST',
    path: `/v1${path}`,
    headers: { apitoken: key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (reply.status !== 200 && reply.status !== 204) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return reply.status === 204 ? '' : (JSON.parse(reply.text) as string);
}
