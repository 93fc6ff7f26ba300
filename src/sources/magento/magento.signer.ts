import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { MessageToSign } from '../source';

const KEY_PATH = '/prod/keys/pub-key-of-this-process.pem';
const RECIPIENT = /("recipient_?client_?id"\s*:\s*)"[^"]*"/g;

let pair: { publicKey: KeyObject; privateKey: KeyObject } | undefined;

/** Made for the first message: nobody but Adobe has Adobe's, and none that stands in the code could be kept from being trusted. */
function keys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return (pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 }));
}

/** Signs as Adobe does, with a key of this process: only who takes {@link signerKeys} for Adobe's believes it. */
export function signAsAdobe({ body }: MessageToSign): Record<string, string> {
  return {
    'content-type': 'application/cloudevents+json; charset=UTF-8',
    'x-adobe-public-key1-path': KEY_PATH,
    'x-adobe-digital-signature-1': sign('sha256', Buffer.from(body), keys().privateKey).toString('base64'),
  };
}

/** What {@link signAsAdobe} signs with, by its path. */
export function signerKeys(): Record<string, string> {
  return { [KEY_PATH]: keys().publicKey.export({ type: 'spki', format: 'pem' }).toString() };
}

/** The same event for another recipient. */
export function addressedTo(body: Buffer, clientId: string): Buffer {
  const named = (_all: string, name: string): string => `${name}${JSON.stringify(clientId)}`;
  return Buffer.from(body.toString('utf8').replace(RECIPIENT, named));
}
