import fc from 'fast-check';
import { equalInConstantTime, sha256Hex, verifySignature } from './signature';

const expected = (secret: string): string => `signed with ${secret}`;

describe('equalInConstantTime', () => {
  it('agrees with ordinary equality for texts of any length', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(equalInConstantTime(left, right)).toBe(left === right);
        expect(equalInConstantTime(left, `${left}`)).toBe(true);
        expect(equalInConstantTime(left, `${left}\0`)).toBe(false);
      }),
    );
  });
});

describe('sha256Hex', () => {
  it('is the SHA-256 of the parts put together', () => {
    const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(sha256Hex('a', Buffer.from('bc'))).toBe(digest);
  });
});

describe('verifySignature', () => {
  it('accepts any of the given signatures under any live secret', () => {
    const given = ['nonsense', 'signed with new'];
    expect(verifySignature({ secrets: ['old', 'new'], given, expected })).toEqual({ ok: true });
  });

  it('tells apart why it refuses', () => {
    const refusal = (secrets: string[], given: (string | undefined)[], form = expected as never) =>
      verifySignature({ secrets, given, expected: form });
    expect(refusal([' '], ['x'])).toEqual({ ok: false, reason: 'the source has no secret' });
    expect(refusal(['a'], [undefined, ' '])).toEqual({
      ok: false,
      reason: 'the request carries no signature',
    });
    expect(refusal(['a'], ['x'])).toEqual({ ok: false, reason: 'the signature does not match' });
    expect(refusal(['a'], ['x'], (() => undefined) as never)).toEqual({
      ok: false,
      reason: 'no secret of the source is in the right form',
    });
  });

  it('compares with every secret even after a match', () => {
    const asked: string[] = [];
    const noting = (secret: string): string => {
      asked.push(secret);
      return expected(secret);
    };
    verifySignature({ secrets: ['first', 'second'], given: ['signed with first'], expected: noting });
    expect(asked).toEqual(['first', 'second']);
  });

  it('never accepts the signature of an empty secret', () => {
    expect(verifySignature({ secrets: [''], given: [expected('')], expected }).ok).toBe(false);
  });

  it('looks at no more than sixteen signatures', () => {
    const given = [...Array.from({ length: 16 }, () => 'x'), 'signed with a'];
    expect(verifySignature({ secrets: ['a'], given, expected }).ok).toBe(false);
    expect(verifySignature({ secrets: ['a'], given: given.slice(1), expected }).ok).toBe(true);
  });
});
