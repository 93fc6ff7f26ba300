import type { IncomingWebhook } from '../source';
import { standardWebhooks } from './standard-webhooks';
import { keyOf, signatureOf, TOLERANCE_SECONDS, verifyStandardWebhook } from './verify';

/** The example that the Standard Webhooks specification's own libraries are tested with. */
const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

function request(changes: Partial<typeof VECTOR> = {}): IncomingWebhook {
  const sent = { ...VECTOR, ...changes };
  const headers = {
    'webhook-id': sent.id,
    'webhook-timestamp': sent.timestamp,
    'webhook-signature': sent.signature,
  };
  return { method: 'POST', headers, query: {}, rawBody: Buffer.from(sent.body) };
}

function verify(incoming: IncomingWebhook, secondsLater = 0, secrets = [VECTOR.secret]) {
  return verifyStandardWebhook(incoming, secrets, {}, new Date((1614265330 + secondsLater) * 1000));
}

describe('the Standard Webhooks signature', () => {
  it('accepts the published example', () => {
    expect(verify(request())).toEqual({ ok: true });
  });

  it('takes the key without its prefix too', () => {
    expect(verify(request(), 0, [VECTOR.secret.slice('whsec_'.length)])).toEqual({ ok: true });
  });

  it('covers the id and the timestamp', () => {
    expect(verify(request({ id: 'msg_another' })).ok).toBe(false);
    expect(verify(request({ timestamp: '1614265331' })).ok).toBe(false);
  });

  it('may be one of several, in a header sent once or twice', () => {
    const { signature } = VECTOR;
    expect(verify(request({ signature: `v1,AAAA ${signature} v1a,BBBB` }))).toEqual({ ok: true });
    expect(verify(request({ signature: `${signature}, v1,AAAA` }))).toEqual({ ok: true });
  });

  it('counts only under its own version', () => {
    expect(verify(request({ signature: VECTOR.signature.replace('v1,', 'v2,') })).ok).toBe(false);
    expect(verify(request({ signature: VECTOR.signature.slice(3) })).ok).toBe(false);
  });

  it('may begin with anything, even with what looks like a version', () => {
    const key = keyOf(VECTOR.secret) ?? Buffer.alloc(0);
    const bodies = Array.from({ length: 20_000 }, (_, index) => `{"n":${index}}`);
    const signed = bodies.map((body) => ({
      body,
      signature: signatureOf(key, VECTOR.id, VECTOR.timestamp, body),
    }));
    const trap = signed.find(({ signature }) => signature.startsWith('v1,v1'));
    expect(trap).toBeDefined();
    expect(verify(request(trap))).toEqual({ ok: true });
  });

  it.each([
    [TOLERANCE_SECONDS, true],
    [-TOLERANCE_SECONDS, true],
    [TOLERANCE_SECONDS + 1, false],
    [-TOLERANCE_SECONDS - 1, false],
  ])('%d seconds off is accepted: %s', (seconds, ok) => {
    expect(verify(request(), seconds).ok).toBe(ok);
  });

  it('says that a good signature is too old only to who can sign', () => {
    expect(verify(request(), 301)).toEqual({
      ok: false,
      reason: 'webhook-timestamp is more than 300 seconds off',
      signed: true,
    });
    expect(verify(request({ body: 'x' }), 301)).toEqual({
      ok: false,
      reason: 'the signature does not match',
    });
  });

  it.each(['', '1614265330.5', '-1', '1e9', 'soon', '9'.repeat(40)])(
    'refuses the timestamp %j',
    (timestamp) => {
      expect(verify(request({ timestamp })).ok).toBe(false);
    },
  );

  it.each(['whsec_', 'whsec_=', 'whsec_not base64!', 'whsec_abc*'])(
    'refuses everything under the key %j',
    (key) => {
      const empty = signatureOf(Buffer.alloc(0), VECTOR.id, VECTOR.timestamp, VECTOR.body);
      expect(verify(request({ signature: empty }), 0, [key])).toEqual({
        ok: false,
        reason: 'no secret of the source is in the right form',
      });
    },
  );
});

describe('the headers of Svix', () => {
  const svix = {
    'svix-id': VECTOR.id,
    'svix-timestamp': VECTOR.timestamp,
    'svix-signature': VECTOR.signature,
  };
  const sent = (headers: Record<string, string>): IncomingWebhook => ({ ...request(), headers });

  it('are the same under another name', () => {
    expect(verify(sent(svix))).toEqual({ ok: true });
    expect(standardWebhooks.identify(sent(svix)).dedupeKey).toBe(VECTOR.id);
    expect(verify(sent({ ...svix, 'svix-id': 'msg_another' })).ok).toBe(false);
    expect(verify(sent(svix), TOLERANCE_SECONDS + 1)).toMatchObject({ ok: false, signed: true });
  });

  it.each(['id', 'timestamp'])('do not borrow the %s of Standard Webhooks', (name) => {
    const { [`svix-${name}`]: value = '', ...others } = svix as Record<string, string>;
    expect(verify(sent({ ...others, [`webhook-${name}`]: value }))).toEqual({
      ok: false,
      reason: 'svix-id or svix-timestamp is missing',
    });
  });

  it('name no message whose signature is over another id', () => {
    const both = sent({ ...svix, 'webhook-id': 'msg_unsigned' });
    expect(verify(both)).toEqual({ ok: true });
    expect(standardWebhooks.identify(both).dedupeKey).toBe(VECTOR.id);
    const other = sent({ ...request().headers, ...svix, 'svix-id': 'msg_unsigned' });
    expect(verify(other)).toEqual({ ok: true });
    expect(standardWebhooks.identify(other).dedupeKey).toBe(VECTOR.id);
  });
});
