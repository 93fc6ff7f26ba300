/** The database cannot be reached, or broke off: nothing is wrong with what was asked of it. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  /** @param cause what the driver or Prisma threw */
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause });
  }
}
