import { openTestDatabase } from '../../test/support/database';
import { DatabaseUnavailable } from '../kernel/database-unavailable';
import { Problem } from '../kernel/problem';
import { failureOf } from './unavailable';

const coded = (code: string, fields: object = {}) => Object.assign(new Error('failed'), { code, ...fields });

describe('a failure of the database', () => {
  it.each<[string, unknown]>([
    ['a refused connection', coded('ECONNREFUSED')],
    ['every address refused', new AggregateError([coded('ECONNREFUSED'), coded('ETIMEDOUT')])],
    ['a connection that broke', coded('08006')],
    ['a server that is stopped', coded('57P01')],
    ['a server that starts', coded('57P03')],
    ['too many connections', coded('53300')],
    [
      'a reset beneath Prisma',
      coded('P2010', { meta: { driverAdapterError: { cause: coded('ECONNRESET') } } }),
    ],
    [
      'an adapter that reaches nothing',
      coded('P2010', { meta: { driverAdapterError: { cause: { kind: 'DatabaseNotReachable' } } } }),
    ],
    ['no connection of the pool in time', new Error('timeout exceeded when trying to connect')],
    ['a connection lost in mid-air', new Error('Connection terminated unexpectedly')],
    ['Prisma’s P1001', coded('P1001')],
    ['Prisma’s P2024', coded('P2024')],
  ])('is an outage: %s', (_name, error) => {
    const failure = failureOf(error);
    expect(failure).toBeInstanceOf(DatabaseUnavailable);
    expect((failure as DatabaseUnavailable).cause).toBe(error);
    expect(failureOf(failure)).toBe(failure);
  });

  it.each<[string, unknown]>([
    ['a broken constraint', coded('P2002')],
    ['a lock that is held', coded('55P03')],
    ['a deadlock', coded('40P01')],
    ['a statement that took too long', coded('57014')],
    ['something else', new TypeError('x is not a function')],
    ['no error at all', 'text'],
  ])('is no outage: %s', (_name, error) => expect(failureOf(error)).toBe(error));

  it('leaves a refusal as it is, even out of a transaction', async () => {
    const database = await openTestDatabase();
    const refusal = new Problem('conflict', 'because of the test', { members: { openValue: 1 } });
    await expect(database.transaction(() => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(refusal.detail).toBe('because of the test');
    await database.close();
  });
});
