import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompanySettings } from '../../faulty-finance/company';

const ROOT = join(__dirname, '../../..');

const ACCOUNT = '7b0e3c52-54a4-4a7e-8a34-000000000001';
const CATEGORY = '7b0e3c52-54a4-4a7e-8a34-000000000002';

const COMMON = {
  apiKey: 'key-of-the-finance-service',
  accounts: [{ id: ACCOUNT, name: 'Conta principal' }],
  categories: [{ id: CATEGORY, name: 'Vendas online', type: 'in' }],
  costCenters: [],
};

/** Its service refuses a second customer with the same document and more money than is open. */
export const STRICT: CompanySettings = {
  ...COMMON,
  organization: 'main',
  uniqueDocuments: true,
  refusesOverpayment: true,
};

/** Its service takes whatever it is sent: nothing there prevents a second effect. */
export const LAX: CompanySettings = {
  ...COMMON,
  organization: 'lax',
  uniqueDocuments: false,
  refusesOverpayment: false,
};

export const COMPANIES = [STRICT, LAX];

/**
 * Writes Ponte's configuration for the companies: records are named by the service's own identifiers.
 * @param payments as how many receipts what was paid for an order is registered
 */
export function writeConfiguration(folder: string, payments: 1 | 2 = 1): void {
  cpSync(join(ROOT, 'config/rules'), join(folder, 'rules'), { recursive: true });
  cpSync(join(ROOT, 'config/profiles'), join(folder, 'profiles'), { recursive: true });
  if (payments === 2) payTwice(join(folder, 'profiles/cash/order-paid.yaml'));
  cpSync(join(ROOT, 'config/chart'), join(folder, 'chart'), { recursive: true });
  cpSync(join(ROOT, 'config/tables'), join(folder, 'tables'), { recursive: true });
  const slugs = COMPANIES.map(({ organization }) => organization);
  const organizations = slugs.map((slug) => ({
    slug,
    name: slug,
    timeZone: 'America/Sao_Paulo',
    currency: 'BRL',
    chart: 'brazil',
  }));
  const sources = slugs.map((organization) => ({
    organization,
    slug: 'shopify',
    provider: 'shopify',
    secrets: [{ env: 'SHOPIFY_WEBHOOK_SECRET' }],
  }));
  const documents = {
    'organizations.yaml': { organizations },
    'sources.yaml': { sources },
    'tables/category.yaml': { table: 'category', entries: { 'online-sales': CATEGORY } },
    'tables/gatewayAccount.yaml': { table: 'gatewayAccount', entries: { default: ACCOUNT } },
    'tables/payoutAccount.yaml': { table: 'payoutAccount', entries: { default: ACCOUNT } },
  };
  // JSON is YAML, too.
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(folder, name), JSON.stringify(document));
  }
}

/** Half of what was paid is one receipt, the other half, to the cent or one less, is another right after it. */
function payTwice(path: string): void {
  const [, before = '', receipt = '', after = ''] =
    /^(.*) {2}- id: receipt\n(.*?)\n( {2}- id: .*)$/s.exec(readFileSync(path, 'utf8')) ?? [];
  if (receipt === '') throw new Error('the rule registers no receipt');
  const half = (index: number): string =>
    `  - id: receipt${index}\n${receipt}`
      .replace('key: ${order.payment.key}', `key: \${order.payment.key}/${index}`)
      .replace(
        '${order.payment.value}',
        `\${order.payment.value.instalments(2, firstPaidOn)[${index}].value}`,
      );
  writeFileSync(path, `${before}${half(0)}\n${half(1)}\n${after}`);
}
