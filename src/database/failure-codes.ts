const MAX_CAUSES = 8;

interface Failure {
  code?: unknown;
  originalCode?: unknown;
  /** What Prisma's adapters call it. */
  kind?: unknown;
  cause?: unknown;
  /** Where Prisma keeps what the driver said. */
  meta?: { driverAdapterError?: unknown };
  /** Of an AggregateError: one for each address that was tried. */
  errors?: unknown;
}

/** A failure and what it was caused by, as deep as drivers and Prisma wrap it. */
export function causesOf(error: unknown): object[] {
  const found: object[] = [];
  const open: unknown[] = [error];
  while (open.length > 0 && found.length < MAX_CAUSES) {
    const failure = open.shift();
    if (typeof failure !== 'object' || failure === null) continue;
    const { cause, meta, errors } = failure as Failure;
    found.push(failure);
    open.push(cause, meta?.driverAdapterError, ...(Array.isArray(errors) ? (errors as unknown[]) : []));
  }
  return found;
}

/** Codes of a failure and its causes: SQLSTATEs, Prisma's own and its adapters' kinds, names of system errors. */
export function failureCodes(error: unknown): string[] {
  return causesOf(error)
    .flatMap(({ code, originalCode, kind }: Failure) => [code, originalCode, kind])
    .filter((code) => typeof code === 'string');
}
