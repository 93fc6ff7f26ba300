import type { CompanySettings } from './company';
import { openControl } from './control';
import { FaultyFinance } from './faulty-finance';

/** The service in a process of its own: `node scripts/run-ts.cjs test/faulty-finance/main.ts '[company, …]'`. */
async function main(): Promise<void> {
  const service = await FaultyFinance.start(JSON.parse(process.argv[2] ?? '[]') as CompanySettings[]);
  const control = await openControl(service);
  process.stdout.write(`${JSON.stringify({ url: service.url, control })}\n`);
  // It ends with whoever started it, however that one ended.
  process.stdin.on('end', () => process.exit(0)).resume();
}

void main();
