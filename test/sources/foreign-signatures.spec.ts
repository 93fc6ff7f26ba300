import { createHmac, randomBytes } from 'node:crypto';
import { WebhookSignatureValidator } from 'mercadopago';
import { Webhook } from 'standardwebhooks';
import { findProvider } from '../../src/sources/registry';
import type { IncomingWebhook, SourceProvider } from '../../src/sources/source';

/** Signatures are compared with what the providers' own libraries sign and take. Stripe's is in its own spec. */
const NOW = new Date();
const BODY = Buffer.from('{"type":"order.paid","data":{"id":"98100200301","name":"José"}}');

function provider(id: string): SourceProvider {
  const found = findProvider(id);
  if (!found) throw new Error(`there is no provider ${id}`);
  return found;
}

function request(headers: Record<string, string>, query: Record<string, string> = {}): IncomingWebhook {
  return { method: 'POST', headers, query, rawBody: BODY };
}

describe('Standard Webhooks, beside the library of its specification', () => {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const library = new Webhook(secret);
  const { sign, verify } = provider('standard-webhooks');

  it('takes what the library signs, and the library takes what Ponte signs', () => {
    const theirs = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(NOW.getTime() / 1000)),
      'webhook-signature': library.sign('msg_1', NOW, BODY),
    };
    expect(verify(request(theirs), [secret], {}, NOW)).toEqual({ ok: true });
    const ours = sign({ secret, body: BODY, topic: 'order.paid', id: 'msg_1', sentAt: NOW });
    expect(library.verify(BODY, ours)).toEqual(JSON.parse(BODY.toString('utf8')));
    expect(ours['webhook-signature']).toBe(theirs['webhook-signature']);
  });

  it('refuses what the library refuses', () => {
    const ours = sign({ secret, body: BODY, topic: 'order.paid', id: 'msg_1', sentAt: NOW });
    const late = new Date(NOW.getTime() - 301_000);
    const wrong: Record<string, string>[] = [
      { ...ours, 'webhook-id': 'msg_2' },
      { ...ours, 'webhook-signature': 'v1,AAAA' },
      { ...ours, 'webhook-signature': '' },
      sign({ secret, body: BODY, topic: 'order.paid', id: 'msg_1', sentAt: late }),
    ];
    for (const headers of wrong) {
      expect(() => library.verify(BODY, headers)).toThrow();
      expect(verify(request(headers), [secret], {}, NOW).ok).toBe(false);
    }
  });
});

describe('Mercado Pago, beside its own library', () => {
  const secret = 'the secret of the application';
  const { sign, signQuery, verify } = provider('mercado-pago');
  const message = { secret, body: BODY, topic: 'payment', id: 'request-1', sentAt: NOW };

  function takes(headers: Record<string, string | undefined>, dataId: string | undefined): boolean {
    try {
      WebhookSignatureValidator.validate({
        ...{ xSignature: headers['x-signature'], xRequestId: headers['x-request-id'], dataId, secret },
      });
      return true;
    } catch {
      return false;
    }
  }

  it('takes what is signed as the library checks it, and the library takes what Ponte signs', () => {
    const headers = sign(message);
    const query = signQuery?.(message) ?? {};
    expect(takes(headers, query['data.id'])).toBe(true);
    expect(verify(request(headers, query), [secret], {}, NOW)).toMatchObject({ ok: true });
    // By its documentation, letter by letter: an identifier is signed as it was received.
    const ts = String(NOW.getTime());
    const manifest = `id:ABC123;request-id:request-2;ts:${ts};`;
    const v1 = createHmac('sha256', secret).update(manifest).digest('hex');
    const theirs = { 'x-request-id': 'request-2', 'x-signature': `ts=${ts},v1=${v1}` };
    expect(takes(theirs, 'ABC123')).toBe(true);
    expect(verify(request(theirs, { 'data.id': 'ABC123' }), [secret], {}, NOW)).toMatchObject({ ok: true });
  });

  it('refuses what the library refuses', () => {
    const headers = sign(message);
    const id = signQuery?.(message)['data.id'] ?? '';
    const wrong: [Record<string, string>, string][] = [
      [{ ...headers, 'x-request-id': 'request-3' }, id],
      [{ ...headers, 'x-signature': 'ts=1,v1=00' }, id],
      [{ ...headers, 'x-signature': '' }, id],
      [headers, '98100200302'],
    ];
    for (const [changed, dataId] of wrong) {
      expect(takes(changed, dataId)).toBe(false);
      expect(verify(request(changed, { 'data.id': dataId }), [secret], {}, NOW).ok).toBe(false);
    }
  });
});
