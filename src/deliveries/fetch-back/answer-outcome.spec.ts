import type { SendResult } from '../../finance/remote/client/send-request';
import { isDown, outcomeOfAsking } from './answer-outcome';
import { decodeAnswers, encodeAnswers } from './fetched-answers';

const REQUEST = { name: 'order', path: '/orders/7', headers: {} };
const NOW = new Date('2026-11-24T12:00:00Z');

function answered(status: number, headers: Record<string, string> = {}, body = '{}'): SendResult {
  return { stage: 'answered', status, headers, body: Buffer.from(body) };
}

function after(tries: number, sent: SendResult, answers?: readonly number[]) {
  const request = { ...REQUEST, ...(answers && { answers }) };
  return outcomeOfAsking(sent, request, { tries, now: NOW, random: 0.5 });
}

describe('what came of asking', () => {
  it('is an answer with 2xx, and with what the request calls one', () => {
    expect(after(0, answered(200))).toEqual({
      state: 'answered',
      answer: { name: 'order', status: 200, body: Buffer.from('{}') },
    });
    expect(after(0, answered(403), [403])).toMatchObject({ state: 'answered', answer: { status: 403 } });
  });

  it('is believed to be gone at the fifth try only', () => {
    for (const status of [404, 410]) {
      for (const tries of [0, 1, 2, 3])
        expect(after(tries, answered(status))).toMatchObject({ state: 'later', failed: true });
      expect(after(4, answered(status))).toMatchObject({ state: 'answered', answer: { status } });
      expect(after(5, answered(status), [])).toMatchObject({ state: 'refused' });
    }
  });

  it('waits for as long as the API says, and counts no try', () => {
    const waits = (status: number, retryAfter?: string) =>
      after(99, answered(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }));
    expect(waits(429, '30')).toMatchObject({ state: 'later', delayMs: 30_000, forAll: true, failed: false });
    expect(waits(429, 'Tue, 24 Nov 2026 12:00:07 GMT')).toMatchObject({ delayMs: 7_000 });
    expect(waits(429, '0')).toMatchObject({ delayMs: 1_000 });
    expect(waits(429)).toMatchObject({ state: 'later', delayMs: 10_000 });
    expect(waits(429, '99999999')).toMatchObject({ delayMs: 15 * 60_000 });
    expect(waits(503, '5')).toMatchObject({ state: 'later', delayMs: 5_000, forAll: true });
  });

  it('waits for a minute, and counts no try, where only the body says so', () => {
    const says = ({ body }: { body: Buffer }) => body.toString().includes('blocked');
    const soFar = { tries: 99, now: NOW, random: 0.5 };
    for (const status of [200, 500])
      expect(outcomeOfAsking(answered(status, {}, '{"blocked":true}'), REQUEST, soFar, says)).toMatchObject({
        ...{ state: 'later', delayMs: 60_000, forAll: true, failed: false },
      });
    expect(outcomeOfAsking(answered(200), REQUEST, soFar, says)).toMatchObject({ state: 'answered' });
  });

  it.each([401, 403, 400, 302, 422])('is a person’s after six answers with %s', (status) => {
    for (const tries of [0, 1, 2, 3, 4])
      expect(after(tries, answered(status))).toMatchObject({ state: 'later', failed: true, forAll: false });
    expect(after(5, answered(status))).toEqual({
      ...(status === 401 && { unauthorized: true }),
      state: 'refused',
      reason: expect.stringMatching(new RegExp(`^fetching "order": .*${status}.*, 6 times$`)) as string,
    });
  });

  it('is tried for more than a day where the API is down, and later and later', () => {
    const down: SendResult[] = [answered(500), answered(503), { stage: 'unsent', cause: 'ECONNREFUSED' }];
    for (const sent of down) {
      let waited = 0;
      let tries = 0;
      for (; ; tries += 1) {
        const outcome = after(tries, sent);
        if (outcome.state !== 'later') break;
        waited += outcome.delayMs;
      }
      expect(tries).toBe(59);
      expect(waited / 3_600_000).toBeGreaterThan(24);
      expect(isDown(sent)).toBe(true);
    }
    expect(isDown(answered(401))).toBe(false);
    expect([isDown(answered(500), [500]), isDown(answered(502), [500])]).toEqual([false, true]);
  });

  it('is no answer where it broke off, and names a network that is not allowed', () => {
    const cut: SendResult = { stage: 'answered', status: 200, headers: {}, body: undefined };
    expect(after(0, cut)).toMatchObject({ state: 'later', failed: true });
    expect(after(0, { stage: 'unsent', cause: 'PONTE_ADDRESS' })).toMatchObject({
      reason: expect.stringContaining('PROVIDER_ALLOWED_NETWORKS') as string,
    });
  });
});

it('stores answers to the byte', () => {
  const answers = [
    { name: 'order', status: 200, body: Buffer.from('{"total": 12345678901234567890.10, "name": "Não"}') },
    { name: 'photo', status: 200, body: Buffer.from([0xff, 0x00, 0xfe]) },
    { name: 'refunds', status: 404, body: Buffer.alloc(0) },
  ];
  expect(decodeAnswers(encodeAnswers(answers))).toEqual(answers);
});
