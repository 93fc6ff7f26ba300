import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { HttpAdapterHost } from '@nestjs/core';
import { Callers } from './callers';

describe('callers', () => {
  let server: Server;
  let callers: Callers;
  let came: number;
  let sockets: Socket[];

  beforeEach(async () => {
    came = 0;
    sockets = [];
    server = createServer().on('connection', () => (came += 1));
    server.listen(0, '127.0.0.1', 1_024);
    await once(server, 'listening');
    callers = new Callers({ httpAdapter: { getInstance: () => ({ server }) } } as unknown as HttpAdapterHost);
    callers.onModuleInit();
  });

  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  function call(times: number): void {
    const { port } = server.address() as AddressInfo;
    sockets = Array.from({ length: times }, () => connect(port, '127.0.0.1'));
  }

  it('are all let in before work goes on', async () => {
    call(100);
    await callers.letIn();
    expect(came).toBe(100);
  });

  it('do not keep work from going on for ever', async () => {
    call(600);
    await callers.letIn();
    expect(came).toBeGreaterThan(200);
    expect(came).toBeLessThan(400);
  });

  it('are not waited for when there are none', async () => {
    await callers.letIn();
    expect(came).toBe(0);
  });
});
