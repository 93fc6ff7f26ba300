import { createHmac } from 'node:crypto';
import { checkSettings } from '../check-settings';
import type { IncomingWebhook } from '../source';
import { genericHmac } from './generic-hmac';

const NOW = new Date('2026-07-15T13:42:33Z');
const SECRET = 'a secret of this test';
const BODY = '{"type":"order.paid","data":{"id":"7"}}';

function request(headers: Record<string, string>, body = BODY): IncomingWebhook {
  return { method: 'POST', headers, query: {}, rawBody: Buffer.from(body) };
}

function verify(incoming: IncomingWebhook, settings: Record<string, unknown>, secret = SECRET) {
  return genericHmac.verify(incoming, [secret], settings, NOW);
}

const hmac = (algorithm: string, text: string, encoding: 'hex' | 'base64') =>
  createHmac(algorithm, SECRET).update(text).digest(encoding);

describe('a signature by settings', () => {
  it('without any is what GitHub publishes as its example', () => {
    const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
    const published = request({ 'x-hub-signature-256': signature }, 'Hello, World!');
    expect(verify(published, {}, "It's a Secret to Everybody")).toEqual({ ok: true });
    expect(verify(published, {}, "It's a Secret to everybody").ok).toBe(false);
  });

  const seconds = '1784122950';
  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['in capitals', {}, { 'x-hub-signature-256': hmac('sha256', BODY, 'hex').toUpperCase() }],
    [
      'in another header, in base64',
      { header: 'X-Shop-Hmac', encoding: 'base64' },
      { 'x-shop-hmac': hmac('sha256', BODY, 'base64') },
    ],
    [
      'of SHA-512',
      { header: 'x-signature', algorithm: 'SHA512' },
      { 'x-signature': `sha512=${hmac('sha512', BODY, 'hex')}` },
    ],
    [
      'behind a prefix, as one of several',
      { header: 'x-signature', prefix: 'v1=' },
      { 'x-signature': `v1=00, v1=${hmac('sha256', BODY, 'hex')}` },
    ],
    [
      'of a time in seconds and the body',
      { header: 'x-signature', timestampHeader: 'X-Timestamp', signed: '{timestamp}.{body}' },
      { 'x-signature': hmac('sha256', `${seconds}.${BODY}`, 'hex'), 'x-timestamp': seconds },
    ],
    [
      'of a time in milliseconds, the id and the body',
      {
        ...{ header: 'x-signature', timestampHeader: 'x-timestamp', idHeader: 'x-id' },
        signed: 'v0:{timestamp}:{id}:{body}',
      },
      {
        'x-signature': hmac('sha256', `v0:${seconds}000:m-1:${BODY}`, 'hex'),
        ...{ 'x-timestamp': `${seconds}000`, 'x-id': 'm-1' },
      },
    ],
    [
      'of a time with an offset and the body',
      { header: 'x-signature', timestampHeader: 'x-timestamp', signed: '{timestamp}{body}' },
      {
        'x-signature': hmac('sha256', `2026-07-15T10:42:30-03:00${BODY}`, 'hex'),
        'x-timestamp': '2026-07-15T10:42:30-03:00',
      },
    ],
  ])('%s is right, and one byte off it is wrong', (_says, settings, headers) => {
    expect(verify(request(headers), settings)).toEqual({ ok: true });
    expect(verify(request(headers, `${BODY} `), settings).ok).toBe(false);
    for (const name of Object.keys(headers))
      expect(verify(request({ ...headers, [name]: `${headers[name] ?? ''}1` }), settings).ok).toBe(false);
  });

  it.each([
    [301, 300, false],
    [-301, 300, false],
    [299, 300, true],
    [61, 60, false],
  ])('whose time is %d seconds off is taken within %d: %s', (off, toleranceSeconds, ok) => {
    const timestamp = String(NOW.getTime() / 1_000 - off);
    const settings = { timestampHeader: 'x-timestamp', signed: '{timestamp}.{body}', toleranceSeconds };
    const signature = hmac('sha256', `${timestamp}.${BODY}`, 'hex');
    const headers = { 'x-timestamp': timestamp, 'x-hub-signature-256': signature };
    expect(verify(request(headers), settings)).toMatchObject(ok ? { ok } : { ok, signed: true });
  });

  it.each(['', 'yesterday', '2026-07-15', '2026-07-15T10:42:30', '9'.repeat(20)])(
    'whose time is %j is refused',
    (timestamp) => {
      const settings = { timestampHeader: 'x-timestamp', signed: '{timestamp}.{body}' };
      const signature = hmac('sha256', `${timestamp}.${BODY}`, 'hex');
      const headers = { 'x-timestamp': timestamp, 'x-hub-signature-256': signature };
      expect(verify(request(headers), settings)).toEqual({
        ok: false,
        reason: 'x-timestamp is missing, or is no time',
      });
    },
  );
});

describe('settings by which nothing could be verified', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ algorithm: 'md5' }, 'algorithm'],
    [{ encoding: 'base58' }, 'encoding'],
    [{ signed: '{timestamp}', timestampHeader: 'x-timestamp' }, 'signed'],
    [{ signed: '{timestamp}.{body}' }, 'timestampHeader'],
    [{ timestampHeader: 'x-timestamp' }, 'signed'],
    [{ signed: '{id}.{body}' }, 'idHeader'],
  ])('%j are refused when they are set, and refuse every request', (settings, name) => {
    expect(checkSettings(genericHmac, settings)).toMatchObject([{ name, code: 'unfit' }]);
    const headers = { 'x-hub-signature-256': hmac('sha256', BODY, 'hex'), 'x-timestamp': '1784122950' };
    expect(verify(request(headers), settings)).toMatchObject({
      ok: false,
      reason: expect.stringContaining(`the setting ${name} of the source `) as string,
    });
  });
});

describe('what a message is known by', () => {
  it('is its header where the source names one, else its content', () => {
    const incoming = request({ 'x-id': 'm-1' });
    expect(genericHmac.identify(incoming, { idHeader: 'X-Id' })).toMatchObject({
      ...{ topic: 'order.paid', dedupeKey: 'm-1', orderingKey: 'order/7' },
    });
    for (const settings of [{}, { idHeader: 'x-other' }])
      expect(genericHmac.identify(incoming, settings).dedupeKey).toMatch(/^sha256:/);
  });
});
