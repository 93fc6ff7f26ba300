import type { Prisma } from './client/client';

/**
 * An open database transaction. While one is open on the embedded database nothing else may be asked of it:
 * inside a transaction use only this, never the outer client.
 */
export type Transaction = Prisma.TransactionClient;
