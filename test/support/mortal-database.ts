import type { PrismaClient } from '../../src/database/client/client';
import { type Channel, Database, type HotStatement } from '../../src/database/database';
import type { Transaction } from '../../src/database/transaction';
import { enableStatements, queryInTransaction } from '../../src/database/transaction-statements';

/** The database as a process sees it that dies before a certain statement or commit; none reaches it afterwards. */
export class MortalDatabase extends Database {
  private left = Infinity;

  constructor(private readonly inner: Database) {
    super();
  }

  /** @param statements and commits that are still made */
  dieAfter(statements: number): void {
    this.left = statements;
  }

  /** Another process takes its place. @returns whether this one had died */
  revive(): boolean {
    const died = this.left < 0;
    this.left = Infinity;
    return died;
  }

  override get parallel(): boolean {
    return this.inner.parallel;
  }

  override get prisma(): PrismaClient {
    return this.counted(this.inner.prisma);
  }

  override transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.inner.transaction(async (tx) => {
      const counted = this.counted(tx);
      enableStatements(counted, ({ text }, values) => {
        this.count();
        return queryInTransaction(tx, text, values);
      });
      const result = await work(counted);
      this.count();
      return result;
    });
  }

  override async query<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    this.count();
    return this.inner.query(statement, values);
  }

  override async probe<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    this.count();
    return this.inner.probe(statement, values);
  }

  override async notify(channel: Channel): Promise<void> {
    this.count();
    await this.inner.notify(channel);
  }

  override listen(channel: Channel, heard: () => void): void {
    this.inner.listen(channel, heard);
  }

  override close(): Promise<void> {
    return this.inner.close();
  }

  private count(): void {
    this.left -= 1;
    if (this.left < 0) throw new Error('the process has died');
  }

  /** Calls of the client, and of each of its models, are statements. */
  private counted<T extends object>(client: T): T {
    return new Proxy(client, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member === 'function') {
          return (...args: unknown[]): unknown => {
            this.count();
            return Reflect.apply(member, target, args);
          };
        }
        return typeof member === 'object' && member !== null ? this.counted(member) : member;
      },
    });
  }
}
