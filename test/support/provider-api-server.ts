import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a shop's API does with a request: answers it, or leaves it unanswered. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** A shop's API: an HTTP server that behaves as the test says, and knows what it was asked. */
export class ProviderApiServer {
  /** `GET /orders/7`, in the order of their arrival. */
  readonly asked: string[] = [];

  private constructor(
    private readonly server: Server,
    private behaviour: Behaviour,
  ) {}

  static async start(behaviour: Behaviour): Promise<ProviderApiServer> {
    const server = createServer();
    const api = new ProviderApiServer(server, behaviour);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      api.asked.push(`${request.method} ${request.url}`);
      api.behaviour(request, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on. */
  behave(behaviour: Behaviour): void {
    this.behaviour = behaviour;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
