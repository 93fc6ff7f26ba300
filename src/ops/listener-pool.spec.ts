import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createApp } from '../http/create-app';
import { ListenerPool } from './listener-pool';
import { Shutdown } from './shutdown';

const HOST = '127.0.0.1';
const CALLERS = 300;
/** See `ListenerPool`: Node learned in 22.12 to share a port. */
const SHARED = process.platform === 'linux' && minorOf(process.version) >= 22_012;

@Controller()
class Greeting {
  @Get('hello')
  hello(): object {
    return { hello: 'caller' };
  }
}

@Module({ controllers: [Greeting], providers: [ListenerPool, Shutdown] })
class ListeningService {}

describe('listeners', () => {
  const services: NestFastifyApplication[] = [];
  const callers: Socket[] = [];

  afterEach(async () => {
    for (const caller of callers.splice(0)) caller.destroy();
    for (const service of services.splice(0)) await service.close();
  });

  async function listeningService(): Promise<NestFastifyApplication> {
    const app = await createApp(ListeningService);
    services.push(app);
    await app.init();
    return app;
  }

  async function opened(): Promise<{ app: NestFastifyApplication; port: number }> {
    const app = await listeningService();
    await app.get(ListenerPool).open(app, { port: 0, host: HOST });
    return { app, port: (app.getHttpServer().address() as AddressInfo).port };
  }

  /** @returns ticks of the event loop until all who call at once have been let in */
  async function ticksToAccept(app: NestFastifyApplication, port: number): Promise<number> {
    let inside = 0;
    app.getHttpServer().on('connection', () => (inside += 1));
    const all = Array.from({ length: CALLERS }, () => connect(port, HOST));
    callers.push(...all);
    // To the system they are connected before the process has heard of any.
    let ticks = 0;
    for (; inside < CALLERS; ticks += 1) await nextTick();
    return ticks;
  }

  it('let many callers in at once', async () => {
    const { app, port } = await opened();
    const ticks = await ticksToAccept(app, port);
    expect(ticks).toBeLessThan(SHARED ? CALLERS / 3 : CALLERS * 3);
  });

  it('lead to the same service, whichever it is', async () => {
    const { port } = await opened();
    const replies = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const reply = await fetch(`http://${HOST}:${port}/hello`, { headers: { connection: 'close' } });
        return reply.json();
      }),
    );
    expect(replies).toEqual(replies.map(() => ({ hello: 'caller' })));
  });

  it('leave what callers say to the parser of Node', async () => {
    const { app, port } = await opened();
    const listeners = new Promise((resolve) => {
      app.getHttpServer().on('connection', (socket: Socket) => {
        setImmediate(() => resolve(socket.listenerCount('data') + socket.listenerCount('readable')));
      });
    });
    callers.push(connect(port, HOST));
    await expect(listeners).resolves.toBe(1);
  });

  it('are not shared with another service on the same port', async () => {
    const { port } = await opened();
    const second = await listeningService();
    await expect(second.get(ListenerPool).open(second, { port, host: HOST })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });

  it('are not shared with a stranger on the same port', async () => {
    const stranger = createServer().listen(0, HOST);
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    const app = await listeningService();
    await expect(app.get(ListenerPool).open(app, { port, host: HOST })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    stranger.close();
    await once(stranger, 'close');
  });

  it('are closed when those who are in have gone', async () => {
    const { app, port } = await opened();
    await ticksToAccept(app, port);
    let closed = false;
    const closing = app
      .get(ListenerPool)
      .close()
      .then(() => (closed = true));
    await expect(fetch(`http://${HOST}:${port}/hello`)).rejects.toThrow('fetch failed');
    for (const caller of callers.slice(1)) caller.destroy();
    await Promise.all(
      callers.slice(1).map(async (caller) => {
        if (!caller.closed) await once(caller, 'close');
      }),
    );
    expect(closed).toBe(false);
    for (const caller of callers.splice(0)) caller.destroy();
    await closing;
  });

  it('are all closed with the application', async () => {
    const { app, port } = await opened();
    await app.close();
    const next = createServer().listen(port, HOST);
    await once(next, 'listening');
    next.close();
  });
});

/** `v22.12.0` is 22012. */
function minorOf(version: string): number {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  return major * 1_000 + minor;
}
