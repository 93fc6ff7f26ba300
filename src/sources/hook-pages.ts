import { parseExactJson, JsonError } from '../kernel/lossless-json';
import { Payload, UnreadablePayload } from './payload';
import type { RequestBody } from './source';

/** Pages of a list of webhooks that are read; a provider with more of them is not looked through. */
const MOST_PAGES = 10;

/** @throws UnreadablePayload where so many pages came, and there is another one */
export function boundPages(pages: number): void {
  if (pages >= MOST_PAGES) throw new UnreadablePayload(`it lists more than ${MOST_PAGES} pages of webhooks`);
}

/** The objects of a JSON list, which may be empty. @param most in the list @throws UnreadablePayload */
export function listedHooks(body: Uint8Array, most: number): readonly Payload[] {
  return isEmptyList(body) ? [] : Payload.parseList(body, most);
}

/** @throws UnreadablePayload */
export function neededText(place: Payload, name: string): string {
  const text = place.text(name);
  if (text === undefined) throw new UnreadablePayload(`${place.path}.${name} is missing`);
  return text;
}

export function jsonBody(content: object): RequestBody {
  return { contentType: 'application/json', text: JSON.stringify(content) };
}

function isEmptyList(body: Uint8Array): boolean {
  try {
    const value = parseExactJson(body);
    return Array.isArray(value) && value.length === 0;
  } catch (error) {
    if (error instanceof JsonError) return false;
    throw error;
  }
}
