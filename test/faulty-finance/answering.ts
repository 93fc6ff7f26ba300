import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './answer';

/** Sends an answer as it should be. */
export function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { type, text } = written(request, answer);
  response.writeHead(answer.status, headersOf(type, text)).end(text);
}

/** Sends the headers and half of the body, or half of the first line where there is no body, and hangs up. */
export function sendHalf(request: IncomingMessage, answer: Answer): void {
  const whole = asBytes(request, answer);
  const head = whole.indexOf('\r\n\r\n') + 4;
  const end = whole.length > head ? head + Math.floor((whole.length - head) / 2) : 12;
  request.socket.write(whole.subarray(0, end), () => request.socket.destroy());
}

/** Sends the headers of one answer with a body that holds it twice. */
export function sendDoubleBody(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { type, text = '' } = written(request, answer);
  response.writeHead(answer.status, headersOf(type, `${text}${text}`)).end(`${text}${text}`);
}

/** Sends the whole answer two times. */
export function sendTwice(request: IncomingMessage, answer: Answer): void {
  const whole = asBytes(request, answer);
  request.socket.end(Buffer.concat([whole, whole]));
}

function asBytes(request: IncomingMessage, answer: Answer): Buffer {
  const { type, text } = written(request, answer);
  const headers = Object.entries(headersOf(type, text)).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${answer.status} Answer\r\n${headers.join('')}\r\n${text ?? ''}`);
}

function headersOf(type: string, text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  return { 'content-type': type, 'content-length': String(Buffer.byteLength(text)) };
}

/** Identifiers in XML where only that is accepted, everything else in JSON. */
function written(request: IncomingMessage, { body }: Answer): { type: string; text?: string } {
  const type = 'application/json; charset=utf-8';
  if (body === undefined) return { type };
  const wantsXml = /xml/.test(request.headers.accept ?? '') && typeof body === 'string';
  if (!wantsXml) return { type, text: JSON.stringify(body) };
  return {
    type: 'application/xml; charset=utf-8',
    text: `<guid xmlns="http://schemas.microsoft.com/2003/10/Serialization/">${String(body)}</guid>`,
  };
}
