import { resolve } from 'node:path';
import { schemaDiff } from './schema-diff';

// Fails when prisma/schema.prisma says something that the migrations do not do yet.
// `npm run db:drift [-- FOLDER]`, where FOLDER holds schema.prisma and migrations/.

async function main(): Promise<void> {
  const missing = await schemaDiff(resolve(process.argv[2] ?? 'prisma'));
  if (missing === undefined) return console.log('The migrations do what the schema says.');
  console.log(missing);
  console.error('The schema says more than the migrations do: run `npm run db:migration -- NAME`.');
  process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
