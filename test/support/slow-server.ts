import { Controller, Get, Module, OnApplicationShutdown, Query } from '@nestjs/common';
import { createApp } from '../../src/http/create-app';
import { ListenerPool } from '../../src/ops/listener-pool';
import { Shutdown } from '../../src/ops/shutdown';

/** Delays every `/slow` request until `/release` is asked for, so that a test decides when replies leave. */
@Controller()
class SlowController {
  private waiting: (() => void)[] = [];

  @Get('slow')
  async slow(@Query('name') name: string): Promise<{ name: string; roomsOpen: boolean }> {
    process.stdout.write('holding\n');
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
    });
    return { name, roomsOpen: Room.open };
  }

  @Get('fast')
  fast(): object {
    return {};
  }

  release(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Stands for the database: it must be open while replies are in flight. */
class Room implements OnApplicationShutdown {
  static open = true;

  onApplicationShutdown(): void {
    Room.open = false;
    process.stdout.write('closed\n');
  }
}

@Module({
  controllers: [SlowController],
  providers: [Room, ListenerPool, Shutdown],
})
class SlowModule {}

async function main(): Promise<void> {
  const app = await createApp(SlowModule);
  await app.init();
  await app.get(ListenerPool).open(app, { port: 0, host: '127.0.0.1' });
  app.get(Shutdown).onSignals(app, process, Number(process.env['GRACE_MS'] ?? 0));
  process.stdin.on('data', () => app.get(SlowController).release());
  process.stdin.unref();
  process.stdout.write(`listening ${await app.getUrl()}\n`);
}

void main();
