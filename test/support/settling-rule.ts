import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiled } from '../../src/rules/fixtures';
import { ActiveRules } from '../../src/workflows/active-rules';
import type { TestService } from './service';

const DOCUMENT = readFileSync(join(__dirname, '../../config/profiles/cash/order-paid.yaml'), 'utf8');
const BEFORE_RECEIPT = DOCUMENT.slice(0, DOCUMENT.indexOf('  - id: receipt'));

/** Three parts, the first on this day, settle what the organization `main` is owed for a paid order. */
export function settlingRule(firstDay: string, more = ''): string {
  return `${BEFORE_RECEIPT}
  - id: settle
    do: receipt.settle
    key: \${order.payment.key}/settlement
    with:
      schedules: \${steps.schedule.all}
      account: \${tables.gatewayAccount[order.payment.gateway]}
      plan: \${order.payment.value.instalments(3, date("${firstDay}"))}
${more}`;
}

/** Puts rules into force in the running service, not stored. */
export async function putInForce(
  service: TestService,
  ...documents: readonly (readonly [document: string, version: number])[]
): Promise<void> {
  const { id } = await service.database.prisma.organization.findUniqueOrThrow({ where: { slug: 'main' } });
  const active = service.part(ActiveRules);
  const { tables, documentKey } = active.listeningTo(id, 'order.paid');
  const rules = documents.map(([document, version]) => compiled(document, version));
  active.replace(new Map([[id, { rules, tables, documentKey }]]));
}
