/*
 * What the finance interface promises, told once more and as plainly as possible: no database, no ledger, whole
 * cents in numbers, dates as `YYYY-MM-DD`. It shares no code with what it is compared with.
 */

export interface ModelAccount {
  id: string;
  name: string;
  openBalance: number;
  openedOn: string;
  /** Opening balance and everything that moved. */
  balance: number;
  /** Days of receipts and payments that stand; the account cannot have been opened after one. */
  moved: string[];
}

export interface ModelStakeholder {
  id: string;
  name: string;
  document?: string;
}

export interface ModelSchedule {
  id: string;
  kind: 'credit' | 'debit';
  stakeholder: ModelStakeholder;
  description: string;
  reference?: string;
  value: number;
  open: number;
  scheduleDate: string;
  dueDate: string;
  category?: ModelCategory;
  costCenter?: ModelCostCenter;
  isFlagged: boolean;
}

export interface ModelPayment {
  id: string;
  schedule: ModelSchedule;
  account: ModelAccount;
  value: number;
  date: string;
  state: 'there' | 'removed';
}

export interface ModelCategory {
  id: string;
  name: string;
  referenceCode: string;
  type: 'in' | 'out';
  group: { id: string; name: string; referenceCode: string };
}

export interface ModelCostCenter {
  id: string;
  description: string;
  externalCode?: string;
}

/** Debits less credits of everything of one kind, in cents. */
export interface Totals {
  account: number;
  receivable: number;
  payable: number;
  income: number;
  expense: number;
  equity: number;
}

export type Book = keyof Totals;

export class Books {
  readonly accounts: ModelAccount[] = [];
  readonly customers: ModelStakeholder[] = [];
  readonly suppliers: ModelStakeholder[] = [];
  readonly schedules: ModelSchedule[] = [];
  readonly payments: ModelPayment[] = [];
  readonly totals: Totals = { account: 0, receivable: 0, payable: 0, income: 0, expense: 0, equity: 0 };

  constructor(
    readonly categories: readonly ModelCategory[],
    readonly costCenters: readonly ModelCostCenter[],
    public today: string,
  ) {}

  /** Moves cents from one kind of book to another; a negative amount moves the other way. */
  move(to: Book, from: Book, cents: number): void {
    this.totals[to] += cents;
    this.totals[from] -= cents;
  }

  openAccount(account: Omit<ModelAccount, 'balance' | 'moved'>): void {
    this.accounts.push({ ...account, balance: account.openBalance, moved: [] });
    this.move('account', 'equity', account.openBalance);
  }

  /** The opening balance was another one all along. */
  reopenAccount(account: ModelAccount, openBalance: number): void {
    this.move('account', 'equity', openBalance - account.openBalance);
    account.balance += openBalance - account.openBalance;
    account.openBalance = openBalance;
  }

  owe(schedule: Omit<ModelSchedule, 'open'>): ModelSchedule {
    const owed = { ...schedule, open: schedule.value };
    this.schedules.push(owed);
    if (schedule.kind === 'credit') this.move('receivable', 'income', schedule.value);
    else this.move('expense', 'payable', schedule.value);
    return owed;
  }

  /** Receives against a receivable; `close` gives up what stays open. */
  settle(
    schedule: ModelSchedule,
    account: ModelAccount,
    { value, date, close }: { value: number; date: string; close: boolean },
  ): void {
    account.moved.push(date);
    schedule.open -= value;
    account.balance += value;
    this.move('account', 'receivable', value);
    if (!close) return;
    this.move('expense', 'receivable', schedule.open);
    schedule.open = 0;
  }

  pay(payment: Omit<ModelPayment, 'state'>): void {
    this.payments.push({ ...payment, state: 'there' });
    payment.account.moved.push(payment.date);
    this.movePayment(payment, payment.value);
  }

  takeBack(payment: ModelPayment): void {
    const { moved } = payment.account;
    payment.state = 'removed';
    moved.splice(moved.indexOf(payment.date), 1);
    this.movePayment(payment, -payment.value);
  }

  /** Money that reaches an account (or, negative, leaves it) without a schedule. */
  moveDirectly(account: ModelAccount, cents: number, date: string): void {
    account.moved.push(date);
    account.balance += cents;
    this.move('account', cents > 0 ? 'income' : 'expense', cents);
  }

  transfer(origin: ModelAccount, destiny: ModelAccount, value: number): void {
    origin.balance -= value;
    destiny.balance += value;
  }

  private movePayment({ schedule, account }: Omit<ModelPayment, 'state'>, cents: number): void {
    schedule.open -= cents;
    account.balance -= cents;
    this.move('payable', 'account', cents);
  }
}

/** The day `days` after another. */
export function later(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The same day `months` after another; the last day of the month where that one is too short. */
export function monthsLater(date: string, months: number): string {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}
