import { formBody, readOAuthGrant, refreshTokenGrant } from './oauth';

describe('what an answer grants', () => {
  const read = (answer: unknown) =>
    readOAuthGrant(Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)));

  it('is the token, for how long, and the refresh token that follows', () => {
    expect(
      read({ access_token: 'A.b-c', token_type: 'Bearer', expires_in: 21600, refresh_token: 'TG-1' }),
    ).toEqual({ accessToken: 'A.b-c', expiresInSeconds: 21600, refreshToken: 'TG-1' });
    expect(read({ access_token: 'A', expires_in: '3600' })).toEqual({
      accessToken: 'A',
      expiresInSeconds: 3600,
    });
    expect(read({ access_token: 'A', expires_in: -1, refresh_token: '' })).toEqual({ accessToken: 'A' });
  });

  it.each([
    'no JSON',
    '[]',
    {},
    { access_token: '' },
    { access_token: 7 },
    { access_token: 'with a\r\nheader: of its own' },
    { access_token: 'x'.repeat(8_001) },
    { error: 'invalid_grant' },
  ])('is nothing in %j', (answer) => {
    expect(read(answer)).toBeUndefined();
  });
});

it('writes forms in which no value can become another field', () => {
  expect(formBody({ a: '1&b=2', c: 'São Paulo' })).toEqual({
    contentType: 'application/x-www-form-urlencoded',
    text: 'a=1%26b%3D2&c=S%C3%A3o+Paulo',
  });
  expect(refreshTokenGrant({ clientId: 'i', clientSecret: 's', refreshToken: 'r' }).text).toBe(
    'grant_type=refresh_token&client_id=i&client_secret=s&refresh_token=r',
  );
});
