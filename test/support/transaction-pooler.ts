import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Client } from 'pg';

/** What a session of the server says when it takes the next statement; with its state, `I`: in no transaction. */
const READY = 'Z';
/** What a client says at the end of what is to be answered: a simple query, the end of an extended one. */
const ENDS = new Set(['Q', 'S']);
const TERMINATE = 'X';

/** Cuts a stream into messages: a letter, and a length that counts itself. */
class Messages {
  private left: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  of(chunk: Buffer): Buffer[] {
    this.left = Buffer.concat([this.left, chunk]);
    const found: Buffer[] = [];
    for (;;) {
      const length = this.left.length < 5 ? Infinity : 1 + this.left.readInt32BE(1);
      if (this.left.length < length) return found;
      found.push(this.left.subarray(0, length));
      this.left = this.left.subarray(length);
    }
  }
}

const kindOf = (message: Buffer): string => String.fromCharCode(message[0]!);

/**
 * A pooler as PgBouncer is in transaction mode: each transaction of a client has whatever session of the server is free,
 * the one used last first, and another is opened when none is.
 */
export class TransactionPooler {
  private readonly sessions = new Set<Client>();
  private readonly free: Client[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    /** Connection string of the same database by way of the pooler. */
    readonly url: string,
    private readonly server: Server,
    private readonly target: URL,
  ) {}

  static async to(databaseUrl: string): Promise<TransactionPooler> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const way = new URL(databaseUrl);
    way.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const pooler = new TransactionPooler(way.href, server, new URL(databaseUrl));
    server.on('connection', (client) => pooler.greet(client));
    return pooler;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.sockets.forEach((socket) => socket.destroy());
    for (const session of this.sessions) session.connection.stream.destroy();
    await closed;
  }

  /** A session of its own answers for the client's identity, and is used for nothing else. */
  private greet(client: Socket): void {
    const greeter = connect(Number(this.target.port || 5432), this.target.hostname);
    for (const socket of [client, greeter])
      this.sockets.add(socket.on('error', () => socket.destroy()).on('close', () => greeter.end()));
    client.pipe(greeter);
    const messages = new Messages();
    greeter.on('data', (chunk: Buffer) => {
      for (const message of messages.of(chunk)) {
        // Set before the client can hear that it is ready.
        if (kindOf(message) === READY) this.serve(client.unpipe(greeter));
        client.write(message);
      }
    });
  }

  private serve(client: Socket): void {
    const messages = new Messages();
    let session: Client | undefined;
    let unanswered = 0;
    let turn = Promise.resolve();
    const answers = new Messages();
    const answered = (chunk: Buffer): void => {
      for (const answer of answers.of(chunk)) {
        if (kindOf(answer) === READY) {
          unanswered -= 1;
          if (unanswered === 0 && answer.toString('latin1', 5) === 'I' && session) {
            session.connection.stream.off('data', answered);
            this.free.push(session);
            session = undefined;
          }
        }
        client.write(answer);
      }
    };
    const pass = async (message: Buffer): Promise<void> => {
      if (kindOf(message) === TERMINATE) return void client.end();
      if (!session) {
        session = this.free.pop() ?? (await this.open());
        session.connection.stream.on('data', answered);
      }
      if (ENDS.has(kindOf(message))) unanswered += 1;
      session.connection.stream.write(message);
    };
    client.on('data', (chunk: Buffer) => {
      for (const message of messages.of(chunk)) turn = turn.then(() => pass(message));
    });
    client.resume();
  }

  private async open(): Promise<Client> {
    const session = new Client({ connectionString: this.target.href });
    await session.connect();
    session.connection.stream.removeAllListeners('data');
    session.connection.stream.on('error', () => undefined);
    session.on('error', () => undefined);
    this.sessions.add(session);
    return session;
  }
}
