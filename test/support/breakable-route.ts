import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Both ends of one connection. */
interface Link {
  near: Socket;
  far: Socket;
  /** Nothing is forwarded, not even that an end has closed. */
  blocked: boolean;
}

/**
 * A route to a PostgreSQL server that a test can cut and mend, and on which packets can be lost: then nothing arrives
 * any more in either direction, and neither end learns of it. (Keep-alives are answered all the same: they end here.)
 */
export class BreakableRoute {
  private readonly links = new Set<Link>();
  private isDown = false;

  private constructor(
    /** Connection string of the same database by this route. */
    readonly url: string,
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async to(databaseUrl: string): Promise<BreakableRoute> {
    const target = new URL(databaseUrl);
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const way = new URL(databaseUrl);
    way.host = `127.0.0.1:${port}`;
    const route = new BreakableRoute(way.href, server, port);
    server.on('connection', (near) => route.forward(near, Number(target.port || 5432), target.hostname));
    return route;
  }

  /** From now on what is connected gets nothing through. New connections work. @returns how many it was */
  blockOpen(): number {
    for (const link of this.links) block(link);
    return this.links.size;
  }

  /** The host is gone from the network: nothing gets through, on new connections neither. */
  vanish(): void {
    this.isDown = true;
    this.blockOpen();
  }

  /** The host is back: what was on its way arrives now. */
  comeBack(): void {
    this.isDown = false;
    for (const link of this.links) {
      link.blocked = false;
      for (const socket of [link.near, link.far]) socket.resume();
      closeTogether(link);
    }
  }

  /** Breaks what is connected and refuses what comes, until it is mended. */
  async cut(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const { near, far } of this.links) [near, far].forEach((socket) => socket.destroy());
    await closed;
  }

  /** New connections work again. */
  async mend(): Promise<void> {
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
  }

  private forward(near: Socket, port: number, host: string): void {
    const far = connect(port, host);
    const link: Link = { near, far, blocked: false };
    this.links.add(link);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('data', (chunk) => void other.write(chunk)).on('error', () => undefined);
      socket.on('end', () => void (link.blocked || other.end()));
      socket.on('close', () => {
        if (near.destroyed && far.destroyed) this.links.delete(link);
        if (!link.blocked) closeTogether(link);
      });
    }
    if (this.isDown) block(link);
  }
}

function block(link: Link): void {
  link.blocked = true;
  link.near.pause();
  link.far.pause();
}

/** What is closed at one end is closed at the other. */
function closeTogether({ near, far }: Link): void {
  if (near.readableEnded) far.end();
  if (far.readableEnded) near.end();
  if (near.destroyed || far.destroyed) [near, far].forEach((socket) => socket.destroy());
}
