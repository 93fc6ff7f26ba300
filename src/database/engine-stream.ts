import { Duplex } from 'node:stream';
import { joined } from './embedded-engine';
import type { EngineLine } from './engine-line';

/** The letter of the message by which a client leaves. There is nobody to leave: the engine is ended by whoever began it. */
const LEAVING = 'X'.charCodeAt(0);

interface Chunk {
  chunk: Uint8Array<ArrayBuffer>;
}

/** The other ends of a line. */
export class EngineConnections {
  private readonly open = new Map<number, EngineStream>();
  private last = 0;

  constructor(private readonly line: EngineLine) {
    // Answers to a connection that was given up belong to nobody.
    line.onAnswer((connection, answers) => this.open.get(connection)?.receive(answers));
  }

  /** A connection for the driver. */
  connect(): EngineStream {
    const connection = (this.last += 1);
    const stream = new EngineStream((messages) => this.line.ask(connection, messages));
    this.open.set(connection, stream);
    stream.once('close', () => this.open.delete(connection));
    return stream;
  }
}

/** What the driver takes for its socket. */
export class EngineStream extends Duplex {
  constructor(private readonly ask: (messages: Uint8Array<ArrayBuffer>) => void) {
    super();
  }

  /** Whatever the driver believes that it connects to. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  /** Takes answers of the engine. */
  receive(answers: Uint8Array): void {
    this.push(answers);
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {
    // Answers are pushed as they come.
  }

  override _write(chunk: Uint8Array<ArrayBuffer>, _: BufferEncoding, done: () => void): void {
    this._writev([{ chunk }], done);
  }

  /** The driver writes each message as one chunk. */
  override _writev(chunks: Chunk[], done: () => void): void {
    const messages = chunks.map(({ chunk }) => chunk).filter((chunk) => chunk[0] !== LEAVING);
    if (messages.length > 0) this.ask(joined(messages));
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }
}
