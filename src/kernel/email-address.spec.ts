import { isEmailAddress } from './email-address';

describe('an e-mail address', () => {
  it.each([
    'ana@example.com',
    "o'neil+ponte@mail.example.com.br",
    'a.b-c_d@x1.example',
    'a@xn--9d0b.example',
  ])('may be %s', (address) => expect(isEmailAddress(address)).toBe(true));

  it.each([
    ['', 'nothing'],
    ['ana', 'no domain'],
    ['@example.com', 'no name'],
    ['ana@localhost', 'one label'],
    ['ana@example..com', 'an empty label'],
    ['ana@-example.com', 'a hyphen first'],
    ['ana@[127.0.0.1]', 'an address of a machine'],
    ['ana@example.com\r\nBcc: eva@example.com', 'another header'],
    ['ana@example.com\n', 'the end of a line'],
    ['ana@example.com, eva@example.com', 'two addresses'],
    ['Ana <ana@example.com>', 'a name'],
    ['"ana b"@example.com', 'quotes'],
    ['ana b@example.com', 'a space'],
    ['.ana@example.com', 'a dot first'],
    ['anä@example.com', 'a letter outside of ASCII'],
    [`${'a'.repeat(65)}@example.com`, 'a long name'],
    [
      `${'a'.repeat(9)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.example`,
      'a long one',
    ],
  ])('is not %j: %s', (text) => expect(isEmailAddress(text)).toBe(false));
});
