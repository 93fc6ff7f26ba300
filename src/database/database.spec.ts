import { setImmediate as nextTick } from 'node:timers/promises';
import { inspect } from 'node:util';
import { openTestDatabase } from '../../test/support/database';
import { newId } from '../kernel/identifier';
import { Prisma } from './client/client';
import type { Database } from './database';
import { queryInTransaction } from './transaction-statements';

describe('Database', () => {
  let database: Database;
  let statements = 0;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  async function hot(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    return database.query({ name: `spec-${statements++}`, text }, values);
  }

  /** The only column of the only row. */
  async function value(text: string, ...values: unknown[]): Promise<unknown> {
    const [row] = await hot(`SELECT ${text} AS value`, ...values);
    return row?.value;
  }

  const organization = (slug: string): Prisma.OrganizationCreateInput => ({
    id: newId(),
    slug,
    name: 'Shop',
    timeZone: 'America/Sao_Paulo',
    currency: 'BRL',
  });

  const slugs = async (): Promise<string[]> =>
    (await database.prisma.organization.findMany({ orderBy: { slug: 'asc' } })).map(({ slug }) => slug);

  describe('query', () => {
    it.each<[what: string, sql: string, expected: unknown]>([
      ['int8 as bigint', `9007199254740993::int8`, 9_007_199_254_740_993n],
      ['int4 as number', `42`, 42],
      ['bytea as Buffer', `'\\x00ff10'::bytea`, Buffer.from([0, 255, 16])],
      [
        'timestamptz as Date',
        `'2026-03-01 10:00:00.123-03'::timestamptz`,
        new Date('2026-03-01T13:00:00.123Z'),
      ],
      ['date as text', `'2026-02-28'::date`, '2026-02-28'],
      ['numeric as text', `12.340::numeric`, '12.340'],
      [
        'uuid as text',
        `'01890000-0000-7000-8000-000000000001'::uuid`,
        '01890000-0000-7000-8000-000000000001',
      ],
      ['enum as text', `'dead'::delivery_state`, 'dead'],
      ['enum array as text', `'{dead,done}'::delivery_state[]`, '{dead,done}'],
      ['bool', `true`, true],
      ['float8', `1.5::float8`, 1.5],
      ['jsonb parsed', `'{"a":[1,null]}'::jsonb`, { a: [1, null] }],
      ['text array', `ARRAY['a', NULL, 'b,"c"', '']`, ['a', null, 'b,"c"', '']],
      ['int8 array', `'{1,NULL}'::int8[]`, [1n, null]],
      ['int4 array', `'{1,2}'::int4[]`, [1, 2]],
      ['null', `NULL::int8`, null],
    ])('reads %s', async (_, sql, expected) => {
      expect(await value(sql)).toEqual(expected);
    });

    it('reads bytes as a Buffer of its own class', async () => {
      expect(Buffer.isBuffer(await value(`'\\x00'::bytea`))).toBe(true);
    });

    it.each<[what: string, sql: string, sent: unknown, expected: unknown]>([
      ['bigint as int8', '$1::int8', 9_007_199_254_740_993n, 9_007_199_254_740_993n],
      ['bigint as text', '$1::text', 5n, '5'],
      ['Buffer as bytea', '$1::bytea', Buffer.from([1, 0, 255]), Buffer.from([1, 0, 255])],
      ['Date as timestamptz', '$1::timestamptz', new Date(1_700_000_000_123), new Date(1_700_000_000_123)],
      ['text as date', '$1::date', '2026-02-28', '2026-02-28'],
      [
        'text array',
        '$1::text[]',
        ['a', 'b,"c"\\', '', '{}', 'NULL', null],
        ['a', 'b,"c"\\', '', '{}', 'NULL', null],
      ],
      ['bigint array', '$1::int8[]', [1n, -2n], [1n, -2n]],
      ['number array', '$1::int4[]', [1, 2], [1, 2]],
      [
        'uuid array',
        '$1::uuid[]',
        ['01890000-0000-7000-8000-000000000001'],
        ['01890000-0000-7000-8000-000000000001'],
      ],
      ['enum array', '$1::delivery_state[]', ['dead', 'done'], '{dead,done}'],
      ['Date array', '($1::timestamptz[])[2]', [new Date(0), new Date(5)], new Date(5)],
      ['JSON text as jsonb', '$1::jsonb', '{"a":"ção"}', { a: 'ção' }],
      ['undefined as null', '$1::text', undefined, null],
    ])('writes %s', async (_, sql, sent, expected) => {
      expect(await value(sql, sent)).toEqual(expected);
    });

    it('cuts one binary parameter by offsets', async () => {
      const rows = await hot(
        `SELECT substring($1::bytea FROM o.f FOR o.l) AS part FROM unnest($2::int4[], $3::int4[]) AS o (f, l)`,
        Buffer.from([1, 2, 3, 4, 5]),
        [1, 3],
        [2, 3],
      );
      expect(rows).toEqual([{ part: Buffer.from([1, 2]) }, { part: Buffer.from([3, 4, 5]) }]);
    });

    it('runs a statement again under its name with other values', async () => {
      const statement = { name: 'again', text: 'SELECT $1::int8 AS value' };
      expect(await database.query(statement, [1n])).toEqual([{ value: 1n }]);
      expect(await database.query(statement, [2n])).toEqual([{ value: 2n }]);
    });

    it('is committed when it returns, and changes nothing when it fails', async () => {
      const insert = `INSERT INTO bank (id, organization_id, code, name) VALUES ($1, $1, $2, 'B'), ($3, $1, $4, 'B')`;
      await hot(insert, newId(), '001', newId(), '002');
      await expect(hot(insert, newId(), '003', newId(), 'wrong')).rejects.toThrow('bank_code_shape');
      expect(await database.prisma.bank.count()).toBe(2);
    });
  });

  describe('queryInTransaction', () => {
    const insert = `INSERT INTO bank (id, organization_id, code, name) VALUES ($1, $1, $2, 'B') RETURNING code`;
    const stored = (code: string): Promise<number> => database.prisma.bank.count({ where: { code } });

    it('belongs to the transaction, with what Prisma does in it', async () => {
      const attempt = database.transaction(async (tx) => {
        expect(await queryInTransaction(tx, insert, [newId(), '101'])).toEqual([{ code: '101' }]);
        expect(await tx.bank.count({ where: { code: '101' } })).toBe(1);
        throw new Error('changed my mind');
      });
      await expect(attempt).rejects.toThrow('changed my mind');
      expect(await stored('101')).toBe(0);
    });

    it('is committed with it', async () => {
      await database.transaction((tx) => queryInTransaction(tx, insert, [newId(), '102']));
      expect(await stored('102')).toBe(1);
    });

    it('is carried out in the order of asking, each seeing what came before, without being waited for', async () => {
      const count = 'SELECT count(*)::int AS banks FROM bank WHERE code = $1';
      const answers = await database.transaction((tx) =>
        Promise.all(
          [count, insert, count].map((text) =>
            queryInTransaction(tx, text, text === insert ? [newId(), '910'] : ['910']),
          ),
        ),
      );
      expect(answers).toEqual([[{ banks: 0 }], [{ code: '910' }], [{ banks: 1 }]]);
    });

    it('fails with those that were asked after it, the transaction with them, and the next is none the worse', async () => {
      const outcomes: string[] = [];
      const attempt = database.transaction(async (tx) => {
        const asked = ['911', 'wrong', '912'].map((code) => queryInTransaction(tx, insert, [newId(), code]));
        for (const { status } of await Promise.allSettled(asked)) outcomes.push(status);
        await Promise.all(asked);
      });
      await expect(attempt).rejects.toThrow('bank_code_shape');
      expect(outcomes).toEqual(['fulfilled', 'rejected', 'rejected']);
      await database.transaction((tx) => queryInTransaction(tx, insert, [newId(), '913']));
      expect(await Promise.all(['911', '912', '913'].map(stored))).toEqual([0, 0, 1]);
    });

    it('carries nothing out that is asked once the work has failed, the roll-back being under way', async () => {
      let straggler: Promise<unknown> | undefined;
      const attempt = database.transaction(async (tx) => {
        const first = queryInTransaction(tx, 'SELECT 1', []);
        straggler = first.then(() => queryInTransaction(tx, insert, [newId(), '914']));
        straggler.catch(() => undefined);
        await Promise.all([straggler, Promise.reject(new Error('changed my mind'))]);
      });
      await expect(attempt).rejects.toThrow('changed my mind');
      await expect(straggler).rejects.toThrow('the transaction has ended');
      expect(await stored('914')).toBe(0);
    });

    it('carries nothing out that is asked when the time of the transaction is over', async () => {
      jest.useFakeTimers({
        doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'],
      });
      try {
        const attempt = database.transaction(async (tx) => {
          await queryInTransaction(tx, insert, [newId(), '915']);
          jest.advanceTimersByTime(31_000);
          // Until the transaction has been rolled back.
          for (let turn = 0; turn < 100; turn += 1) await nextTick();
          await queryInTransaction(tx, insert, [newId(), '916']);
        });
        await expect(attempt).rejects.toMatchObject({ cause: { message: 'the transaction has ended' } });
      } finally {
        jest.useRealTimers();
      }
      expect(await Promise.all(['915', '916'].map(stored))).toEqual([0, 0]);
    });

    it('fails the transaction with it, even if its failure was caught', async () => {
      const attempt = database.transaction(async (tx) => {
        await queryInTransaction(tx, insert, [newId(), '103']);
        await queryInTransaction(tx, insert, [newId(), 'wrong']).catch(() => undefined);
      });
      await expect(attempt).rejects.toThrow();
      expect(await stored('103')).toBe(0);
    });

    it('says why it failed, also to who meets a later failure first', async () => {
      const attempt = database.transaction(async (tx) => {
        void queryInTransaction(tx, insert, [newId(), 'wrong']).catch(() => undefined);
        await queryInTransaction(tx, insert, [newId(), '104']);
      });
      await expect(attempt).rejects.toThrow('bank_code_shape');
    });

    it('says no values when it fails', async () => {
      const error: unknown = await database
        .transaction((tx) => queryInTransaction(tx, insert, [newId(), 'secret']))
        .catch((failure: unknown) => failure);
      expect(inspect(error, { depth: 9, showHidden: true })).toContain('bank_code_shape');
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('secret');
    });

    it('keeps transactions apart that run at once', async () => {
      const codes = ['111', '112', '113', '114'];
      const attempts = codes.map((code, index) =>
        database.transaction(async (tx) => {
          await queryInTransaction(tx, insert, [newId(), code]);
          if (index % 2 === 1) throw new Error('not this one');
        }),
      );
      await Promise.allSettled(attempts);
      expect(await Promise.all(codes.map(stored))).toEqual([1, 0, 1, 0]);
    });

    it('is refused outside of a transaction and after its end', async () => {
      expect(() => queryInTransaction(database.prisma, insert, [newId(), '104'])).toThrow('open transaction');
      const ended = await database.transaction((tx) => Promise.resolve(tx));
      await expect(queryInTransaction(ended, insert, [newId(), '105'])).rejects.toThrow('ended');
    });
  });

  describe('Prisma', () => {
    it('keeps every kind of column', async () => {
      const id = newId();
      const row = {
        id,
        organizationId: id,
        code: null,
        name: "d'Água — 支店",
        bankId: null,
        openBalanceMinor: -9_007_199_254_740_993n,
        openedOn: new Date('2026-02-28T00:00:00Z'),
        agency: '0001',
        number: null,
        verificationNumber: 7,
        updatedAt: null,
        type: null,
        virtualDetails: { nested: [1, 'two', null, { three: 3 }] },
        createdAt: new Date('2026-02-28T23:59:59.999Z'),
      };
      await database.prisma.account.create({ data: row });
      expect(await database.prisma.account.findUnique({ where: { id } })).toEqual(row);
    });

    it('keeps bytes and lists of text', async () => {
      const hash = new Uint8Array(32).map((_, index) => index * 8);
      const scopes = ['finance:read', 'a,"b"\\{}', ''];
      await database.prisma.apiKey.create({ data: { id: newId(), name: 'key', hash, scopes } });
      const stored = await database.prisma.apiKey.findUnique({ where: { hash } });
      expect(stored?.scopes).toEqual(scopes);
      expect(Buffer.from(stored?.hash ?? []).equals(Buffer.from(hash))).toBe(true);
    });

    it('distinguishes a JSON null from no value', async () => {
      const [json, none] = [newId(), newId()];
      const rest = { actor: 'a', action: 'b', subject: 'c' };
      await database.prisma.auditEntry.create({ data: { id: json, ...rest, before: Prisma.JsonNull } });
      await database.prisma.auditEntry.create({ data: { id: none, ...rest, before: Prisma.DbNull } });
      const kinds = await hot('SELECT id, jsonb_typeof(before) AS kind FROM audit_entry ORDER BY id');
      expect(kinds).toEqual([
        { id: json, kind: 'null' },
        { id: none, kind: null },
      ]);
    });

    it('means the same instant as the database itself', async () => {
      const id = newId();
      const createdAt = new Date('2026-07-01T12:00:00.500Z');
      await database.prisma.organization.create({ data: { ...organization('instants'), id, createdAt } });
      const [row] = await hot(
        `SELECT extract(epoch FROM created_at)::float8 AS epoch FROM organization WHERE id = $1`,
        id,
      );
      expect(row).toEqual({ epoch: createdAt.getTime() / 1000 });
      const [read] = await database.prisma.$queryRaw<
        { now: Date }[]
      >`SELECT ${createdAt}::timestamptz AS now`;
      expect(read?.now).toEqual(createdAt);
    });

    it('reads raw rows with the types of its models', async () => {
      const [row] = await database.prisma.$queryRaw<Record<string, unknown>[]>`
        SELECT 5::int8 AS big, '2026-02-28'::date AS day, '\\x01ff'::bytea AS bytes, '{a,b}'::text[] AS list,
          '{"a":1}'::jsonb AS json, 'dead'::delivery_state AS state, 1.50::numeric AS decimal`;
      expect(row).toMatchObject({ big: 5n, list: ['a', 'b'], json: { a: 1 }, state: 'dead' });
      expect(row?.day).toEqual(new Date('2026-02-28T00:00:00Z'));
      expect(Buffer.from(row?.bytes as Uint8Array)).toEqual(Buffer.from([1, 255]));
      expect(String(row?.decimal)).toBe('1.5');
    });

    it('takes rows as one JSON parameter and counts what it wrote', async () => {
      const organizationId = newId();
      const rows = [101, 102, 103].map((code) => ({
        id: newId(),
        code: String(code),
        name: "O'Bank",
        minor: '9007199254740993',
      }));
      const written = await database.prisma.$executeRaw`
        INSERT INTO bank (id, organization_id, code, name)
        SELECT r.id, ${organizationId}::uuid, r.code, r.name
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (id uuid, code text, name text)`;
      expect(written).toBe(3);
      const [sum] = await database.prisma.$queryRaw<{ sum: bigint }[]>`
        SELECT sum(r.minor::int8)::int8 AS sum
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (minor text)`;
      expect(sum?.sum).toBe(3n * 9_007_199_254_740_993n);
    });

    it('names a second row with the same key P2002, and a missing one P2025', async () => {
      await database.prisma.organization.create({ data: organization('twice') });
      await expect(
        database.prisma.organization.create({ data: organization('twice') }),
      ).rejects.toMatchObject({
        code: 'P2002',
      });
      const nobody = database.prisma.organization.update({ where: { slug: 'nobody' }, data: { name: 'x' } });
      await expect(nobody).rejects.toMatchObject({ code: 'P2025' });
    });
  });

  describe('an error', () => {
    const secret = 'ana@example.com';

    const person = (): Prisma.StakeholderUncheckedCreateInput => ({
      id: newId(),
      organizationId: newId(),
      kind: 'customer',
      name: secret,
      document: secret,
    });
    const refused = (): Prisma.StakeholderUncheckedCreateInput => ({ ...person(), documentType: 'none' });
    const insertRefused = (): Prisma.Sql => Prisma.sql`
      INSERT INTO stakeholder (id, organization_id, kind, name, document_type)
      VALUES (${newId()}::uuid, ${newId()}::uuid, 'customer', ${secret}, 'none')`;
    const again = async (): Promise<unknown> => {
      const row = person();
      await database.prisma.stakeholder.create({ data: row });
      return database.prisma.stakeholder.create({ data: { ...row, id: newId() } });
    };

    it.each<[of: string, call: () => Promise<unknown>]>([
      ['a second row with the same key', again],
      ['a row against a constraint', () => database.prisma.stakeholder.create({ data: refused() })],
      ['a raw statement', () => database.prisma.$executeRaw(insertRefused())],
      ['a statement in a transaction', () => database.transaction((tx) => tx.$executeRaw(insertRefused()))],
      [
        'a hot statement',
        () =>
          hot(`INSERT INTO bank (id, organization_id, code, name) VALUES ($1, $1, 'x', $2)`, newId(), secret),
      ],
    ])('of %s says what happened and holds none of its values', async (_, call) => {
      const error: unknown = await call().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      const everything = inspect(error, { depth: 20, showHidden: true });
      expect(everything).toMatch(/[Cc]onstraint/);
      expect(everything).not.toContain(secret);
    });

    it('of a call that Prisma refuses names the argument and prints none', async () => {
      const data = { ...organization('typo'), name: `${secret}\n}\n${secret}`, nmae: secret };
      for (const create of [
        () => database.prisma.organization.create({ data }),
        () => database.transaction((tx) => tx.organization.create({ data })),
      ]) {
        const error: unknown = await create().catch((reason: unknown) => reason);
        expect(inspect(error)).toContain('Unknown argument `nmae`');
        expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret);
      }
    });

    it('of a failed commit has no values either', async () => {
      await hot('CREATE TABLE later (name text UNIQUE DEFERRABLE INITIALLY DEFERRED)');
      const work = database.transaction(
        (tx) => tx.$executeRaw`INSERT INTO later VALUES (${secret}), (${secret})`,
      );
      const error: unknown = await work.catch((reason: unknown) => reason);
      expect(inspect(error)).toContain('later_name_key');
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret);
      await hot('DROP TABLE later');
    });
  });

  describe('transaction', () => {
    beforeEach(() => database.prisma.organization.deleteMany());

    it('commits what its work did and returns what it returned', async () => {
      const result = await database.transaction(async (tx) => {
        await tx.organization.create({ data: organization('a') });
        await tx.organization.create({ data: organization('b') });
        return 7;
      });
      expect(result).toBe(7);
      expect(await slugs()).toEqual(['a', 'b']);
    });

    it('takes everything back when its work throws', async () => {
      const work = database.transaction(async (tx) => {
        await tx.organization.create({ data: organization('a') });
        throw new Error('no');
      });
      await expect(work).rejects.toThrow('no');
      expect(await slugs()).toEqual([]);
    });

    it('fails as a whole when a statement in it failed, even if the work went on', async () => {
      const work = database.transaction(async (tx) => {
        await tx.organization.create({ data: organization('a') });
        await tx.organization.create({ data: organization('a') }).catch(() => undefined);
      });
      await expect(work).rejects.toThrow('UniqueConstraintViolation');
      expect(await slugs()).toEqual([]);
    });

    it('fails when the commit does', async () => {
      await hot('CREATE TABLE late (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)');
      const work = database.transaction(async (tx) => {
        await tx.organization.create({ data: organization('a') });
        await tx.$executeRaw`INSERT INTO late VALUES (1), (1)`;
      });
      await expect(work).rejects.toThrow();
      expect(await slugs()).toEqual([]);
      expect(await hot('SELECT * FROM late')).toEqual([]);
      await hot('DROP TABLE late');
    });

    it('is usable again after failures', async () => {
      await database.transaction(() => Promise.reject(new Error('no'))).catch(() => undefined);
      await database.transaction((tx) => tx.$executeRaw`SELECT 1 / 0`).catch(() => undefined);
      await database.transaction((tx) => tx.organization.create({ data: organization('a') }));
      expect(await slugs()).toEqual(['a']);
    });

    it('runs many one after another', async () => {
      await database.transaction((tx) =>
        tx.organization.create({ data: { ...organization('counter'), name: '0' } }),
      );
      const add = (): Promise<number> =>
        database.transaction(
          (tx) => tx.$executeRaw`UPDATE organization SET name = (name::int + 1)::text WHERE slug = 'counter'`,
        );
      await Promise.all(Array.from({ length: 40 }, add));
      const counter = await database.prisma.organization.findUnique({ where: { slug: 'counter' } });
      expect(counter?.name).toBe('40');
    });

    it('reads committed: no serialisation failures to retry', async () => {
      const rows = await database.transaction((tx) => tx.$queryRaw`SHOW transaction_isolation`);
      expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
    });

    it('refuses the outer methods inside, where the embedded database would wait for itself', async () => {
      const refusal = 'inside a transaction only the transaction itself may be used';
      await database.transaction(async () => {
        expect(() => database.prisma).toThrow(refusal);
        await expect(hot('SELECT 1')).rejects.toThrow(refusal);
        await expect(database.transaction(() => Promise.resolve())).rejects.toThrow(refusal);
      });
      expect(await slugs()).toEqual([]);
    });

    it('allows the outer methods again for what its work started and did not wait for', async () => {
      let release = (): void => undefined;
      const committed = new Promise<void>((resolve) => (release = resolve));
      let after: Promise<string[]> = Promise.resolve([]);
      await database.transaction(async (tx) => {
        await tx.organization.create({ data: organization('a') });
        after = committed.then(slugs);
      });
      release();
      expect(await after).toEqual(['a']);
    });
  });

  it('closes twice as it closes once', async () => {
    const other = await openTestDatabase();
    await other.close();
    await other.close();
    await expect(other.query({ name: 'x', text: 'SELECT 1' }, [])).rejects.toThrow();
  });
});
