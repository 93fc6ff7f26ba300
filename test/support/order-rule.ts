import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LookupTables } from '../../src/rules/lookup-table';
import { LookupTable } from '../../src/rules/lookup-table';
import { compiled, DOCUMENT_KEY } from '../../src/rules/fixtures';
import { ActiveRules } from '../../src/workflows/active-rules';
import type { TestService } from './service';

const DOCUMENT = readFileSync(join(__dirname, '../../config/profiles/cash/order-paid.yaml'), 'utf8');
const RECEIPT = DOCUMENT.indexOf('  - id: receipt');

/** What the organization `main` does with a paid order: put into force in the running service, not stored. */
export class OrderRule {
  private constructor(
    private readonly book: ActiveRules,
    private readonly organizationId: string,
    private readonly tables: LookupTables,
  ) {}

  static async of(service: TestService): Promise<OrderRule> {
    const { id } = await service.database.prisma.organization.findUniqueOrThrow({ where: { slug: 'main' } });
    const book = service.part(ActiveRules);
    return new OrderRule(book, id, book.listeningTo(id, 'order.paid').tables);
  }

  /** Version 1, which books what is owed and no receipt. */
  withoutReceipt(): void {
    this.put(DOCUMENT.slice(0, RECEIPT), 1, this.tables);
  }

  /** Version 2, the rule of `config/`. */
  whole(): void {
    this.put(DOCUMENT, 2, this.tables);
  }

  /** Version 2, with receipts going to this account. */
  receivedBy(account: string): void {
    const table = LookupTable.of('gatewayAccount', { default: account });
    this.put(DOCUMENT, 2, new Map([...this.tables, ['gatewayAccount', table]]));
  }

  private put(document: string, version: number, tables: LookupTables): void {
    const inForce = { rules: [compiled(document, version)], tables, documentKey: DOCUMENT_KEY };
    this.book.replace(new Map([[this.organizationId, inForce]]));
  }
}
