import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import type supertest from 'supertest';
import { referencePage } from '../../../scripts/reference/reference-page';
import { verifyLedger } from '../../../src/finance/embedded/ledger/verify';
import { PROVIDERS } from '../../../src/sources/registry';
import { SourceProviders } from '../../../src/sources/source-providers';
import { conformsToContract } from '../../support/provider-conformance';
import { OPERATORS_KEY, TestService } from '../../support/service';
import { acme } from './acme';

// What it takes to add a provider: this folder, and one line in a list of providers.
const PROVIDERS_WITH_ACME = [...PROVIDERS, acme];
const SECRETS = ['the key of before', 'the key of now'];
const ADDRESS = '/hooks/main/feira';

conformsToContract(acme, join(__dirname, 'fixtures'));

describe('a service that is given one provider more', () => {
  const [sample] = acme.samples;
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start(undefined, {}, false, new SourceProviders(PROVIDERS_WITH_ACME));
    const made = await operate('post', 'sources', { slug: 'feira', provider: 'acme', secrets: SECRETS });
    expect([made.status, made.body]).toMatchObject([201, { slug: 'feira', provider: 'acme' }]);
  });

  afterAll(() => service.stop());

  function operate(method: 'post' | 'put', path: string, body: object): Promise<supertest.Response> {
    return service.operate(method, path, body);
  }

  /** A webhook as the shop sends it now. */
  function webhook(id: string, secret = SECRETS[1]): supertest.Test {
    const { topic = '', body = Buffer.alloc(0) } = sample ?? {};
    const headers = acme.sign({ secret: secret ?? '', body, topic, id, sentAt: new Date() });
    return service.http
      .post(ADDRESS)
      .set(headers)
      .serialize((bytes) => bytes as unknown as string)
      .send(body);
  }

  it('lists it among the providers, and shows what can be set', async () => {
    const { items } = (await service.admin('providers')) as { items: { id: string }[] };
    expect(items.map(({ id }) => id)).toEqual(PROVIDERS_WITH_ACME.map(({ id }) => id));
    expect(await service.admin('providers/acme')).toEqual({
      id: 'acme',
      title: 'Acme Shop',
      settings: {
        bookTestOrders: expect.objectContaining({ type: 'boolean', required: false }) as unknown,
        silentAfterHours: expect.objectContaining({ type: 'number', required: false }) as unknown,
        timeZone: expect.objectContaining({ format: 'time-zone' }) as unknown,
      },
      credentials: {},
      registersWebhooks: false,
      setUp: acme.setUp,
    });
  });

  it('refuses settings that it does not have, and says which provider was meant', async () => {
    const wrong = { slug: 'outra', provider: 'acme', settings: { documentField: 'x' } };
    expect(await operate('post', 'sources', wrong)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/settings/documentField', code: 'unknown' }] },
    });
    expect(await operate('post', 'sources', { slug: 'outra', provider: 'acm' })).toMatchObject({
      status: 422,
      body: { errors: [{ message: 'there is no such provider; did you mean "acme"?' }] },
    });
  });

  it('refuses a webhook without a signature, or with that of another secret', async () => {
    const bare = await service.http.post(ADDRESS).set('content-type', 'application/json').send('{}');
    expect([bare.status, (await webhook('d-0', 'another key')).status]).toEqual([401, 401]);
  });

  it('takes a signed webhook to the books, once', async () => {
    const [first, again, other] = [
      await webhook('d-1'),
      await webhook('d-1'),
      await webhook('d-2', SECRETS[0]),
    ].map(({ status, body }) => [status, (body as { duplicate?: boolean }).duplicate]);
    expect([first, again, other]).toEqual([
      [200, false],
      [200, true],
      [200, false],
    ]);
    await service.settle();
    const { prisma } = service.database;
    const schedules = await prisma.schedule.findMany({
      where: { reference: 'feira/order/1777' },
      orderBy: { instalment: 'asc' },
    });
    expect(schedules.map(({ valueMinor, openMinor }) => [valueMinor, openMinor])).toEqual([
      [3_334n, 0n],
      [3_333n, 0n],
      [3_333n, 0n],
    ]);
    const receipts = { kind: 'receipt', creditId: { in: schedules.map(({ id }) => id) } } as const;
    const { _sum } = await prisma.entry.aggregate({ where: receipts, _sum: { amountMinor: true } });
    expect(_sum.amountMinor).toBe(10_000n);
    expect(await prisma.stakeholder.findMany({ select: { name: true, document: true } })).toEqual([
      { name: 'Marina Duarte', document: '52998224725' },
    ]);
    expect((await verifyLedger(prisma)).difference).toBeUndefined();
  });

  it('has it in the reference', async () => {
    const { body } = await service.http
      .get('/openapi.json')
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .expect(200);
    const document = body as OpenAPIObject;
    const page = referencePage(document, PROVIDERS_WITH_ACME);
    expect(page).toContain('### Acme Shop (`acme`)');
    expect(referencePage(document)).not.toContain('acme');
    // The description names no provider where it could name all, so that none has to be added to it.
    expect(JSON.stringify(document)).not.toMatch(/woocommerce|standard-webhooks/i);
  });
});
