import { randomBytes } from 'node:crypto';
import { unacceptable } from '../../kernel/problem';

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;
/** Bytes of a secret, as Standard Webhooks has them. */
const [FEWEST_BYTES, MOST_BYTES, MADE_BYTES] = [24, 64, 32];

export function isEndpointName(name: string): boolean {
  return NAME.test(name);
}

/** @throws Problem validation-failed */
export function readEndpointName(name: string): string {
  if (isEndpointName(name)) return name;
  throw unacceptable('/name', 'name', 'must be lower-case letters and digits, with hyphens between');
}

/**
 * @throws Problem validation-failed: it is no https address, or names a user or a fragment. http is left to this machine,
 *   which is checked when a message is sent
 */
export function readEndpointUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw unacceptable('/url', 'url', 'must be an https address');
  if (url.protocol === 'http:' && !isThisMachine(url.hostname))
    throw unacceptable('/url', 'url', 'must be https, unless it is on this machine');
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    throw unacceptable('/url', 'url', 'must have no user and no fragment');
  return url.href;
}

/** @returns with `made` where none was given @throws Problem validation-failed, without the secret */
export function readEndpointSecret(text: string | undefined): { secret: string; made: boolean } {
  if (text === undefined)
    return { secret: `whsec_${randomBytes(MADE_BYTES).toString('base64')}`, made: true };
  const secret = text.trim();
  const bytes = Buffer.from(SECRET.exec(secret)?.[1] ?? '', 'base64').length;
  if (bytes < FEWEST_BYTES || bytes > MOST_BYTES)
    throw unacceptable('/secret', 'secret', 'must be whsec_ and base64 of 24 to 64 bytes');
  return { secret, made: false };
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
