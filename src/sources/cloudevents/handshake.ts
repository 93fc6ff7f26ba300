import { textSetting } from '../settings';
import type { HandshakeReply, IncomingWebhook, Settings } from '../source';

/**
 * A sender asks before its first event whether it may send here at all. Those that the setting `allowedOrigins` names may;
 * nobody else hears that there is a source.
 */
export function handshake(
  { method, headers }: IncomingWebhook,
  settings: Settings = {},
): HandshakeReply | undefined {
  const origin = headers['webhook-request-origin']?.trim().toLowerCase() ?? '';
  if (method !== 'OPTIONS' || origin === '' || !originsIn(settings).includes(origin)) return undefined;
  return {
    status: 200,
    contentType: 'text/plain',
    body: 'ok',
    headers: { allow: 'POST', 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' },
  };
}

/** The names in the setting, in lower case. */
export function originsIn(settings: Settings): string[] {
  return (textSetting(settings, 'allowedOrigins') ?? '')
    .split(',')
    .flatMap((name) => name.trim().toLowerCase() || []);
}
