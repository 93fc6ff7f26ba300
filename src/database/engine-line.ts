/** Takes what is asked of the embedded engine to it, and its answers back. */
export interface EngineLine {
  /**
   * Asks in PostgreSQL's protocol. What is asked first is carried out first.
   * @param connection a number of its own for each connection
   * @param messages whole ones, in a buffer of their own, which may be taken away
   */
  ask(connection: number, messages: Uint8Array<ArrayBuffer>): void;

  /** @param heard called with the answers, whole messages, and the number of the connection that asked */
  onAnswer(heard: (connection: number, answers: Uint8Array) => void): void;

  /** Ends the engine once all that was asked is done. */
  close(): Promise<void>;
}
