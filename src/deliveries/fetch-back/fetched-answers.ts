import type { FetchedAnswer } from '../../sources/source';

/** As it stands in the stored list. */
interface StoredAnswer {
  name: string;
  status: number;
  /** Its bytes as text, or in base64 where they are no UTF-8. */
  text?: string;
  base64?: string;
}

/** The answers as they are stored with a delivery: a JSON list, each answer's text as it came. */
export function encodeAnswers(answers: readonly FetchedAnswer[]): Uint8Array<ArrayBuffer> {
  const stored = answers.map(({ name, status, body }): StoredAnswer => {
    const text = body.toString('utf8');
    return Buffer.from(text, 'utf8').equals(body)
      ? { name, status, text }
      : { name, status, base64: body.toString('base64') };
  });
  return new Uint8Array(Buffer.from(JSON.stringify(stored), 'utf8'));
}

/** What {@link encodeAnswers} wrote. */
export function decodeAnswers(stored: Uint8Array): FetchedAnswer[] {
  const answers = JSON.parse(Buffer.from(stored).toString('utf8')) as StoredAnswer[];
  return answers.map(({ name, status, text, base64 }) => ({
    name,
    status,
    body: base64 === undefined ? Buffer.from(text ?? '', 'utf8') : Buffer.from(base64, 'base64'),
  }));
}
