import type { Api } from '../../../scripts/demo/api';

/** A page of the console, with something on it. */
export interface ShownPage {
  readonly name: string;
  /** Below `/console/main`. */
  readonly path: string;
}

interface Listed {
  readonly id: string;
  readonly slug?: string;
  readonly businessKey?: string | null;
}

/** Every page of the console; of those about one record, one that is there. */
export async function everyPage(api: Api): Promise<ShownPage[]> {
  const first = async (list: string): Promise<Listed> => {
    const { items } = (await api.admin('GET', `${list}limit=1`)) as { items: Listed[] };
    const [one] = items;
    if (!one) throw new Error(`there is none of ${list}`);
    return one;
  };
  const newest = await first('deliveries?');
  const account = await first('books/accounts?');
  const customer = await first('books/customers?');
  const attention = await first('attention?');
  return [
    { name: 'today', path: '' },
    { name: 'day', path: '?date=2026-03-10' },
    { name: 'payments', path: '/payments?date=2026-03-10' },
    { name: 'needs', path: '/needs' },
    { name: 'deliveries', path: '/deliveries' },
    { name: 'delivery', path: `/deliveries/${newest.id}` },
    { name: 'order', path: `/orders?key=${encodeURIComponent(newest.businessKey ?? '')}` },
    { name: 'troubled', path: `/orders?key=${encodeURIComponent(attention.businessKey ?? '')}` },
    { name: 'books', path: '/books' },
    { name: 'account', path: `/books/accounts/${account.id}` },
    { name: 'receivables', path: '/books/receivables' },
    { name: 'customers', path: '/books/customers' },
    { name: 'customer', path: `/customers/${customer.id}` },
    { name: 'completeness', path: '/completeness' },
    { name: 'rules', path: '/rules' },
    { name: 'rule', path: '/rules/order-paid' },
    { name: 'new-rule', path: '/new-rule' },
    { name: 'table', path: '/tables/gatewayAccount' },
    { name: 'sources', path: '/sources' },
    { name: 'source', path: '/sources/shopify' },
    { name: 'new-source', path: '/sources/new' },
    { name: 'notifications', path: '/notifications' },
    { name: 'keys', path: '/keys' },
    { name: 'organization', path: '/organization' },
    { name: 'audit', path: '/audit' },
  ];
}
