import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface RecordedRequest {
  /** `GET /admin/organizations?limit=2` */
  line: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ScriptedReply {
  status?: number;
  headers?: Record<string, string>;
  /** Text as it stands; anything else becomes JSON. */
  body?: unknown;
}

/** An HTTP server that writes down what it is asked and answers what the test set. */
export class RecordingServer {
  readonly requests: RecordedRequest[] = [];
  private replies: ScriptedReply[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<RecordingServer> {
    const server = createServer();
    const recording = new RecordingServer(server);
    server.on('request', (request, response) => {
      void text(request).then((body) => {
        const { method, url, headers } = request;
        recording.requests.push({ line: `${method} ${url}`, headers, body });
        const reply = recording.replies.length > 1 ? recording.replies.shift() : recording.replies[0];
        const { status = 200, body: content, headers: given } = reply ?? { status: 500 };
        const type = status < 400 ? 'application/json; charset=utf-8' : 'application/problem+json';
        response.writeHead(status, { 'content-type': type, ...given });
        response.end(
          typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content),
        );
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return recording;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on: these replies one after another, the last one for ever. */
  answer(...replies: ScriptedReply[]): void {
    this.requests.length = 0;
    this.replies = replies;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
