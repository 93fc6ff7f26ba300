import { hkdfSync } from 'node:crypto';
import type { SecretsKeys } from '../../config/secrets-key';
import type { PersonNamed } from '../../events/privacy';
import { hmacSha256 } from '../../kernel/hmac';

/**
 * Tells whether two requests named the same person in the same way, and cannot be turned back into who that is without the
 * key of the installation.
 */
export function digestOfPerson(
  organizationId: string,
  { document, email, phone, customerKeys = [], orderKeys = [], records = [] }: PersonNamed,
  keys: SecretsKeys,
): Buffer {
  const key = Buffer.from(hkdfSync('sha256', keys.current, Buffer.alloc(0), 'ponte privacy digest', 32));
  const said = [
    document?.replace(/[\s./-]/g, '').toUpperCase() ?? null,
    email?.trim().toLowerCase() ?? null,
    phone?.replace(/\D/g, '') ?? null,
    ...[customerKeys, orderKeys, records].map((all) => [...all].sort()),
  ];
  return hmacSha256(key, JSON.stringify([organizationId, said]));
}
