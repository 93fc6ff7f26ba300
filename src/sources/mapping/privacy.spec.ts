import { Payload, UnreadablePayload } from '../payload';
import { customerRequest } from './privacy';

const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL' };
const body = { customer: { id: 7, email: 'ana@example.com' }, orders_to_redact: [1, '2'] };

function read(payload: object, settings: Record<string, unknown> = {}) {
  const parsed = Payload.parse(Buffer.from(JSON.stringify(payload)));
  return customerRequest('privacy.erase', parsed, 'orders_to_redact', { ...context, settings });
}

describe("a shop's request that a customer be erased", () => {
  it('names them by all that the shop knows, and needs nobody', () => {
    expect(read(body)).toEqual({
      ignored: 'the shop asks that a customer be erased: an erasure is begun',
      privacy: {
        ...{ type: 'privacy.erase', key: 'loja/customer/7', byPerson: false },
        person: {
          email: 'ana@example.com',
          customerKeys: ['loja/customer/7'],
          orderKeys: ['loja/order/1', 'loja/order/2'],
        },
      },
    });
  });

  it('is left to a person where the source says so, without saying who it is', () => {
    const asked = read(body, { eraseByWebhook: false });
    expect(asked).toMatchObject({
      privacy: { byPerson: true },
      unbooked: [{ businessKey: 'loja/customer/7', code: 'privacy-erase-asked' }],
    });
    expect(JSON.stringify('unbooked' in asked ? asked.unbooked : '')).not.toContain('ana@');
  });

  it('may name orders alone, of a customer without an account', () => {
    expect(read({ customer: { email: 'ana@example.com' }, orders_to_redact: [3] })).toMatchObject({
      privacy: { key: 'loja/customer', person: { customerKeys: [], orderKeys: ['loja/order/3'] } },
    });
  });

  it('is not understood where its orders are no list', () => {
    expect(() => read({ ...body, orders_to_redact: 'all' })).toThrow(UnreadablePayload);
  });
});
