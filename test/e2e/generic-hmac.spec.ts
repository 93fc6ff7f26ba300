import { createHmac } from 'node:crypto';
import type { DeliveryPage } from '../../src/admin/deliveries/deliveries.dto';
import { readFixture } from '../support/source-cases';
import { refusalOf } from '../support/finance-client';
import { TestService } from '../support/service';

const SECRET = 'a secret of at least 24 characters';

describe('a source that signs in a way of its own', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());

  function make(settings: Record<string, string>) {
    return service.operate('post', 'sources', {
      ...{ slug: 'erp', provider: 'generic-hmac', secrets: [SECRET], settings },
    });
  }

  it('is refused with settings by which nothing could be verified', async () => {
    expect(refusalOf(await make({ signed: '{timestamp}' }))).toBe('422 validation-failed /settings/signed');
  });

  it('has its orders booked once, and knows a message by the header that it names', async () => {
    const settings = {
      ...{ header: 'X-Erp-Signature', encoding: 'base64', idHeader: 'X-Erp-Message' },
      ...{ timestampHeader: 'X-Erp-Time', signed: '{timestamp}.{body}' },
    };
    expect((await make(settings)).status).toBe(201);
    const body = readFixture('generic-hmac', 'order-paid.json').toString('utf8');
    const time = new Date().toISOString();
    const send = (text: string, signedText = text) =>
      service.http
        .post('/hooks/main/erp')
        .set({
          'x-erp-signature': createHmac('sha256', SECRET).update(`${time}.${signedText}`).digest('base64'),
          ...{ 'x-erp-time': time, 'x-erp-message': 'm-1' },
        })
        .type('application/json')
        .send(text);
    expect((await send(`${body} `, body)).status).toBe(401);
    expect((await send(body)).body).toMatchObject({ duplicate: false });
    // Another try of the message, which its sender wrote anew: its content says nothing of that.
    expect((await send(`${body}\n`)).body).toMatchObject({ duplicate: true });
    await service.settle();
    const { items } = (await service.admin('deliveries')) as DeliveryPage;
    expect(items).toMatchObject([
      { source: 'erp', topic: 'order.paid', businessKey: 'erp/order/2026-118', outcome: 'applied' },
    ]);
    const receipts = await service.database.prisma.entry.findMany({ where: { kind: 'receipt' } });
    expect(receipts.map(({ amountMinor }) => amountMinor)).toEqual([34_000n]);
  });
});
