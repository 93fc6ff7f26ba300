import type { PrismaClient } from '../../../src/database/client/client';
import { readBalances } from '../../../src/finance/embedded/ledger/balances';
import { BANK, GATEWAY_ACCOUNTS, shopOf } from './accounts';
import type { Figure } from './expected';

interface Movement {
  readonly kind: string;
  readonly reference: string;
  readonly cents: bigint;
  /** The name of the account that got it, or that it left. */
  readonly into: string | undefined;
  readonly from: string | undefined;
  /** The reference of the receivable that it settled. */
  readonly receivable: string | undefined;
}

/** Kinds of payments, by how their business keys end. */
const PAYMENTS: readonly (readonly [RegExp, string])[] = [
  [/\/fee$/, 'fees'],
  [/\/commission$/, 'commissions'],
  [/\/refund\//, 'refunds'],
  [/\/dispute\//, 'chargebacks'],
  [/\/bill\//, 'bills'],
];

/** What the books say of shops, gateways and the bank, read from every entry and receivable of the company. */
export async function bookedFigures(prisma: PrismaClient): Promise<Figure[]> {
  const { organizationId } = await prisma.account.findFirstOrThrow({ where: { name: BANK } });
  const accounts = await prisma.account.findMany({ where: { organizationId } });
  const names = new Map(accounts.map(({ id, name }) => [id, name]));
  const schedules = await prisma.schedule.findMany({ where: { organizationId, kind: 'credit' } });
  const references = new Map(schedules.map(({ id, reference }) => [id, reference ?? '']));
  const entries = await prisma.entry.findMany({
    where: { organizationId, kind: { in: ['receipt', 'payment', 'transfer', 'discount', 'reversal'] } },
  });
  const movements = entries.map((entry): Movement => ({
    ...{ kind: entry.kind, reference: entry.reference ?? '', cents: entry.amountMinor },
    ...{ into: names.get(entry.debitId), from: names.get(entry.creditId) },
    receivable: references.get(entry.creditId),
  }));
  const balances = await readBalances(prisma, [...names.keys()]);
  return [
    ...schedules.flatMap(({ reference, valueMinor, openMinor }) => [
      { section: shopSection(reference ?? ''), what: 'sold', cents: valueMinor },
      { section: shopSection(reference ?? ''), what: 'open', cents: openMinor },
    ]),
    ...movements.flatMap(figuresOf),
    ...[...names].map(([id, name]) => ({ section: name, what: 'balance', cents: balances.get(id) ?? 0n })),
  ];
}

function figuresOf(movement: Movement): Figure[] {
  const { kind, into, from, cents, receivable, reference } = movement;
  const isGateway = (name: string | undefined): boolean =>
    GATEWAY_ACCOUNTS.some((account) => account.name === name);
  if (kind === 'transfer')
    return [
      { section: into ?? '', what: 'payouts', cents },
      { section: from ?? '', what: 'payouts', cents: -cents },
    ];
  if (receivable !== undefined && isGateway(into))
    return [
      { section: shopSection(receivable), what: 'received', cents },
      { section: into ?? '', what: 'payments', cents },
    ];
  if (receivable !== undefined) return [{ section: shopSection(receivable), what: 'written off', cents }];
  if (kind === 'receipt' && reference.endsWith('/won'))
    return [
      { section: into ?? '', what: 'chargebacks won', cents },
      { section: shopSection(reference), what: 'charged back and lost', cents: -cents },
    ];
  return kind === 'payment' && (isGateway(from) || from === BANK) ? paymentFigures(movement) : [];
}

/** What is paid from a gateway's account or the bank's. One that nothing explains stands for itself. */
function paymentFigures({ from = '', cents, reference }: Movement): Figure[] {
  const what = PAYMENTS.find(([pattern]) => pattern.test(reference))?.[1] ?? `unexplained: ${reference}`;
  const left = { section: from, what, cents: -cents };
  if (what === 'refunds') return [left, { section: shopSection(reference), what: 'refunded', cents }];
  if (what === 'chargebacks')
    return [left, { section: shopSection(reference), what: 'charged back and lost', cents }];
  return [left];
}

function shopSection(key: string): string {
  return `Shop ${shopOf(key) ?? 'unknown'}`;
}
