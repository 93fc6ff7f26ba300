import type { AttemptOutcome, ClientCall } from '../../src/finance/remote/client/finance-client';
import type { FinanceConnection } from '../../src/finance/remote/client/connection';
import { newId } from '../../src/kernel/identifier';
import { SimulatedService } from './simulated-service';

/** A payment or receipt on an account, in hundredths. */
interface Movement {
  readonly id: string;
  readonly accountId: string;
  readonly cents: number;
  readonly reference?: string;
  readonly categoryId?: string;
}

/** A simulated service that keeps accounts, suppliers, cost centers and payments of payables, too. */
export class SimulatedBooks extends SimulatedService {
  readonly payments: Movement[] = [];
  /** Receipts without a schedule. */
  readonly incomes: Movement[] = [];
  readonly accounts: { id: string; name: string; openBalance: number; dateOfOpenBalance: string }[] = [];
  readonly suppliers: { id: string; name: string; document?: { number: string } }[] = [];
  readonly costCenters: { costCenterId: string; description: string; externalCode: string }[] = [];
  /** Payments of payables that can be taken back. */
  readonly payable = new Set<string>();

  override async call(connection: FinanceConnection, call: ClientCall): Promise<AttemptOutcome> {
    const items = this.listed(call);
    if (!items) return super.call(connection, call);
    const isPast = Number(call.query?.['$skip'] ?? 0) >= items.length;
    return {
      kind: 'succeeded',
      status: 200,
      value: { items: isPast ? [] : items, count: items.length, nextPageLink: null },
    };
  }

  /** As services do: what is removed already is not there. */
  protected override refusalOf({ operation, path }: ClientCall): AttemptOutcome | undefined {
    if (operation !== 'payments.remove' || this.payable.has(path?.['PaymentId'] ?? '')) return undefined;
    return { kind: 'refused', problem: { status: 404, code: 'not-found' } };
  }

  protected override apply(call: ClientCall): string | undefined {
    const { body } = call;
    switch (call.operation) {
      case 'payments.register':
      case 'receipts.register': {
        const { value, ...fields } = body as Omit<Movement, 'id' | 'cents'> & { value: number };
        const made = { ...fields, id: newId(), cents: Math.round(value * 100) };
        (call.operation === 'payments.register' ? this.payments : this.incomes).push(made);
        return made.id;
      }
      case 'accounts.create': {
        const { name, openBalance, dateOfOpenBalance } = body as Omit<
          SimulatedBooks['accounts'][number],
          'id'
        >;
        const made = { id: newId(), name, openBalance, dateOfOpenBalance };
        this.accounts.push(made);
        return made.id;
      }
      case 'costCenters.update': {
        const found = this.costCenters.find(
          ({ costCenterId }) => costCenterId === call.path?.['CostCenterId'],
        );
        if (found) found.description = (body as { description: string }).description;
        return undefined;
      }
      case 'payments.remove':
        this.payable.delete(call.path?.['PaymentId'] ?? '');
        return undefined;
      default:
        return super.apply(call);
    }
  }

  /** Everything, whatever the filter: a service may ignore it. */
  private listed({ operation }: ClientCall): readonly object[] | undefined {
    switch (operation) {
      case 'accounts.list':
        return this.accounts;
      case 'suppliers.list':
        return this.suppliers;
      case 'costCenters.list':
        return this.costCenters;
      case 'accounts.listBalances':
        return [];
      default:
        return undefined;
    }
  }
}
