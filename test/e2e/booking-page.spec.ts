import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { newId } from '../../src/kernel/identifier';
import { BOOKING_CASES } from '../support/booking-cases';
import { OrderHarness } from '../support/order-harness';
import { postedSince } from '../support/posted';
import { PROFILE_NAMES, type ProfileName, putProfile } from '../support/profiles';

const PAGE = readFileSync(join(__dirname, '../../docs/booking.md'), 'utf8');

/** What the page says is posted, by what happens. */
function told(profile: ProfileName): Map<string, string[]> {
  const section = PAGE.split(/^## /m).find((text) => text.startsWith(`The profile \`${profile}\``)) ?? '';
  const rows = section.split('\n').filter((line) => /^\| (?!what happens|-)/.test(line));
  return new Map(
    rows.map((row) => {
      const [what = '', , posted = ''] = row
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      return [what, posted.split('<br>').filter((line) => line !== 'nothing')];
    }),
  );
}

it.each(PROFILE_NAMES)('the page has a row for each thing that happens, in the profile %s', (profile) => {
  expect([...told(profile).keys()]).toEqual(BOOKING_CASES.map(({ what }) => what));
});

describe.each(
  PROFILE_NAMES.flatMap((profile) => [
    [profile, "on Ponte's own books", () => OrderHarness.embedded()] as const,
    [profile, 'in a remote finance service', () => OrderHarness.remote({ uniqueDocuments: true })] as const,
  ]),
)('what is posted in the profile %s, %s', (profile, _where, open) => {
  let harness: OrderHarness;
  let count = 0;

  beforeAll(async () => {
    harness = await open();
    await putProfile(harness.service, profile);
    const { prisma } = harness.books;
    const { organizationId } = await prisma.account.findFirstOrThrow({ where: { name: 'Conta principal' } });
    const bank = newId();
    const openedOn = new Date('2020-01-01');
    const data = { id: bank, organizationId, name: 'Banco', openBalanceMinor: 0n, openedOn };
    await prisma.account.create({ data });
    await prisma.accountBalance.create({ data: { accountId: bank, balanceMinor: 0n, announcedMinor: 0n } });
    const put = await harness.service.operate('put', 'tables/payoutAccount', { entries: { default: bank } });
    expect(put.status).toBe(200);
  });
  afterAll(async () => {
    expect((await verifyLedger(harness.books.prisma)).difference).toBeUndefined();
    await harness.stop();
  });

  it.each(BOOKING_CASES)('$what', async ({ what, messages }) => {
    count += 1;
    const at = { books: harness.books, service: harness.service.database };
    const before = await postedSince(at);
    for (const [type, data] of messages(`${count}`)) await harness.standard(type, data);
    expect((await postedSince(at, before.ids)).lines).toEqual(told(profile).get(what));
  });
});
