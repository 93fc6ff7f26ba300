import { Problem } from '../kernel/problem';

/** Properties in which drivers quote rows: the row PostgreSQL refused, and the parameters that they were given. */
const QUOTING = ['detail', 'params'];

/** Properties through which Prisma's errors lead to the driver's. */
const LEADING = ['meta', 'driverAdapterError', 'cause'];

/**
 * Takes the values of rows out of an error of Prisma or of a driver. They are personal data, and errors are
 * logged with their messages and all their properties. A {@link Problem} is no driver's: it stays as it is, for
 * its `detail` was written for clients.
 */
export function withoutValues(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || error instanceof Problem) return error;
  for (const property of QUOTING) if (property in error) Reflect.set(error, property, undefined);
  for (const property of LEADING) if (property in error) withoutValues(Reflect.get(error, property));
  if (error instanceof Error && error.name === 'PrismaClientValidationError') withoutArguments(error);
  return error;
}

/** Prisma shows a call that it refuses with all its arguments between "invocation:" and the reason. */
function withoutArguments(error: Error): void {
  const message = error.message.replace(/(invocation:\n)[^]*\n}\n/, '$1');
  error.stack = error.stack?.replace(error.message, () => message);
  error.message = message;
}
