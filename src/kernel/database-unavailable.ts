/** The database cannot be reached, or broke off: nothing is wrong with what was asked of it. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';

  /**
   * @param cause what the driver or Prisma threw
   * @param reason where something else is known than that it cannot be reached
   */
  constructor(cause: unknown, reason = 'the database cannot be reached') {
    super(reason, { cause });
  }
}
