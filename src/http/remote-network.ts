import { isIP, isIPv4 } from 'node:net';
import type { FastifyRequest } from 'fastify';

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** So many of an IPv6 address's eight groups name the network that one subscriber is given: a /64. */
const NETWORK_GROUPS = 4;

/**
 * Where a request comes from, to share out what is scarce: an IPv4 address, or the /64 of an IPv6 address, whose
 * owner can choose among all others in it. Behind a proxy that `TRUSTED_PROXIES` names it is what the proxy says.
 */
export function remoteNetworkOf(request: FastifyRequest): string {
  const { ip } = request;
  return networkOf(isIP(ip) === 0 ? (request.raw.socket.remoteAddress ?? '') : ip);
}

/** @param address IPv4 or IPv6; anything else is its own network */
export function networkOf(address: string): string {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  if (isIPv4(plain) || isIP(plain) === 0) return plain;
  const [head = '', tail] = (plain.split('%', 1)[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}
