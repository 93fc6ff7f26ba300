import { v7, validate } from 'uuid';

/** A new record identifier: UUIDv7, ordered by time so that indexes stay compact. */
export function newId(): string {
  return v7();
}

/** Whether the text is a UUID of any version, in any letter case. */
export function isUuid(text: string): boolean {
  return validate(text);
}
