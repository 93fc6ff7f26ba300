import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { openCopyOf } from './database-image';

// Runs a script of the repository that makes a database in memory, and gives it a copy of a cluster instead, because to make
// one takes seconds: `node scripts/run-ts.cjs test/support/over-empty-cluster.ts CLUSTER SCRIPT [ARGUMENT…]`.

const [node = '', , cluster = '', script = '', ...rest] = process.argv;
Object.assign(PGlite, { create: withCopy(PGlite.create.bind(PGlite)) });
process.argv = [node, script, ...rest];
createRequire(__filename)(resolve(script));

/** @param create what makes a database with its options; without any, the script means one in memory */
function withCopy(create: typeof PGlite.create): (...options: unknown[]) => Promise<unknown> {
  return (...options) =>
    options.length > 0 ? create(...(options as Parameters<typeof PGlite.create>)) : openCopyOf(cluster);
}
