import { isUuid } from '../../../kernel/identifier';

/** A record named by its identifier or by its code, as two columns of which one is set. */
export interface RecordName {
  id?: string;
  code?: string;
}

/** Distinguishes identifiers from codes: what looks like a UUID is one. */
export function recordName(text: string | undefined): RecordName {
  if (text === undefined) return {};
  return isUuid(text) ? { id: text.toLowerCase() } : { code: text };
}
