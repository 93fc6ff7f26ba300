/** What the client ends with, as `ponte --help` tells it. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  unreachable: 3,
  keyRefused: 4,
  notFound: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Why a command ends early. The message is for a person and holds no secrets; it may have several lines. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly exit: ExitCode,
    message: string,
  ) {
    super(message);
  }
}

/** The command was not given what it needs. */
export function wrongUsage(message: string): Failure {
  return new Failure(EXIT.usage, message);
}
