import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';

const TLS = join(__dirname, 'tls');
/** Self-signed, for `localhost`, `books.test` and 127.0.0.1, 2020 to 2120. Its key is public: for tests alone. */
export const TEST_CERTIFICATE = readFileSync(join(TLS, 'certificate.pem'), 'utf8');

export interface StubRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type StubAnswer = (response: ServerResponse, request: StubRequest, socket: Socket) => void;

/** A service of HTTP that answers as the test sets it, and remembers what it was asked. */
export class StubService {
  readonly requests: StubRequest[] = [];
  /** Connections that were ever made. */
  connections = 0;
  /** Requests that have been read and not answered, and the most there were. */
  open = 0;
  mostOpen = 0;
  answer: StubAnswer = (response) => response.end();
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: 'http' | 'https',
  ) {}

  static async start(scheme: 'http' | 'https' = 'http'): Promise<StubService> {
    const key = readFileSync(join(TLS, 'key.pem'), 'utf8');
    const server =
      scheme === 'http' ? createHttpServer() : createHttpsServer({ key, cert: TEST_CERTIFICATE });
    const service = new StubService(server, scheme);
    server.on('connection', (socket: Socket) => service.remember(socket));
    server.on('request', (request, response) => void service.serve(request, response));
    server.on('tlsClientError', () => undefined);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return service;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** @param host a name or address that leads here */
  url(host = '127.0.0.1'): string {
    return `${this.scheme}://${host}:${this.port}/api/v1`;
  }

  /** Answers everything from now on with this. */
  replies(status: number, body: string | Buffer = '', headers: Record<string, string> = {}): void {
    this.answer = (response) => response.writeHead(status, headers).end(body);
  }

  /** Connections that are open now. */
  get openConnections(): number {
    return this.sockets.size;
  }

  /** Breaks every connection there is. */
  dropAll(): void {
    this.sockets.forEach((socket) => socket.destroy());
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.dropAll();
    await closed;
  }

  private remember(socket: Socket): void {
    this.connections += 1;
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    response.on('close', () => (this.open -= 1));
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = '', url = '', headers, socket } = request;
    const asked = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    this.requests.push(asked);
    this.answer(response, asked, socket);
  }
}
