import { SettingError, Settings } from '../src/config/settings';
import { openStoredDatabase } from '../src/database/open-database';
import { DatabaseStartError } from '../src/database/start-error';
import { verifyLedger, type LedgerVerification } from '../src/finance/embedded/ledger/verify';
import { formatMinor } from '../src/kernel/money';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Recomputes every balance and open value of the database that the environment names from the entries alone
 * and says whether the tables agree; a place without books is refused. `npm run ledger:verify`; the embedded database must not be in use.
 * @returns the exit code: 0 when every number follows from the entries
 */
export async function main(env: Environment, say: (line: string) => void): Promise<number> {
  try {
    const verification = await verify(env);
    say(sentence(verification));
    return verification.difference ? 1 : 0;
  } catch (error) {
    if (!(error instanceof SettingError || error instanceof DatabaseStartError)) throw error;
    say(error.message);
    return 1;
  }
}

async function verify(env: Environment): Promise<LedgerVerification> {
  const database = await openStoredDatabase(new Settings(env));
  try {
    return await verifyLedger(database.prisma);
  } finally {
    await database.close();
  }
}

function sentence({ entries, accounts, schedules, difference }: LedgerVerification): string {
  const read = `${entries} entries, ${accounts} accounts, ${schedules} schedules`;
  if (!difference) return `The books are right: ${read}.`;
  const { what, id, expectedMinor, actualMinor } = difference;
  const [expected, actual] = [expectedMinor, actualMinor].map((minor) => formatMinor(minor));
  return `The books are wrong (${read}): ${what} ${id} is ${actual}, and the entries say ${expected}.`;
}

if (require.main === module) {
  main(process.env, (line) => process.stdout.write(`${line}\n`)).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exitCode = 1;
    },
  );
}
