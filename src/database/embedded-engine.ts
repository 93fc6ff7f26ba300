import type { PGlite } from '@electric-sql/pglite';
import { storageFailureIn } from './pglite-fatal';

/** The first byte of a message with which a client begins; those of all others are letters. */
const BEGINNING = 0;

/**
 * PGlite as one session of PostgreSQL that is asked in PostgreSQL's own protocol, whoever asks. There is no other session:
 * what a client leaves behind, the next one would find, so each begins with a clean one.
 */
export class EmbeddedEngine {
  /** @param end ends all that depends on the engine when its files cannot be written any more */
  constructor(
    private readonly pglite: PGlite,
    private readonly end?: (reason: string) => never,
  ) {}

  /**
   * Carries out messages, one after another, before it returns.
   * @param messages whole ones
   * @returns the answers, whole messages too; no other memory is in their buffer
   */
  async answer(messages: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    if (messages[0] === BEGINNING) await this.clear();
    const answers = await this.execute(messages);
    const failure = storageFailureIn(answers);
    if (failure !== undefined) this.end?.(failure);
    return answers;
  }

  /** Writes what is only in memory to the files, and lets go of them. */
  async close(): Promise<void> {
    await this.pglite.close();
  }

  private async clear(): Promise<void> {
    if (this.pglite.isInTransaction()) await this.execute(queryMessage('ROLLBACK'));
    await this.execute(queryMessage('DEALLOCATE ALL'));
  }

  private async execute(messages: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    // PGlite shows its own memory, which the next part overwrites.
    const onRawData = (bytes: Uint8Array): void => void parts.push(bytes.slice());
    await this.pglite.execProtocolRawStream(messages, { syncToFs: false, onRawData });
    return parts.length === 1 && parts[0] ? parts[0] : joined(parts);
  }
}

/** A copy of all of them, in a buffer of its own. */
export function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** A statement without parameters: the letter, the length of all but the letter, the text and a zero. */
function queryMessage(text: string): Uint8Array {
  const message = Buffer.alloc(text.length + 6);
  message.write('Q');
  message.writeInt32BE(text.length + 5, 1);
  message.write(text, 5);
  return message;
}
