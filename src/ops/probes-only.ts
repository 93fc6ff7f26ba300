import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Problem } from '../kernel/problem';

const PROBES = /^\/(health\/(live|ready)|metrics)(\?|$)/;

/** Makes a process that only works on deliveries answer nothing but its orchestrator. Before `init`. */
export function serveProbesOnly(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (PROBES.test(request.url)) done();
    else
      done(
        new Problem('not-found', 'This process works on deliveries and serves only its health and metrics'),
      );
  });
}
