import { hmacSha256 } from './hmac';

describe('hmacSha256', () => {
  it('is the HMAC of RFC 4231, test case 2, in one part or several', () => {
    const digest = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(hmacSha256('Jefe', 'what do ya want for nothing?').toString('hex')).toBe(digest);
    expect(hmacSha256('Jefe', 'what do ya ', Buffer.from('want for nothing?')).toString('hex')).toBe(digest);
    expect(hmacSha256(Buffer.from('Jefe'), 'what do ya want for nothing?').toString('hex')).toBe(digest);
  });
});
