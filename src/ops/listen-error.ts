/** What to do about what the system says. */
const REMEDIES: Readonly<Record<string, (address: string, prefix: string) => string>> = {
  EADDRINUSE: (address, prefix) =>
    `another program listens on ${address}: stop it, or set ${prefix}PORT to a port that is free`,
  EACCES: (address, prefix) =>
    `this user may not listen on ${address}: set ${prefix}PORT to a port above 1023`,
  EADDRNOTAVAIL: notOfThisMachine,
  ENOTFOUND: notOfThisMachine,
};

/** The service cannot listen. The message is one line for whoever starts Ponte: what is wrong and what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(
    message: string,
    /** As the system names it: `EADDRINUSE`. */
    readonly code: string,
  ) {
    super(message);
  }
}

/**
 * Listens.
 * @param prefix of the names of the settings that say where: `''` or `ADMIN_`
 * @throws ListenError with one line where the system refuses it; any other error as it is
 */
export async function listenOrExplain<T>(
  { host, port }: { readonly host: string; readonly port: number },
  prefix: '' | 'ADMIN_',
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // Not the system: whoever mends it needs to see where it comes from.
    if (code === undefined) throw error;
    const remedy = REMEDIES[code];
    if (remedy) throw new ListenError(remedy(`${host}:${port}`, prefix), code);
    throw new ListenError(`${host}:${port} cannot be listened on: ${message}`, code);
  }
}

function notOfThisMachine(address: string, prefix: string): string {
  return `${address} is no address of this machine: set ${prefix}HOST to one that is, such as 127.0.0.1 or 0.0.0.0`;
}
