import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { DemoService } from './demo-service';
import { playMonth, reconcileMonth } from './month/demo-month';
import { reconciliationReport } from './month/reconciliation';
import { expectations, readOutcome, settle } from './outcome';
import { type DemoResult, report } from './report';
import { sendAll } from './scenario';

/** Runs the whole way once, against the real service, and leaves nothing behind. */
async function demo(): Promise<DemoResult> {
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
    return {
      ok: checks.every((expectation) => expectation.isAsExpected),
      webhooks,
      outcome,
      expectations: checks,
      times,
    };
  } finally {
    await service.remove();
  }
}

/** Books an accountant's month of three shops and reconciles it. @returns whether everything agrees, and what to print */
async function month(): Promise<{ ok: boolean; text: string }> {
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
    return { ok, text: `\n${reconciliationReport(reconciliation)}\n${counts}\n${verdict}` };
  } finally {
    await service.remove();
  }
}

async function run(): Promise<{ ok: boolean; text: string }> {
  if (process.argv.includes('--month')) return month();
  const result = await demo();
  const isJson = process.argv.includes('--json');
  return { ok: result.ok, text: isJson ? JSON.stringify(result, null, 2) : report(result) };
}

run().then(
  ({ ok, text }) => {
    process.stdout.write(`${text}\n`);
    process.exitCode = ok ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(
      `The demo could not run: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  },
);
