import { createHmac } from 'node:crypto';
import type { IncomingWebhook } from '../source';
import { mercadoPago } from './mercado-pago';

const NOW = new Date('2026-07-15T14:20:00Z');
const SECRET = '5f0a7c1e9b3d';

describe("Mercado Pago's signature", () => {
  interface Parts {
    id?: string;
    request?: string;
    ts?: string;
  }

  /** A request that is signed over this manifest, computed here and not by the provider. */
  function signed(manifest: string, { id, request, ts = '1784125200' }: Parts): IncomingWebhook {
    const v1 = createHmac('sha256', SECRET).update(manifest).digest('hex');
    return {
      method: 'POST',
      headers: {
        'x-signature': `ts=${ts},v1=${v1}`,
        ...(request !== undefined && { 'x-request-id': request }),
      },
      query: id === undefined ? {} : { 'data.id': id, type: 'payment' },
      rawBody: Buffer.from('{}'),
    };
  }

  const verify = (request: IncomingWebhook, secrets = [SECRET]) =>
    mercadoPago.verify(request, secrets, {}, NOW);
  const accepted = { ok: true, bodyUnsigned: true };

  it('is the one that openssl computes over what is signed, and proves nothing of the body', () => {
    // printf '%s' 'id:981;request-id:r-1;ts:1784125200;' | openssl dgst -sha256 -hmac 5f0a7c1e9b3d
    const v1 = 'e32c0a6b449edb5024a104420bb2811dfccef6a50a76433bd5bd8f50e446c4fd';
    const request = signed('', { id: '981', request: 'r-1' });
    const headers = { ...request.headers, 'x-signature': `ts=1784125200,v1=${v1}` };
    expect(verify({ ...request, headers })).toEqual(accepted);
    expect(verify({ ...request, headers, rawBody: Buffer.from('{"data":{"id":"7"}}') })).toEqual(accepted);
    const spaced = { ...headers, 'x-signature': ` v1 = ${v1.toUpperCase()} , ts = 1784125200 ` };
    expect(verify({ ...request, headers: spaced })).toEqual(accepted);
  });

  it.each([
    ['without a request id', 'id:981;ts:1784125200;', { id: '981' }],
    ['without an id in the address', 'request-id:r-1;ts:1784125200;', { request: 'r-1' }],
    ['of milliseconds', 'id:981;request-id:r-1;ts:1784125200123;', { ts: '1784125200123' }],
    ['of an identifier as it came', 'id:ORD01AB;request-id:r-1;ts:1784125200;', { id: 'ORD01AB' }],
    ['of an identifier in lower case', 'id:ord01ab;request-id:r-1;ts:1784125200;', { id: 'ORD01AB' }],
  ])('%s is accepted', (_says, manifest, parts: Parts) => {
    const others = manifest.includes('request-id') && manifest.includes('id:') ? { request: 'r-1' } : {};
    const id = manifest.startsWith('id:') ? { id: '981' } : {};
    expect(verify(signed(manifest, { ...id, ...others, ...parts }))).toEqual(accepted);
  });

  it('is as good a year later, for it only makes Ponte ask again', () => {
    const request = signed('id:981;request-id:r-1;ts:1784125200;', { id: '981', request: 'r-1' });
    const later = new Date(NOW.getTime() + 365 * 86_400_000);
    expect(mercadoPago.verify(request, [SECRET], {}, later)).toEqual(accepted);
  });

  it('of one payment does not stand for another, however its parts are cut', () => {
    const manifest = 'id:981;request-id:r-1;ts:1784125200;';
    for (const parts of [
      { id: '982', request: 'r-1' },
      { id: '981', request: 'r-2' },
      { id: '981;request-id:r-1' },
      { request: 'r-1;ts:1784125200', id: '981', ts: '1' },
      { id: '981', request: 'r-1', ts: '1784125201' },
      { id: '981', request: 'r-1', ts: 'soon' },
      { id: '', request: 'r-1' },
    ])
      expect(verify(signed(manifest, parts)).ok).toBe(false);
  });
});
