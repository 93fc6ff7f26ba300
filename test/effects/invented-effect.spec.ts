import type { EffectResult, PlannedEffect } from '../../src/finance/api/effects/effect';
import { type EffectOperation, EFFECTS, foundBy, isOutside } from '../../src/finance/api/effects/registry';
import { EMBEDDED_HANDLERS } from '../../src/finance/embedded/effects/handlers';
import type { ClientCall } from '../../src/finance/remote/client/finance-client';
import { REMOTE_HANDLERS } from '../../src/finance/remote/effects/handlers';
import type { Database } from '../../src/database/database';
import { newId } from '../../src/kernel/identifier';
import { Company } from '../support/company';
import { openTestDatabase } from '../support/database';
import { RemoteFinance } from '../support/remote-finance';
import { SimulatedService } from '../support/simulated-service';
import { accountOpen } from './account-open/account-open';
import { openAccount as openEmbedded } from './account-open/account-open.embedded';
import { openAccount as openRemotely } from './account-open/account-open.remote';

const OPERATION = 'account.open';

/** The lines that an effect costs beside its own files: one in each of three lists. */
const LINES: readonly [list: object, line: object][] = [
  [EFFECTS, accountOpen],
  [EMBEDDED_HANDLERS, openEmbedded],
  [REMOTE_HANDLERS, openRemotely],
];

/** A finance service that opens accounts, too. */
class AccountService extends SimulatedService {
  readonly accounts: unknown[] = [];

  protected override apply(call: ClientCall): string | undefined {
    if (call.operation !== 'accounts.create') return super.apply(call);
    this.accounts.push(call.body);
    return newId();
  }
}

function opening(name: string): PlannedEffect {
  return { key: 'shop/account/1', operation: OPERATION, input: { name } } as unknown as PlannedEffect;
}

/** Asks for the effect three times: as a shop says it first, again, and with an empty name under another key. */
async function ask(apply: (effect: PlannedEffect) => Promise<EffectResult | undefined>) {
  const first = await apply(opening('Till'));
  const again = await apply(opening('Till'));
  const nameless = await apply({ ...opening(' '), key: 'shop/account/2' });
  return { first, again, nameless };
}

describe('an effect that a file, two handlers and three lines add', () => {
  let database: Database;

  beforeAll(async () => {
    for (const [list, line] of LINES) Object.assign(list, { [OPERATION]: line });
    database = await openTestDatabase();
  });

  afterAll(async () => {
    for (const [list] of LINES) Reflect.deleteProperty(list, OPERATION);
    await database.close();
  });

  const refused = { state: 'refused', reason: "the account's name is missing" };

  it("is applied once on Ponte's own books", async () => {
    const company = await Company.found(database);
    const where = { organizationId: company.organization.id, name: 'Till' };
    const { first, again, nameless } = await ask(async (effect) => (await company.apply(effect))[0]);
    const accounts = await database.prisma.account.findMany({ where });
    expect(accounts).toHaveLength(1);
    expect(first).toEqual({ state: 'applied', output: { id: accounts[0]?.id }, attention: [] });
    expect(again).toEqual({ ...first, state: 'existing' });
    expect(nameless).toMatchObject(refused);
    await company.verify();
  });

  it('is applied once on a remote finance service', async () => {
    const service = new AccountService();
    const finance = await RemoteFinance.open(database, service);
    const { first, again, nameless } = await ask((effect) => finance.apply(effect));
    expect(service.accounts).toEqual([{ name: 'Till' }]);
    expect(first).toMatchObject({ state: 'applied', attention: [] });
    expect(again).toEqual({ ...first, state: 'existing' });
    expect(nameless).toMatchObject(refused);
  });
});

it.each([
  ["Ponte's own books", EMBEDDED_HANDLERS],
  ['a remote finance service', REMOTE_HANDLERS],
])(
  'every declared effect that changes the books has its handler on %s, and there is no other handler',
  (_, handlers) => {
    // What finds changes nothing, and what leaves the process changes no books.
    const changing = Object.keys(EFFECTS).filter(
      (name) => foundBy(name as EffectOperation) === undefined && !isOutside(name as EffectOperation),
    );
    expect(Object.keys(handlers).toSorted()).toEqual(changing.toSorted());
  },
);
