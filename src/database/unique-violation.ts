import { Prisma } from './client/client';

/** Whether a write was refused because another row has the key; the transaction it was part of is then lost. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}
