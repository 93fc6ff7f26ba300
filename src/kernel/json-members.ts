import { isObject } from './json-object';
import type { LosslessJson } from './lossless-json';

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * Whether an object somewhere in JSON has two members of one name. Of these only the last is in what was read, so that fewer
 * members were read than there are colons outside of texts.
 * @param bytes JSON that was read without fault
 * @param json what was read of it
 */
export function hasMemberTwice(bytes: Uint8Array, json: LosslessJson): boolean {
  return colonsIn(bytes) > membersOf(json);
}

function colonsIn(bytes: Uint8Array): number {
  let colons = 0;
  let inText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) inText = !inText;
    else if (inText && byte === BACKSLASH) at += 1;
    else if (!inText && byte === COLON) colons += 1;
  }
  return colons;
}

function membersOf(json: LosslessJson): number {
  const isList = Array.isArray(json);
  if (!isList && !isObject(json)) return 0;
  let members = 0;
  for (const value of Object.values(json)) members += membersOf(value) + (isList ? 0 : 1);
  return members;
}
