import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { DemoService } from './demo-service';
import { playMonth, reconcileMonth } from './month/demo-month';
import { reconciliationReport } from './month/reconciliation';
import { expectations, readOutcome, settle } from './outcome';
import { report } from './report';
import { sendAll } from './scenario';

/** Runs the whole way once, against the real service, and leaves nothing behind. */
async function demo(): Promise<void> {
  const started = performance.now();
  const service = await DemoService.start();
  try {
    const { api } = service;
    await api.makeFinanceKey();
    const sendingFrom = performance.now();
    const webhooks = await sendAll(api, service.secrets);
    await settle(api);
    const settledInMs = Math.round(performance.now() - sendingFrom);
    const outcome = await readOutcome(api);
    const exitCode = await service.stop();
    const books = await service.readBooks(verifyLedger);
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
    const result = {
      ok: checks.every((expectation) => expectation.isAsExpected),
      webhooks,
      outcome,
      expectations: checks,
      times,
    };
    await print(
      result.ok,
      process.argv.includes('--json') ? JSON.stringify(result, null, 2) : report(result),
      service,
    );
  } finally {
    await service.remove();
  }
}

/** Books an accountant's month of three shops and reconciles it. */
async function month(): Promise<void> {
  const started = performance.now();
  const service = await DemoService.start();
  try {
    await service.api.makeFinanceKey();
    const played = await playMonth(service.api, service.secrets);
    await service.stop();
    const { reconciliation, books } = await service.readBooks(async (prisma) => ({
      reconciliation: await reconcileMonth(played, prisma),
      books: await verifyLedger(prisma),
    }));
    const ok = reconciliation.agrees && books.difference === undefined;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const counts = `${played.month.orders.length} orders, ${played.webhooks} webhooks in any order, ${books.entries} entries, ${seconds} s.`;
    const verdict = ok
      ? 'Everything agrees to the cent, and every balance follows from the entries.'
      : 'Something does not agree: see the lines with a difference.';
    await print(ok, `\n${reconciliationReport(reconciliation)}\n${counts}\n${verdict}`, service);
  } finally {
    await service.remove();
  }
}

/** Says how it went. Whoever sits at a terminal, or asks for it with `--stay`, can look at the books in the console then. */
async function print(ok: boolean, text: string, service: DemoService): Promise<void> {
  process.stdout.write(`${text}\n`);
  process.exitCode = ok ? 0 : 1;
  const stays = process.argv.includes('--stay') || (process.stdin.isTTY && process.stdout.isTTY);
  if (!ok || !stays) return;
  await service.stay((console, key) =>
    process.stdout.write(
      `\nLook around: ${console}\nThe operators' key to sign in with: ${key}\nCtrl-C ends it and removes everything.\n`,
    ),
  );
}

(process.argv.includes('--month') ? month() : demo()).catch((error: unknown) => {
  process.stderr.write(`The demo could not run: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
