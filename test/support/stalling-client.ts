import type { OperationId } from '../../src/finance/api/operations/operations';
import type { FinanceConnection } from '../../src/finance/remote/client/connection';
import {
  FinanceClient,
  type CallPermit,
  type ClientCall,
  type AttemptOutcome,
} from '../../src/finance/remote/client/finance-client';

/** A call whose sender stands still, as a process does that is not given any time. */
export class Stall {
  readonly reached: Promise<void>;
  readonly over: Promise<void>;
  /** Called by the wire when the call has been answered. */
  reach: () => void = () => undefined;
  /** Lets the sender hear of the answer. */
  release: () => void = () => undefined;

  constructor(readonly operation: OperationId) {
    this.reached = new Promise((resolve) => (this.reach = resolve));
    this.over = new Promise((resolve) => (this.release = resolve));
  }
}

/** A wire that can keep what came of a call from its sender, and counts calls that are on their way together. */
export class StallingClient extends FinanceClient {
  private readonly stalls: Stall[] = [];
  private readonly open = new Map<OperationId, number>();
  private readonly most = new Map<OperationId, number>();

  constructor(private readonly wire: FinanceClient) {
    super();
  }

  /** Stalls the sender of the next call of an operation. */
  stall(operation: OperationId): Stall {
    const stall = new Stall(operation);
    this.stalls.push(stall);
    return stall;
  }

  /** The most calls of an operation that were on their way together. */
  mostAtOnce(operation: OperationId): number {
    return this.most.get(operation) ?? 0;
  }

  override call(connection: FinanceConnection, call: ClientCall): Promise<AttemptOutcome> {
    return this.stalled(call, () => this.wire.call(connection, call));
  }

  override withPermit<T>(
    connection: FinanceConnection,
    work: (permit: CallPermit) => Promise<T>,
  ): Promise<T> {
    return this.wire.withPermit(connection, (permit) =>
      work({
        backoffMs: permit.backoffMs,
        send: (call, onSend) => this.stalled(call, () => permit.send(call, onSend)),
      }),
    );
  }

  override list(...args: Parameters<FinanceClient['list']>): Promise<AttemptOutcome> {
    return this.wire.list(...args);
  }

  override closedForMs(organizationId: string): number {
    return this.wire.closedForMs(organizationId);
  }

  private async stalled(
    { operation }: ClientCall,
    send: () => Promise<AttemptOutcome>,
  ): Promise<AttemptOutcome> {
    const index = this.stalls.findIndex((stall) => stall.operation === operation);
    const [stall] = index < 0 ? [] : this.stalls.splice(index, 1);
    const outcome = await this.counted(operation, send);
    stall?.reach();
    await stall?.over;
    return outcome;
  }

  private async counted<T>(operation: OperationId, work: () => Promise<T>): Promise<T> {
    const open = (this.open.get(operation) ?? 0) + 1;
    this.open.set(operation, open);
    this.most.set(operation, Math.max(open, this.mostAtOnce(operation)));
    try {
      return await work();
    } finally {
      this.open.set(operation, (this.open.get(operation) ?? 1) - 1);
    }
  }
}
