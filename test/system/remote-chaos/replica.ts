import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningService } from '../../../scripts/demo/running-service';
import type { Random } from '../../support/random';
import { Sender } from '../load';

const SHIFTED_CLOCK = join(__dirname, 'shifted-clock.cjs');

function run(main: string, env: Record<string, string>, shiftMs: number): Promise<RunningService> {
  if (shiftMs === 0) return RunningService.start(main, env);
  const shifted = { ...env, CLOCK_SHIFT_MS: String(shiftMs) };
  return RunningService.start(main, shifted, ['--require', SHIFTED_CLOCK]);
}

/** One replica of the built service, with who sends to it, wherever it listens now. */
export class Replica {
  readonly sender: Sender;
  kills = 0;
  private acknowledged = 0;
  private killAt = Infinity;
  private killing = Promise.resolve();

  private constructor(
    private readonly main: string,
    private readonly env: Record<string, string>,
    private readonly random: Random,
    private readonly shiftMs: number,
    private service: RunningService,
  ) {
    this.sender = new Sender(env['SHOPIFY_WEBHOOK_SECRET'] ?? '', (count) => this.onAcknowledged(count));
    this.sender.aim(service.url);
  }

  /**
   * @param main path of the built `main.js`
   * @param shiftMs milliseconds by which its clock is ahead of the machine's
   */
  static async start(
    main: string,
    env: Record<string, string>,
    random: Random,
    shiftMs = 0,
  ): Promise<Replica> {
    return new Replica(main, env, random, shiftMs, await run(main, env, shiftMs));
  }

  /** Where it listens now. */
  get url(): string {
    return this.service.url;
  }

  /** Kills it shortly after it has acknowledged so many more, and starts it again. */
  killAfter(acknowledgements: number): void {
    this.killAt = this.acknowledged + acknowledgements;
  }

  /** Waits until a replica that was killed is up again. */
  async up(): Promise<void> {
    await this.killing;
  }

  /** @returns its exit code */
  async stop(): Promise<number | null> {
    await this.killing;
    return this.service.stop();
  }

  async kill(): Promise<void> {
    await this.killing.catch(() => undefined);
    await this.service.kill();
  }

  private onAcknowledged(count: number): void {
    this.acknowledged = count;
    if (count < this.killAt) return;
    this.killAt = Infinity;
    this.killing = this.killing.then(() => this.killAndRestart());
  }

  private async killAndRestart(): Promise<void> {
    // Within the work that follows the acknowledgement; upon it, too.
    await sleep(this.random.between(0, 400));
    this.sender.aim(undefined);
    await this.service.kill();
    this.kills += 1;
    this.service = await run(this.main, this.env, this.shiftMs);
    this.sender.aim(this.service.url);
  }
}
