import * as read from './reading';
import * as write from './writing';

type Row = { readonly method: string; readonly path: RegExp } & (
  { readonly read: read.Read } | { readonly change: write.ReadChange }
);

const ID = '([0-9a-fA-F-]{36})';

/** What this service knows of the interface, as the interface's document has it. */
const ROUTES: readonly Row[] = [
  { method: 'POST', path: at('/customers'), change: write.createCustomer },
  { method: 'POST', path: at('/schedules/credit/FormatType=json'), change: write.createCreditSchedule },
  { method: 'POST', path: at('/payments'), change: write.registerOnAccount('POST /payments', -1) },
  { method: 'POST', path: at('/receipts'), change: write.registerOnAccount('POST /receipts', 1) },
  { method: 'POST', path: at(`/schedules/credit/${ID}/receipts`), change: write.receiveForSchedule },
  { method: 'POST', path: at('/accounts/transfer'), change: write.transfer },
  { method: 'DELETE', path: at(`/schedules/debit/${ID}/payments/${ID}`), change: write.removePayment },
  { method: 'PUT', path: at(`/costcenters/${ID}`), change: write.updateCostCenter },
  { method: 'POST', path: at('/accounts'), change: write.createAccount },
  { method: 'GET', path: at('/schedules/debit'), read: read.debitSchedules },
  { method: 'GET', path: at('/schedules/credit/dued'), read: read.duedCredits },
  { method: 'GET', path: at(`/customers/${ID}/schedules`), read: read.customerSchedules },
  { method: 'GET', path: at('/costcenters'), read: read.costCenters },
  { method: 'GET', path: at('/accounts/views/balance'), read: read.balances },
  { method: 'GET', path: at('/accounts'), read: read.accounts },
  { method: 'GET', path: at('/suppliers'), read: read.suppliers },
];

/** The row for a request and the identifiers in its path. */
export function route(method: string, path: string): { row: Row; ids: string[] } | undefined {
  for (const row of ROUTES) {
    const match = row.method === method ? row.path.exec(path) : null;
    if (match) return { row, ids: match.slice(1).map((id) => id.toLowerCase()) };
  }
  return undefined;
}

function at(path: string): RegExp {
  return new RegExp(`^/api/v1${path}/?$`);
}
