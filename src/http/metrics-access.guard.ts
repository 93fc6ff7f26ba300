import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList } from 'node:net';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Settings } from '../config/settings';
import { Problem } from '../kernel/problem';
import { credentialOf } from './credential';
import { KeyCheck } from './key-check';
import { isOperatorsConnection } from './listeners';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');
/** What proxies add: whoever sends one of them is not on this machine, whatever the connection says. */
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/**
 * Lets read the metrics: whoever sends `METRICS_TOKEN` or an operators' key. Where no token is set, also whoever
 * reaches the operators' own port, and programs on this machine while Ponte listens to nobody else. A public address
 * says that a proxy on this machine may pass on what others send, whether it adds headers or not.
 */
@Injectable()
export class MetricsAccessGuard implements CanActivate {
  private readonly token: Buffer | undefined;
  private readonly forThisMachine: boolean;

  constructor(
    { metricsToken, host, publicUrl, trustedProxies }: Settings,
    private readonly keys: KeyCheck,
  ) {
    this.token = metricsToken === undefined ? undefined : digestOf(metricsToken);
    this.forThisMachine = isLoopback(host) && trustedProxies === undefined && publicUrl === undefined;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (this.isOpenTo(request) || this.hasToken(request)) return true;
    const { scopes, organization } = await this.keys.keyOf(request);
    if (organization || !scopes.includes('admin'))
      throw new Problem('scope-missing', "Metrics are read with METRICS_TOKEN or the operators' key");
    return true;
  }

  private isOpenTo({ raw: { socket }, headers }: FastifyRequest): boolean {
    if (this.token) return false;
    if (isOperatorsConnection(socket)) return true;
    return (
      this.forThisMachine &&
      isLoopback(socket.remoteAddress ?? '') &&
      FORWARDED.every((name) => headers[name] === undefined)
    );
  }

  private hasToken(request: FastifyRequest): boolean {
    const given = this.token && credentialOf(request);
    return this.token !== undefined && given !== undefined && timingSafeEqual(digestOf(given), this.token);
  }
}

/** Of one length, whatever the text's: comparing takes the same time. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  return LOOPBACK.check(host, host.includes(':') ? 'ipv6' : 'ipv4');
}
