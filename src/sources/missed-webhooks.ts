/*
 * Webhooks that did not come: what an operator imports, and what a provider's own list says.
 */

/** What the provider would have sent. Its {@link SourceProvider.identify} names it, as it does what was received. */
export interface ImportedWebhook {
  /** What `identify` reads of the headers, such as the topic; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What it reads of the query. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What is known of a line besides itself. */
export interface AboutLine {
  /** As the operator names it for all lines; absent: not named. */
  readonly topic?: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A line within a JSON text of which it becomes a part, to the byte: no number in it loses a digit. */
export function wrapLine(before: string, line: Buffer, after: string): Buffer {
  return Buffer.concat([Buffer.from(before), line, Buffer.from(after)]);
}

/** A JSON text that names what is to be fetched. */
export function notification(content: object): Buffer {
  return Buffer.from(JSON.stringify(content));
}
