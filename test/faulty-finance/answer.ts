/** What the service says when nothing goes wrong on the way. */
export interface Answer {
  readonly status: number;
  /** JSON data; absent: no body. */
  readonly body?: unknown;
}

/** A request that the service does not take; it has no effect. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }

  get answer(): Answer {
    const { status, code, message, members } = this;
    return { status, body: { error: code, error_description: message, ...members } };
  }
}
