import { readMailServer } from '../../config/mail-server';
import { Mailbox } from '../../../test/support/mailbox';
import { type HandedOver, handOver, tryMailServer } from './mail-client';

const EMAIL = {
  ...{ to: 'ana@example.com', subject: 'Olá, São Paulo', text: 'texto: ação\n', html: '<p>ação</p>' },
  ...{ messageId: 'msg_1@example.com', date: new Date('2026-03-10T15:00:00Z') },
};

describe('handing an e-mail over', () => {
  const open: Mailbox[] = [];
  afterEach(async () => {
    for (const mailbox of open.splice(0)) await mailbox.stop();
  });

  async function mailbox(options: Parameters<typeof Mailbox.start>[0] = {}): Promise<Mailbox> {
    const started = await Mailbox.start(options);
    open.push(started);
    return started;
  }

  function hand(url: string): Promise<HandedOver> {
    return handOver(serverAt(url), EMAIL);
  }

  function serverAt(url: string) {
    const server = readMailServer(url, 'Ponte São <ponte@example.com>');
    if (!server) throw new Error('no server');
    return server;
  }

  it('keeps letters, its Message-ID and its date', async () => {
    const box = await mailbox();
    expect(await hand(`smtp://127.0.0.1:${box.port}`)).toEqual({ state: 'taken' });
    const [email] = box.emails;
    expect(email?.headers).toMatchObject({
      ...{ subject: EMAIL.subject, to: EMAIL.to, 'message-id': '<msg_1@example.com>' },
      ...{ from: 'Ponte São <ponte@example.com>', 'auto-submitted': 'auto-generated' },
      date: 'Tue, 10 Mar 2026 15:00:00 +0000',
    });
    expect(email?.text.trim()).toBe('texto: ação');
    expect(email?.html.trim()).toBe('<p>ação</p>');
  });

  it.each([
    ['another header in the recipient', { to: 'ana@example.com\r\nBcc: eve@example.com' }],
    ['another header in the subject', { subject: 'a\r\nBcc: eve@example.com' }],
    ['a second recipient', { to: 'ana@example.com, eve@example.com' }],
    ['another header in the Message-ID', { messageId: 'a@b>\r\nBcc: eve@example.com' }],
  ])('sends nobody else anything for %s', async (_what, wrong) => {
    const box = await mailbox();
    await handOver(serverAt(`smtp://127.0.0.1:${box.port}`), { ...EMAIL, ...wrong });
    for (const { headerNames, to } of box.emails) {
      expect(headerNames.map((name) => name.toLowerCase())).not.toContain('bcc');
      expect(to).not.toContain('eve@example.com');
    }
  });

  it.each([
    [550, 'refused', 'the mail server refused the recipient with 550'],
    [450, 'failed', 'the mail server refused the recipient with 450'],
  ])('is %s of the recipient: %s', async (code, state, reason) => {
    const box = await mailbox();
    box.refused.set(EMAIL.to, code);
    expect(await hand(`smtp://127.0.0.1:${box.port}`)).toEqual({ state, reason });
  });

  it.each([
    [554, 'refused'],
    [451, 'failed'],
  ])('is %s of the message: %s', async (code, state) => {
    const box = await mailbox();
    box.refusesData = code;
    expect(await hand(`smtp://127.0.0.1:${box.port}`)).toEqual({
      ...{ state, reason: `the mail server refused it with ${code}` },
    });
  });

  it('fails without encryption where that is needed', async () => {
    const box = await mailbox();
    const server = { ...serverAt('smtp://mail.example.com'), host: '127.0.0.1', port: box.port };
    expect(await handOver(server, EMAIL)).toMatchObject({ state: 'failed' });
    expect(box.emails).toEqual([]);
  });

  it('fails before a certificate that nobody vouches for, and says no password to it', async () => {
    const logins: string[] = [];
    const box = await mailbox({
      hideSTARTTLS: false,
      authOptional: false,
      onAuth: ({ username = '' }, _session, done) => {
        logins.push(username);
        done(null, { user: username });
      },
    });
    const login = { user: 'ponte', password: 'secret-word' };
    const server = { ...serverAt('smtp://mail.example.com'), host: '127.0.0.1', port: box.port, login };
    const result = await handOver(server, EMAIL);
    expect(result).toMatchObject({ state: 'failed' });
    expect(JSON.stringify(result)).not.toContain('secret-word');
    expect(logins).toEqual([]);
  });

  it('logs in, and fails for another try where the password is wrong', async () => {
    const box = await mailbox({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        password === 'right:%' ? done(null, { user: username }) : done(new Error('no')),
    });
    expect(await hand(`smtp://ponte:right%3A%25@127.0.0.1:${box.port}`)).toEqual({ state: 'taken' });
    const wrong = `smtp://ponte:wrong-word@127.0.0.1:${box.port}`;
    expect(await hand(wrong)).toEqual({
      state: 'failed',
      reason: 'the mail server does not take the user and password of SMTP_URL',
    });
    expect(await tryMailServer(serverAt(wrong))).toContain('SMTP_URL');
    expect(await tryMailServer(serverAt(`smtp://ponte:right%3A%25@127.0.0.1:${box.port}`))).toBeUndefined();
  });

  it('fails where nothing listens', async () => {
    const box = await mailbox();
    await box.stop();
    open.length = 0;
    expect(await hand(`smtp://127.0.0.1:${box.port}`)).toEqual({
      ...{ state: 'failed', reason: 'the mail server cannot be reached (ECONNREFUSED)' },
    });
  });
});
