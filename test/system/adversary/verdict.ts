import type { Reply, Request } from './exchange';
import { isPutOff } from './target';

/** How much of a body a report shows. */
const SHOWN = 600;

/** What is wrong with a reply, whatever was asked; undefined: nothing. */
export function faultOf({ method, path }: Request, reply: Reply): string | undefined {
  if (reply.status === 0) return `no answer (${reply.error})`;
  if (reply.status === 503 && !isPutOff(reply)) return '503 without Retry-After';
  if (reply.status >= 500 && reply.status !== 503) return `${reply.status}`;
  if (reply.status < 400 || method === 'HEAD' || path.startsWith('/health')) return undefined;
  return problemFault(reply);
}

/** Every refusal is a problem document of its status. */
function problemFault({ status, headers, text }: Reply): string | undefined {
  const type = headers['content-type'] ?? 'none';
  if (/^application\/problem\+xml/.test(type)) {
    return text.includes(`<status>${status}</status>`) ? undefined : `${status}: no problem document`;
  }
  if (!/^application\/problem\+json/.test(type)) return `${status} in ${type}`;
  try {
    const { status: said, error } = JSON.parse(text) as { status?: unknown; error?: unknown };
    return said === status && typeof error === 'string' ? undefined : `${status}: no problem document`;
  } catch {
    return `${status}: no JSON`;
  }
}

/** A request with what was wrong about its answer, so that it can be sent again by hand. */
export function report(request: Request, reply: Reply, fault: string): string {
  const { method, path, headers = {}, body = '' } = request;
  const text = typeof body === 'string' ? body : body.toString('utf8');
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${Buffer.byteLength(text)} bytes)` : text;
  const said = Object.entries(headers)
    .filter(([name]) => !/^authorization$/i.test(name))
    .map(([name, value]) => `${name}: ${String(value).slice(0, 200)}`)
    .join(', ');
  return `${fault} from ${method} ${path.slice(0, 400)} {${said}} ${shown} -> ${reply.text.slice(0, 300)}`;
}
