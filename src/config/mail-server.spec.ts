import { MailServerError, readMailServer } from './mail-server';
import { SettingError, Settings } from './settings';

const FROM = 'Ponte <ponte@example.com>';

describe('the mail server that the environment names', () => {
  it('is none without SMTP_URL', () => expect(readMailServer(undefined, undefined)).toBeUndefined());

  it('is encrypted from the first byte with smtps', () =>
    expect(readMailServer('smtps://ana%40x:p%25%3A@mail.example.com', FROM)).toEqual({
      ...{ host: 'mail.example.com', port: 465, tls: 'implicit' },
      login: { user: 'ana@x', password: 'p%:' },
      from: { name: 'Ponte', address: 'ponte@example.com' },
    }));

  it('is encrypted before anything is sent with smtp', () =>
    expect(readMailServer('smtp://mail.example.com', 'ponte@example.com')).toEqual({
      ...{ host: 'mail.example.com', port: 587, tls: 'starttls' },
      from: { name: '', address: 'ponte@example.com' },
    }));

  it.each([
    ['smtp://127.0.0.1:2525', 'none'],
    ['smtp://[::1]:2525', 'none'],
    ['smtp://localhost', 'none'],
    ['smtp://relay.internal:25?tls=none', 'none'],
    ['smtp://10.0.0.5:25', 'starttls'],
    ['smtp://127.0.0.1.example.com', 'starttls'],
    ['smtps://localhost', 'implicit'],
  ])('is spoken to at %s with TLS %s', (url, tls) => expect(readMailServer(url, FROM)?.tls).toBe(tls));

  it.each([
    ['https://u:secret-word@mail.example.com', FROM, 'SMTP_URL must be'],
    ['mail.example.com:secret-word', FROM, 'SMTP_URL must be'],
    ['smtp://u:secret-word@mail.example.com:99999', FROM, 'SMTP_URL must be'],
    ['smtp://u:secret%-word@mail.example.com', FROM, '%25'],
    ['smtp://u:secret-word@mail.example.com/box', FROM, 'no path'],
    ['smtp://u:secret-word@mail.example.com?pool=true', FROM, 'tls=none'],
    ['smtps://u:secret-word@mail.example.com?tls=none', FROM, 'smtps'],
    ['smtps://u:secret-word@mail.example.com', undefined, 'SMTP_FROM is needed'],
    ['smtps://u:secret-word@mail.example.com', 'Ponte', 'SMTP_FROM must be'],
    ['smtps://u:secret-word@mail.example.com', 'a@example.com, b@example.com', 'SMTP_FROM must be'],
    [
      'smtps://u:secret-word@mail.example.com',
      'X\r\nBcc: a@example.com <b@example.com>',
      'SMTP_FROM must be',
    ],
    [undefined, FROM, 'only with SMTP_URL'],
  ])('is refused without its password: %s, %s', (url, from, words) => {
    const read = () => readMailServer(url, from);
    expect(read).toThrow(MailServerError);
    expect(read).toThrow(words);
    expect(read).not.toThrow('secret');
  });

  it('ends the start with one line where it is wrong', () =>
    expect(() => new Settings({ SMTP_URL: 'mailto:me', SMTP_FROM: FROM })).toThrow(SettingError));
});
