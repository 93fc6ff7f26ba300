import { formBody, readOAuthGrant, refreshTokenGrant } from './oauth';

const read = (answer: unknown) =>
  readOAuthGrant(Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)));

describe('what is granted', () => {
  it('is the access token, for how long it lasts, and the next refresh token', () => {
    const granted = { access_token: 'a.b-c', expires_in: 21_600, refresh_token: 'r1', token_type: 'Bearer' };
    expect(read(granted)).toEqual({ accessToken: 'a.b-c', expiresInSeconds: 21_600, refreshToken: 'r1' });
    expect(read({ access_token: 'a', expires_in: '3600' })).toEqual({
      accessToken: 'a',
      expiresInSeconds: 3_600,
    });
    const long = 'x'.repeat(3_000);
    expect(read({ access_token: long })).toEqual({ accessToken: long });
  });

  it.each([0, -1, 1.5, 'soon', null, 1e12])(
    'lasts for nobody knows how long where that is %j',
    (expires_in) => {
      expect(read({ access_token: 'a', expires_in })).toEqual({ accessToken: 'a' });
    },
  );

  it.each([
    {},
    { error: 'invalid_grant' },
    { access_token: '' },
    { access_token: 7 },
    { access_token: 'a\r\nx-other: 1' },
    { access_token: 'x'.repeat(10_000) },
    '<html>',
  ])('is nothing in %j', (answer) => {
    expect(read(answer)).toBeUndefined();
  });

  it('has no refresh token that no form could hold', () => {
    expect(read({ access_token: 'a', refresh_token: 'r\n' })).toEqual({ accessToken: 'a' });
  });
});

it('fields of a form are escaped', () => {
  expect(formBody({ token: 'a b&c=d', formato: 'json' })).toEqual({
    contentType: 'application/x-www-form-urlencoded',
    text: 'token=a+b%26c%3Dd&formato=json',
  });
});

it('a refresh token is shown with the client in the form', () => {
  const { text } = refreshTokenGrant({ clientId: 'c', clientSecret: 's&', refreshToken: 'r' });
  expect(text).toBe('grant_type=refresh_token&client_id=c&client_secret=s%26&refresh_token=r');
});
