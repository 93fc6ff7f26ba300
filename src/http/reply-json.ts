import { stringify } from 'lossless-json';

/** JSON text of any reply; a bigint becomes a JSON number with all its digits. */
export function replyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify knows no bigint and says so with a TypeError; anything else wrong fails again below.
    if (error instanceof TypeError) return stringify(value) ?? 'null';
    throw error;
  }
}
