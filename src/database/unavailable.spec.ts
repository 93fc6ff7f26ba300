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
    ['a full disk', coded('53100')],
    ['a server without memory', coded('53200')],
    ['a server at a limit of its configuration', coded('53400')],
    ['a file that cannot be read or written', coded('58030')],
    ['a standby, after a failover', coded('25006')],
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
    ['a lock that another keeps', coded('55P03')],
    ['a deadlock', coded('40P01')],
    ['a statement that the server ended', coded('57014')],
    ['a session that the server ended in mid-transaction', coded('25P03')],
    ['a session that the server ended for idleness', coded('57P05')],
    ['a transaction that took too long', coded('P2028')],
    ['a socket that is destroyed', coded('ERR_STREAM_DESTROYED')],
    [
      'a connection that the driver broke',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
    ['a connection that the driver closed', new Error('Client was closed and is not queryable')],
    [
      'an answer that belongs to no statement',
      new Error('Received unexpected commandComplete message from backend.'),
    ],
    ['a server that was not connected to in time', new Error('timeout expired')],
    ['a connection that was not made in time', new Error('Connection terminated due to connection timeout')],
    ['a pool that is being closed', new Error('Cannot use a pool after calling end on the pool')],
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
    ['a value that does not fit', coded('22003')],
    ['a password that is wrong', coded('28P01')],
    ['a database that is not there', coded('3D000')],
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
