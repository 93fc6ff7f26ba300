import type { Settings } from '../config/settings';
import { tryMailServer } from '../notifications/email/mail-client';
import { type Finding, ok, warn } from './finding';

/** Whether the mail server can be reached and takes the password; nothing is sent. Where none is set, nothing is said. */
export async function checkMailServer({ mailServer }: Settings): Promise<Finding[]> {
  if (!mailServer) return [];
  const { host, port } = mailServer;
  const failure = await tryMailServer(mailServer);
  if (failure === undefined) return [ok('mail', `the mail server ${host}:${port} takes e-mails`)];
  const todo = 'see that it runs, and SMTP_URL; what subscriptions tell waits for it for three days';
  return [warn('mail', `e-mails cannot be handed over to ${host}:${port}: ${failure}`, todo)];
}
