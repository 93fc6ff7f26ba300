import { once } from 'node:events';
import { connect } from 'node:net';

/** A reply as it came over the connection. */
export interface RawReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Sends a request as it is written here, line by line, on a connection of its own. `Host`, `Connection` and
 * `Content-Length` are added.
 * @param address of the server: `http://127.0.0.1:3000`
 */
export async function sendRaw(address: string, text: string): Promise<RawReply> {
  const { hostname, port, host } = new URL(address);
  const [head = '', ...parts] = text.trim().split(/\n\s*\n/);
  const body = parts.join('\n\n').trim();
  const lines = [
    ...head.split('\n').map((line) => line.trim()),
    `Host: ${host}`,
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  await once(socket, 'close');
  return parsed(Buffer.concat(chunks).toString('utf8'));
}

function parsed(text: string): RawReply {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...fields] = text.slice(0, end).split('\r\n');
  const headers = fields.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(' ')[1]), headers: new Map(headers), body: text.slice(end + 4) };
}
