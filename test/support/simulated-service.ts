import type { FinanceConnection } from '../../src/finance/remote/client/connection';
import { CONNECTION_DEFAULTS } from '../../src/finance/remote/client/connection';
import {
  FinanceClient,
  type CallPermit,
  type ClientCall,
  type AttemptOutcome,
} from '../../src/finance/remote/client/finance-client';
import { newId } from '../../src/kernel/identifier';

/** What becomes of one call that writes. */
export type Fate =
  | 'succeeded'
  | 'refused'
  | 'not-sent'
  | 'unknown-applied'
  | 'unknown-not-applied'
  | 'killed-applied'
  | 'killed';

interface Schedule {
  scheduleId: string;
  stakeholderId: string;
  reference?: string;
  value: number;
  openCents: number;
  dueDate: string;
}

interface Body {
  reference?: string;
  stakeholderId: string;
  value: number;
  dueDate: string;
  instalment?: { value: number; dueDate: string }[];
}

/** A finance service in memory that takes effect as it is told, and counts what it did. */
export class SimulatedService extends FinanceClient {
  readonly customers: string[] = [];
  readonly schedules: Schedule[] = [];
  readonly receipts: { scheduleId: string; identifier: string; cents: number }[] = [];
  /** How writing calls end, in this order; succeeded when there are no more. */
  readonly fates: Fate[] = [];
  /** Called while a writing call is on its way. */
  underWay: () => Promise<void> = async () => undefined;
  /** Called when whoever sends is killed: nobody hears of the call any more. */
  killed: () => void = () => undefined;
  sent = 0;

  static connection(organizationId: string, fields: Partial<FinanceConnection> = {}): FinanceConnection {
    return {
      ...CONNECTION_DEFAULTS,
      organizationId,
      baseUrl: 'https://books.example/v1',
      trustedAddress: false,
      apiKey: 'a-key',
      ...fields,
    };
  }

  override async withPermit<T>(
    _connection: FinanceConnection,
    work: (permit: CallPermit) => Promise<T>,
  ): Promise<T> {
    return work({ backoffMs: 0, send: (call, onSend = () => true) => this.send(call, onSend) });
  }

  override async call(_connection: FinanceConnection, call: ClientCall): Promise<AttemptOutcome> {
    return this.send(call, () => true);
  }

  private async send(call: ClientCall, onSend: () => boolean): Promise<AttemptOutcome> {
    if (call.operation === 'schedules.listOfCustomer') return this.schedulesOf(call.path?.['CustomerId']);
    if (!onSend()) return { kind: 'not-sent', reason: 'too late' };
    this.sent += 1;
    await this.underWay();
    return this.write(call, this.fates.shift() ?? 'succeeded');
  }

  override async list(): Promise<AttemptOutcome> {
    return { kind: 'refused', problem: { status: 404 } };
  }

  override closedForMs(): number {
    return 0;
  }

  private write(call: ClientCall, fate: Fate): AttemptOutcome | Promise<AttemptOutcome> {
    switch (fate) {
      case 'succeeded':
        return this.refusalOf(call) ?? { kind: 'succeeded', status: 200, value: this.apply(call) };
      case 'refused':
        return { kind: 'refused', problem: { status: 422, detail: 'no' } };
      case 'not-sent':
        return { kind: 'not-sent', reason: 'connection refused' };
      case 'unknown-applied':
        this.apply(call);
        return { kind: 'unknown', reason: 'the connection broke' };
      case 'unknown-not-applied':
        return { kind: 'unknown', reason: 'the connection broke' };
      case 'killed-applied':
        this.apply(call);
        return this.kill();
      case 'killed':
        return this.kill();
    }
  }

  private kill(): Promise<AttemptOutcome> {
    this.killed();
    return new Promise(() => undefined);
  }

  /** Why the service does not take a call; undefined: it does. */
  protected refusalOf(_call: ClientCall): AttemptOutcome | undefined {
    return undefined;
  }

  protected apply({ operation, body, path }: ClientCall): string | undefined {
    switch (operation) {
      case 'customers.create':
        this.customers.push(newId());
        return this.customers.at(-1);
      case 'schedules.createCredit':
        return this.addSchedules(body as Body);
      case 'receipts.registerForSchedule': {
        const { value, identifier } = body as { value: number; identifier: string };
        const cents = Math.round(value * 100);
        const scheduleId = path?.['ScheduleId'] ?? '';
        const schedule = this.schedules.find((candidate) => candidate.scheduleId === scheduleId);
        if (!schedule) throw new Error('a receipt for no schedule');
        schedule.openCents -= cents;
        this.receipts.push({ scheduleId, identifier, cents });
        return undefined;
      }
      default:
        throw new Error(`not simulated: ${operation}`);
    }
  }

  private addSchedules({ reference, stakeholderId, value, dueDate, instalment }: Body): string {
    const made = (instalment ?? [{ value, dueDate }]).map((part) => ({
      scheduleId: newId(),
      stakeholderId,
      reference,
      value: part.value,
      openCents: Math.round(part.value * 100),
      dueDate: part.dueDate,
    }));
    this.schedules.push(...made);
    return made[0]!.scheduleId;
  }

  private schedulesOf(customerId: string | undefined): AttemptOutcome {
    const value = this.schedules
      .filter(({ stakeholderId }) => stakeholderId === customerId)
      .map(({ openCents, dueDate, ...others }) => ({
        ...others,
        openValue: openCents / 100,
        dueDate: `${dueDate}T00:00:00-03:00`,
        type: 'Credit',
      }));
    return { kind: 'succeeded', status: 200, value };
  }
}
