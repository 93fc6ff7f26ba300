import type { SessionView } from '../../../src/admin/session/session.dto';
import { newId } from '../../../src/kernel/identifier';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { OPERATORS_KEY, TestService } from '../../support/service';

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

interface SignedIn {
  readonly cookie: string;
  readonly attributes: string;
  readonly view: SessionView;
}

async function signIn(key = OPERATORS_KEY, headers: Record<string, string> = {}): Promise<SignedIn> {
  const reply = await service.http
    .post('/admin/session')
    .set({ authorization: `Bearer ${key}`, ...headers })
    .expect(201);
  const [cookie = '', ...attributes] = String(reply.headers['set-cookie']).split('; ');
  return { cookie, attributes: attributes.join('; '), view: reply.body as SessionView };
}

type Method = 'get' | 'post' | 'patch' | 'delete';

const send = (method: Method, path: string, headers: Record<string, string>) =>
  service.http[method](path).set(headers);

describe('signing in', () => {
  it('gives a browser a cookie that no script reads and no other site sends, and tells for whom it is', async () => {
    const { cookie, attributes, view } = await signIn();
    expect(cookie).toMatch(/^ponte_session=[\w-]{43}$/);
    expect(attributes).toMatch(/^Expires=[^;]+ GMT; Path=\/admin; HttpOnly; SameSite=Strict$/);
    expect(view).toMatchObject({
      isOperator: true,
      csrfToken: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(view.organizations.map(({ slug }) => slug)).toContain('main');
    const lastsHours = (new Date(view.expiresAt).getTime() - Date.now()) / 3_600_000;
    expect(Math.round(lastsHours)).toBe(12);
    const shown = await send('get', '/admin/session', { cookie }).expect(200);
    expect(shown.body).toEqual(view);
    await send('get', '/admin/organizations', { cookie: `other=1; ${cookie}; more=2` }).expect(200);
  });

  it('is stored so that nobody who reads the database can use it', async () => {
    const { cookie, view } = await signIn();
    const rows = await service.database.prisma.operatorSession.findMany();
    const stored = JSON.stringify(
      rows.map((row) => ({ ...row, tokenHash: Buffer.from(row.tokenHash).toString('base64url') })),
    );
    expect(stored).not.toContain(cookie.split('=')[1]);
    expect(stored).not.toContain(view.csrfToken);
  });

  it('needs a key with the scope admin: a wrong one, another scope or a session alone are refused', async () => {
    const client = await OperatorsClient.of(service);
    const made = await client.send('post', '/keys', { name: 'till', scopes: ['finance:read'] });
    const post = (headers: Record<string, string>) => send('post', '/admin/session', headers);
    const { cookie, view } = await signIn();
    const replies = [
      await post({}),
      await post({ authorization: 'Bearer nobody' }),
      await post({ authorization: `Bearer ${(made.body as { key: string }).key}` }),
      await post({ cookie, 'x-csrf-token': view.csrfToken }),
    ];
    expect(replies.map(refusalOf)).toEqual([
      '401 key-missing',
      '401 key-invalid',
      '403 scope-missing',
      '401 key-missing',
    ]);
    expect(replies.map(({ headers }) => headers['set-cookie'] as unknown)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('takes no key in the address: a form of another site could sign somebody in with its own', async () => {
    const path = `/admin/session?apitoken=${OPERATORS_KEY}`;
    const reply = await send('post', path, {
      'sec-fetch-site': 'cross-site',
      origin: 'https://other.example',
    });
    expect(refusalOf(reply)).toBe('401 key-missing');
    expect(reply.headers['set-cookie']).toBeUndefined();
    await send('post', path, { authorization: `Bearer ${OPERATORS_KEY}` }).expect(201);
    await send('post', '/admin/session', { apitoken: OPERATORS_KEY }).expect(201);
  });

  it('with the key of an organization shows that organization alone', async () => {
    const client = await OperatorsClient.of(service);
    const other = await OperatorsClient.of(service);
    const made = await client.send('post', '/keys', { name: 'office', scopes: ['admin'] });
    const { cookie, view } = await signIn((made.body as { key: string }).key);
    expect(view).toMatchObject({ isOperator: false, organizations: [{ slug: client.slug }] });
    expect((await send('get', `/admin/organizations/${client.slug}`, { cookie })).status).toBe(200);
    expect((await send('get', `/admin/organizations/${other.slug}`, { cookie })).status).toBe(404);
  });
});

describe('a session', () => {
  it('changes something only with the token of its page, and not from another site', async () => {
    const client = await OperatorsClient.of(service);
    const { cookie, view } = await signIn();
    const { view: another } = await signIn();
    const path = `/admin/organizations/${client.slug}`;
    const rename = (headers: Record<string, string>) =>
      send('patch', path, { cookie, ...headers }).send({ name: 'Renamed' });
    const own = { 'x-csrf-token': view.csrfToken };
    const refused = [
      await rename({}),
      await rename({ 'x-csrf-token': another.csrfToken }),
      await rename({ 'x-csrf-token': '' }),
      await rename({ ...own, 'sec-fetch-site': 'cross-site' }),
      await rename({ ...own, 'sec-fetch-site': 'same-site' }),
      await send('get', path, { cookie, 'sec-fetch-site': 'cross-site' }),
    ];
    expect(refused.map(refusalOf)).toEqual(refused.map(() => '403 cross-site'));
    expect((await rename({ ...own, 'sec-fetch-site': 'same-origin' })).body).toMatchObject({
      name: 'Renamed',
    });
  });

  it('is audited as its key is', async () => {
    const client = await OperatorsClient.of(service);
    const { cookie, view } = await signIn();
    await send('patch', `/admin/organizations/${client.slug}`, { cookie, 'x-csrf-token': view.csrfToken })
      .send({ name: 'Renamed' })
      .expect(200);
    const audit = await client.send('get', '/audit');
    expect((audit.body as { items: { actor: string }[] }).items[0]).toMatchObject({ actor: view.keyId });
  });

  it('opens the operators’ API alone: neither the books, nor the feed, nor metrics', async () => {
    const { cookie } = await signIn();
    for (const path of ['/v1/accounts', '/feed'])
      expect([path, refusalOf(await send('get', path, { cookie }))]).toEqual([path, '401 key-missing']);
  });

  it('ends when it is signed out of, when it expires, and when its key is revoked', async () => {
    const client = await OperatorsClient.of(service);
    const made = (await client.send('post', '/keys', { name: 'office', scopes: ['admin'] })).body as {
      id: string;
      key: string;
    };
    const { prisma } = service.database;
    const isOver = async ({ cookie }: SignedIn) =>
      refusalOf(await send('get', `/admin/organizations/${client.slug}`, { cookie }));
    const [signedOut, expired, revoked, goesOn] = [
      await signIn(made.key),
      await signIn(made.key),
      await signIn(made.key),
      await signIn(),
    ];
    const headers = { cookie: signedOut.cookie, 'x-csrf-token': signedOut.view.csrfToken };
    const end = await send('delete', '/admin/session', headers);
    expect([end.status, String(end.headers['set-cookie'])]).toEqual([
      204,
      expect.stringMatching(/^ponte_session=; Max-Age=0; Path=\/admin; /),
    ]);
    expect(await isOver(signedOut)).toEqual('401 key-invalid');
    expect((await send('get', '/admin/session', { cookie: expired.cookie })).status).toBe(200);
    await prisma.$executeRaw`update operator_session set expires_at = now() - interval '1 second'
      where key_id = ${made.id}::uuid and expires_at = ${new Date(expired.view.expiresAt)}::timestamptz`;
    expect(await isOver(expired)).toEqual('401 key-invalid');
    await client.send('delete', `/keys/${made.id}`);
    expect(await isOver(revoked)).toEqual('401 key-invalid');
    expect((await send('get', '/admin/session', { cookie: goesOn.cookie })).status).toBe(200);
    // What has expired is removed when somebody signs in.
    await signIn();
    expect(await prisma.operatorSession.count({ where: { expiresAt: { lte: new Date() } } })).toBe(0);
  });

  it('of a key that comes with the request does not count', async () => {
    const { cookie } = await signIn();
    const reply = await send('get', '/admin/organizations', { cookie, authorization: 'Bearer nobody' });
    expect(refusalOf(reply)).toEqual('401 key-invalid');
    const withKey = { cookie, authorization: `Bearer ${OPERATORS_KEY}` };
    expect(
      (
        await send('post', '/admin/organizations', withKey).send({
          slug: `org-${newId()}`,
          name: 'A',
          timeZone: 'America/Sao_Paulo',
          currency: 'BRL',
        })
      ).status,
    ).toBe(201);
  });

  it.each([
    '',
    'ponte_session=',
    'ponte_session=short',
    `ponte_session=${'x'.repeat(43)}`,
    'ponte_session=%00;;=',
  ])('that is none is refused: %j', async (cookie) => {
    const reply = await send('get', '/admin/session', { cookie });
    expect(refusalOf(reply)).toMatch(/^401 key-(?:missing|invalid)$/);
  });

  it('is shown to nobody who sends a key', async () => {
    const reply = await send('get', '/admin/session', { authorization: `Bearer ${OPERATORS_KEY}` });
    expect(refusalOf(reply)).toEqual('404 not-found');
  });
});

describe('over HTTPS', () => {
  it('the cookie is sent over nothing else', async () => {
    const behindProxy = await TestService.start(undefined, { TRUSTED_PROXIES: '127.0.0.0/8' });
    const reply = await behindProxy.http
      .post('/admin/session')
      .set({ authorization: `Bearer ${OPERATORS_KEY}`, 'x-forwarded-proto': 'https' });
    expect(String(reply.headers['set-cookie'])).toMatch(/; SameSite=Strict; Secure$/);
    await behindProxy.stop();
  });
});
