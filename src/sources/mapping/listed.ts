import type { FetchRequest } from '../source';

/** Asks for a page of a list, of which an empty one is an answer as any other, and what is not there is none. */
export function listRequest(
  name: string,
  path: string,
  query: URLSearchParams,
  headers: FetchRequest['headers'],
): FetchRequest {
  return { name, path: `${path}?${query.toString()}`, headers, answers: [] };
}

/** A line within a JSON text of which it becomes a part, to the byte: no number in it loses a digit. */
export function wrapLine(before: string, line: Buffer, after: string): Buffer {
  return Buffer.concat([Buffer.from(before), line, Buffer.from(after)]);
}

/** A JSON text that names what is to be fetched. */
export function notification(content: object): Buffer {
  return Buffer.from(JSON.stringify(content));
}
