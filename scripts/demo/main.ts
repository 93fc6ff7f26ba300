import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../src/config/settings';
import { openDatabase } from '../../src/database/open-database';
import { type LedgerVerification, verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { Api } from './api';
import { expectations, readOutcome, settle } from './outcome';
import { type DemoResult, report } from './report';
import { RunningService } from './running-service';
import { makeSecrets, sendAll } from './scenario';

const ROOT = join(__dirname, '../../..');
const SERVICE = join(ROOT, 'dist/src/main.js');

/** Runs the whole way once, against the real service, and leaves nothing behind. */
async function demo(): Promise<DemoResult> {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'ponte-demo-'));
  const dataDir = join(folder, 'data');
  const secrets = makeSecrets();
  const operatorsKey = randomBytes(32).toString('hex');
  const service = await RunningService.start(SERVICE, {
    DATA_DIR: dataDir,
    CONFIG_DIR: join(ROOT, 'config'),
    ADMIN_API_KEY: operatorsKey,
    SHOPIFY_WEBHOOK_SECRET: secrets.shopify,
    WOOCOMMERCE_WEBHOOK_SECRET: secrets.wooCommerce,
  });
  try {
    const api = new Api(service.url, operatorsKey);
    await api.makeFinanceKey();
    const sendingFrom = performance.now();
    const webhooks = await sendAll(api, secrets);
    await settle(api);
    const settledInMs = Math.round(performance.now() - sendingFrom);
    const outcome = await readOutcome(api);
    const exitCode = await service.stop();
    const books = await verifyBooks(dataDir);
    const checks = [
      {
        what: 'every webhook was answered as documented',
        isAsExpected: webhooks.every(({ asExpected }) => asExpected),
      },
      ...expectations(outcome),
      { what: 'the service ended in good order', isAsExpected: exitCode === 0 },
      {
        what: `every balance follows from the ${books.entries} entries`,
        isAsExpected: books.difference === undefined,
      },
    ];
    const times = {
      startMs: service.startedInMs,
      settledMs: settledInMs,
      totalMs: Math.round(performance.now() - started),
    };
    return {
      ok: checks.every((expectation) => expectation.isAsExpected),
      webhooks,
      outcome,
      expectations: checks,
      times,
    };
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Recomputes the books from their entries, in the data that the service left behind. */
async function verifyBooks(dataDir: string): Promise<LedgerVerification> {
  const database = await openDatabase(new Settings({ DATA_DIR: dataDir }));
  try {
    return await verifyLedger(database.prisma);
  } finally {
    await database.close();
  }
}

demo().then(
  (result) => {
    const text = process.argv.includes('--json') ? JSON.stringify(result, null, 2) : report(result);
    process.stdout.write(`${text}\n`);
    process.exitCode = result.ok ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(
      `The demo could not run: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  },
);
