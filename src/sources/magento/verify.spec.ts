import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingWebhook } from '../source';
import { publicKeys, verifyAdobe } from './verify';

const CLIENT_ID = '4b1f0c2d7e8a49d3b6c5a4f3e2d1c0b9';
const [ONE, TWO] = ['/prod/keys/pub-key-voy5XEbWmT.pem', '/prod/keys/pub-key-IkpzhSpTw0.pem'];
const BODY = `{"id": "1", "type": "x", "recipient_client_id": "${CLIENT_ID}"}`;
const first = generateKeyPairSync('rsa', { modulusLength: 2048 });
const second = generateKeyPairSync('rsa', { modulusLength: 2048 });
const KEYS = { [ONE]: pem(first.publicKey), [TWO]: pem(second.publicKey) };

function pem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

function request(body = BODY, changes: Record<string, string | undefined> = {}): IncomingWebhook {
  const rawBody = Buffer.from(body);
  const headers = {
    'x-adobe-public-key1-path': ONE,
    'x-adobe-digital-signature-1': sign('sha256', rawBody, first.privateKey).toString('base64'),
    'x-adobe-public-key2-path': TWO,
    'x-adobe-digital-signature-2': sign('sha256', rawBody, second.privateKey).toString('base64'),
    ...changes,
  };
  return { method: 'POST', headers, query: {}, rawBody, publicKeys: KEYS };
}

const verify = (incoming: IncomingWebhook, secrets = [CLIENT_ID]) => verifyAdobe(incoming, secrets);

describe("Adobe's signature", () => {
  it('is right where one of the two is', () => {
    expect(verify(request())).toEqual({ ok: true });
    for (const number of [1, 2]) {
      const broken = { [`x-adobe-digital-signature-${number}`]: 'AAAA' };
      expect(verify(request(BODY, broken))).toEqual({ ok: true });
      expect(
        verify({ ...request(BODY, broken), publicKeys: { [number === 1 ? ONE : TWO]: KEYS[ONE] ?? '' } }),
      ).toMatchObject({ ok: false });
    }
  });

  it('is not right with the key of the other one', () => {
    const swapped = { 'x-adobe-public-key1-path': TWO, 'x-adobe-public-key2-path': ONE };
    expect(verify(request(BODY, swapped))).toMatchObject({ reason: 'the signature does not match' });
  });

  it.each([
    ['none', undefined],
    ['no PEM', { [ONE]: 'not a key', [TWO]: '' }],
    ['of an elliptic curve', { [ONE]: pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey) }],
  ])('is not right where the keys are %s', (_what, keys) => {
    const { publicKeys: _keys, ...bare } = request();
    const incoming = keys ? { ...bare, publicKeys: keys } : bare;
    expect(verify(incoming)).toEqual({ ok: false, reason: 'the signature does not match' });
  });

  it('is none of another kind than RSA, and no base64 with something added', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const only = { 'x-adobe-digital-signature-2': undefined };
    const signature = sign('sha256', Buffer.from(BODY), privateKey).toString('base64');
    const curve = request(BODY, { ...only, 'x-adobe-digital-signature-1': signature });
    expect(verify({ ...curve, publicKeys: { [ONE]: pem(publicKey) } }).ok).toBe(false);
    const right = request(BODY, only);
    const longer = `${right.headers['x-adobe-digital-signature-1']}AAAA`;
    expect(verify(right)).toEqual({ ok: true });
    expect(verify(request(BODY, { ...only, 'x-adobe-digital-signature-1': longer })).ok).toBe(false);
  });

  it('is worth nothing for another recipient, or where the body names none', () => {
    const reason = 'the body names another recipient than the client id that is the secret';
    for (const body of ['{"id":"1"}', '{"recipient_client_id":7}', '[]', 'x', BODY.replace('4b1f', '4b1e')])
      expect(verify(request(body))).toEqual({ ok: false, reason });
    expect(verify(request(), [])).toEqual({ ok: false, reason: 'the source has no secret' });
  });

  it('is right with the other spelling of the recipient', () => {
    const other = BODY.replace('recipient_client_id', 'recipientclientid');
    expect(verify(request(other), ['another', ` ${CLIENT_ID}\n`])).toEqual({ ok: true });
  });

  it('is worth nothing where the two names of the recipient do not agree', () => {
    for (const other of ['"another"', 'null', '7']) {
      const body = BODY.replace('}', `, "recipientclientid": ${other}}`);
      expect([other, verify(request(body)).ok]).toEqual([other, other === 'null']);
    }
  });

  it('of a batch is refused, and Adobe is told why', () => {
    expect(verify(request(`[${BODY}, ${BODY}]`))).toMatchObject({ ok: false, signed: true });
  });
});

describe('the keys that an event names', () => {
  const paths = (incoming: IncomingWebhook, secrets = [CLIENT_ID]) => publicKeys.paths(incoming, secrets);

  it('are those of its two headers', () => {
    expect(paths(request())).toEqual([ONE, TWO]);
    expect(paths(request(BODY, { 'x-adobe-digital-signature-1': undefined }))).toEqual([TWO]);
  });

  it('are none where no key could make it genuine', () => {
    expect(paths(request('{}'))).toEqual([]);
    expect(paths(request(), ['another'])).toEqual([]);
    expect(paths(request(), [])).toEqual([]);
  });

  it.each([
    '/prod/keys/../secret.pem',
    '/prod/keys/pub-key-.pem',
    '//evil.example/prod/keys/pub-key-a.pem',
    '.evil.example/prod/keys/pub-key-a.pem',
    '/prod/keys/pub-key-a.pem\n',
    '/prod/keys/pub-key-a%2f.pem',
    `/prod/keys/pub-key-${'a'.repeat(65)}.pem`,
  ])('are not %j', (path) => {
    expect(paths(request(BODY, { 'x-adobe-public-key1-path': path }))).toEqual([TWO]);
  });

  it('are at Adobe, unless the operator has a mirror', () => {
    expect(publicKeys.baseUrl({})).toBe('https://static.adobeioevents.com');
    expect(publicKeys.baseUrl({ keysUrl: 'https://keys.example.com/', apiUrl: 'https://x.example' })).toBe(
      'https://keys.example.com',
    );
  });
});
