import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a PostgreSQL server that a test can cut, mend and silence. */
export class SeverableConnection {
  private readonly sockets = new Set<Socket>();

  private constructor(
    /** Connection string of the same database by this way. */
    readonly url: string,
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async to(databaseUrl: string): Promise<SeverableConnection> {
    const target = new URL(databaseUrl);
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const way = new URL(databaseUrl);
    way.host = `127.0.0.1:${port}`;
    const connection = new SeverableConnection(way.href, server, port);
    server.on('connection', (near) => {
      const far = connect(Number(target.port || 5432), target.hostname);
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        connection.sockets.add(socket);
        // What breaks on one side is broken on the other, as with any proxy.
        socket.on('error', () => other.destroy()).on('close', () => connection.sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
    return connection;
  }

  /** Breaks what is connected and refuses what comes. */
  async cut(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.sockets.forEach((socket) => socket.destroy());
    await closed;
  }

  /**
   * Nothing passes over what is connected any more, in either direction, and neither side is told; what is connected
   * from now on works. So it is where a firewall forgets connections, or a process is stopped.
   */
  silence(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  async mend(): Promise<void> {
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
  }
}
