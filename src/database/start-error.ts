/** The database cannot be opened. The message is one line for whoever starts Ponte: what is wrong and what to do. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/** What an error of a driver or of the system says, on one line. */
export function reasonOf(error: unknown): string {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  return String(message || code || error).replace(/\s+/g, ' ');
}

/** What the system refuses (no space, read-only, not allowed) is one line; what nobody expected keeps its trace. */
export function startErrorOf(error: unknown, dataDir: string): unknown {
  if (typeof error !== 'object' || error === null || !('syscall' in error)) return error;
  return new DatabaseStartError(`DATA_DIR ${dataDir} cannot be used: ${reasonOf(error)}`);
}
