import { DatabaseAddressError, readDatabaseAddress } from './database-address';

describe('DATABASE_URL', () => {
  it.each([
    'postgresql://ponte:s3cret@db.example.com:5433/ponte?sslmode=verify-full',
    'postgres://127.0.0.1/ponte',
    'postgresql://ponte@[::1]:5432/ponte',
    'postgresql:///ponte?host=/var/run/postgresql',
  ])('of one server is given to the driver as it is: %s', (url) => {
    expect(readDatabaseAddress(url)).toEqual({ connectionString: url, servers: [] });
  });

  it('may name several servers, each with a port of its own', () => {
    const url = 'postgresql://ponte:s%40cret@h1:5433,h2,[fd00::2]:5434/ponte?sslmode=verify-full';
    expect(readDatabaseAddress(url)).toEqual({
      connectionString: 'postgresql://ponte:s%40cret@server/ponte?sslmode=verify-full',
      servers: [{ host: 'h1', port: 5433 }, { host: 'h2' }, { host: 'fd00::2', port: 5434 }],
    });
  });

  it.each([
    ['5432', [5432, 5432]],
    ['5432,5433', [5432, 5433]],
  ])('may name them as parameters, with ports %s', (ports, expected) => {
    const url = `postgresql://ponte@/ponte?host=/run/one,h2&port=${ports}`;
    expect(readDatabaseAddress(url)).toEqual({
      connectionString: 'postgresql://ponte@server/ponte',
      servers: [
        { host: '/run/one', port: expected[0] },
        { host: 'h2', port: expected[1] },
      ],
    });
  });

  it.each(['read-write', 'primary'])('may ask for the server that takes writes: %s', (wanted) => {
    const { servers } = readDatabaseAddress(`postgresql://h1,h2/ponte?target_session_attrs=${wanted}`);
    expect(servers).toEqual([{ host: 'h1' }, { host: 'h2' }]);
  });

  it.each([
    ['http://h1/ponte', 'must start with'],
    ['postgresql://', 'must start with'],
    ['postgresql://h1/ponte and more', 'must start with'],
    ['postgresql://u:s3cret@h1,h2/ponte?target_session_attrs=standby', 'target_session_attrs'],
    ['postgresql://u:s3cret@h1/ponte?target_session_attrs=any', 'target_session_attrs'],
    ['postgresql://u:s3cret@h1,/ponte', '"" is no host'],
    ['postgresql://u:s3cret@h1:99999,h2/ponte', '"h1:99999" is no host'],
    ['postgresql://u:s3cret@h1:a,h2/ponte', '"h1:a" is no host'],
    ['postgresql://u:s3cret@/ponte?host=h1,h2&port=1,2,3', 'as many as hosts'],
  ])('is refused without its password: %s', (url, reason) => {
    const refusal = (): unknown => readDatabaseAddress(url);
    expect(refusal).toThrow(DatabaseAddressError);
    expect(refusal).toThrow(reason);
    expect(refusal).not.toThrow('s3cret');
  });
});
