import fc from 'fast-check';
import { newId } from '../../../src/kernel/identifier';
import { later } from './books';
import { cents, commandOf, near, pick, rarely, which, type Command } from './command';
import { day, money, refusal, type World } from './world';

/** Operation 10. */
class OpenAccount implements Command {
  constructor(
    readonly fields: {
      name: number;
      openBalance: number | null;
      opened: number | null;
      wrong: 'right' | 'bank';
    },
  ) {}

  async perform(world: World): Promise<void> {
    const { openBalance, opened, wrong } = this.fields;
    const { books } = world;
    const name = `Account ${this.fields.name}`;
    const openedOn = opened === null ? books.today : later(books.today, opened);
    const shape = {
      name,
      openBalance: openBalance === null ? undefined : money(openBalance),
      dateOfOpenBalance: opened === null ? undefined : day(openedOn),
      ...(wrong === 'bank' && { bankId: newId() }),
    };
    const refusals = wrong === 'bank' ? [refusal('validation-failed')] : [];
    const made = await world.expect(refusals, () => world.accounts.create(world.organization, shape));
    if (made) books.openAccount({ id: made.value, name, openBalance: openBalance ?? 0, openedOn });
  }
}

/** Operation 9. */
class ChangeAccount implements Command {
  constructor(
    readonly fields: {
      account: number;
      name: string | null;
      openBalance: 'kept' | 'cleared' | number;
      opened: number | null;
      wrong: 'right' | 'unknown' | 'another in the body' | 'bank';
    },
  ) {}

  async perform(world: World): Promise<void> {
    const { name, openBalance, opened, wrong } = this.fields;
    const { books } = world;
    const account = pick(books.accounts, this.fields.account);
    if (!account) return;
    const openedOn = opened === null ? account.openedOn : later(books.today, opened);
    const balance =
      openBalance === 'kept' ? account.openBalance : openBalance === 'cleared' ? 0 : openBalance;
    const body = {
      ...(name !== null && { name }),
      ...(openBalance !== 'kept' && { openBalance: openBalance === 'cleared' ? null : money(balance) }),
      ...(opened !== null && { dateOfOpenBalance: day(openedOn) }),
      ...(wrong === 'another in the body' && { accountId: newId() }),
      ...(wrong === 'bank' && { bankId: newId() }),
    };
    const isLate = openedOn > account.openedOn && account.moved.some((date) => date < openedOn);
    const refusals = [
      ...(wrong === 'unknown' ? [refusal('not-found')] : []),
      ...((wrong === 'right' && isLate) || (wrong !== 'right' && wrong !== 'unknown')
        ? [refusal('validation-failed')]
        : []),
    ];
    const id = wrong === 'unknown' ? newId() : account.id;
    const done = await world.expect(refusals, () => world.accounts.update(world.organization, id, body));
    if (!done) return;
    account.name = name ?? account.name;
    account.openedOn = openedOn;
    books.reopenAccount(account, balance);
  }
}

/** Operation 7. */
class Transfer implements Command {
  constructor(
    readonly fields: {
      origin: number;
      destiny: number;
      date: number;
      value: number;
      wrong: 'right' | 'unknown origin' | 'unknown destiny';
    },
  ) {}

  async perform(world: World): Promise<void> {
    const { date, value, wrong } = this.fields;
    const { books } = world;
    const origin = pick(books.accounts, this.fields.origin);
    const destiny = pick(books.accounts, this.fields.destiny);
    if (!origin || !destiny) return;
    const isRefused = wrong !== 'right' || origin === destiny;
    const shape = {
      originAccountId: wrong === 'unknown origin' ? newId() : origin.id,
      destinyAccountId: wrong === 'unknown destiny' ? newId() : destiny.id,
      date: day(later(books.today, date)),
      value: money(value),
    };
    const done = await world.expect(isRefused ? [refusal('validation-failed')] : [], () =>
      world.accounts.transfer(world.organization, shape),
    );
    if (done) books.transfer(origin, destiny, value);
  }
}

export const changeAccount = commandOf(ChangeAccount, {
  account: which,
  name: fc.option(fc.constantFrom('Till', 'Safe')),
  openBalance: fc.oneof(
    fc.constantFrom('kept' as const, 'cleared' as const),
    fc.integer({ min: -900, max: 900 }),
  ),
  opened: fc.option(fc.integer({ min: -400, max: 40 })),
  wrong: rarely(5, 'unknown', 'another in the body', 'bank'),
});

export const transfer = commandOf(Transfer, {
  origin: which,
  destiny: which,
  date: near,
  value: cents,
  wrong: rarely(8, 'unknown origin', 'unknown destiny'),
});

export const openAccount = commandOf(OpenAccount, {
  name: which,
  openBalance: fc.option(fc.oneof(fc.constant(0), fc.integer({ min: -900_000, max: 900_000 }))),
  opened: fc.option(near),
  wrong: rarely(6, 'bank'),
});
