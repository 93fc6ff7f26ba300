/** The database cannot be opened. The message is one line for whoever starts Ponte: what is wrong and what to do. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}
