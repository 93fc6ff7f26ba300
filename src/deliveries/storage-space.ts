import { statfs } from 'node:fs/promises';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../config/settings';
import { Health, type HealthSource } from '../kernel/health';
import { Metrics } from '../kernel/metrics';
import { Problem } from '../kernel/problem';
import { IntakeMetrics } from './intake-metrics';
import type { LiveSource } from './source-directory';

const MIB = 1024 * 1024;
/**
 * Bytes free in DATA_DIR below which no webhook is taken. The embedded database makes its log longer by 16 MiB at a
 * time, and what was taken before still has to be worked on.
 */
const LOW_BYTES = 64 * MIB;
/** Bytes free from which webhooks are taken again. */
const ENOUGH_BYTES = 96 * MIB;
/**
 * Bytes free below which nothing is worked on either. A full disk ends the process in the midst of its work, and whoever
 * starts it again would have that counted against the deliveries, until they are dead letters.
 */
const TOO_LOW_BYTES = 32 * MIB;
/** Bytes free from which deliveries are worked on again. */
const ENOUGH_TO_WORK_BYTES = 48 * MIB;
/** Milliseconds between two readings. */
const EVERY_MS = 1_000;
/** When a sender that is refused may send again. */
const RETRY_SECONDS = 60;

/** Reads how much space a file system has. */
@Injectable()
export class DiskSpace {
  /** @returns bytes that may still be written beside a folder; undefined where that cannot be read */
  async free(folder: string): Promise<number | undefined> {
    try {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    } catch {
      return undefined;
    }
  }
}

/**
 * Refuses webhooks before the disk of the embedded database is full, which would end the process: what is stored
 * already is worked on, as long as there is space for that. The disk of a PostgreSQL server is watched by its operators.
 */
@Injectable()
export class StorageSpace implements HealthSource, OnModuleInit, OnModuleDestroy {
  readonly name = 'storage';
  readonly when = 'degraded';
  private readonly logger = new Logger('storage');
  private timer?: NodeJS.Timeout;
  private freeBytes?: number;
  private low = false;
  private tooLow = false;

  constructor(
    private readonly settings: Settings,
    private readonly disk: DiskSpace,
    private readonly health: Health,
    private readonly metrics: Metrics,
    private readonly intake: IntakeMetrics,
  ) {}

  async onModuleInit(): Promise<void> {
    this.health.register(this);
    this.metrics.gauge(
      'ponte_storage_free_bytes',
      'Bytes left in DATA_DIR for the embedded database; NaN: not a number, on PostgreSQL',
      () => this.freeBytes ?? NaN,
    );
    if (this.settings.databaseUrl !== undefined) return;
    await this.read();
    this.timer = setInterval(() => void this.read(), EVERY_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Whether no delivery may be worked on at present. */
  get tooLowToWork(): boolean {
    return this.tooLow;
  }

  /** What a sender is answered while space is low; undefined: its webhook can be stored. */
  refusal({ provider }: LiveSource): Problem | undefined {
    if (!this.low) return undefined;
    this.intake.count(provider.id, 'put-off');
    return new Problem('unavailable', 'There is too little space to store the webhook.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }

  check(): string | undefined {
    if (!this.low) return undefined;
    return `${this.left}: webhooks are refused${this.tooLow ? ', and no delivery is worked on' : ''}`;
  }

  private get left(): string {
    return `${inMib(this.freeBytes)} MiB are free in DATA_DIR`;
  }

  /** Reads how much space is left, which it does by itself every second, and acts on it. */
  async read(): Promise<void> {
    this.freeBytes = await this.disk.free(this.settings.dataDir);
    if (this.freeBytes === undefined) return;
    const low = this.freeBytes < (this.low ? ENOUGH_BYTES : LOW_BYTES);
    const tooLow = this.freeBytes < (this.tooLow ? ENOUGH_TO_WORK_BYTES : TOO_LOW_BYTES);
    if (low !== this.low) this.report(low);
    if (tooLow !== this.tooLow) this.reportWork(tooLow);
    this.low = low;
    this.tooLow = tooLow;
  }

  private report(low: boolean): void {
    if (!low) this.logger.log({ msg: `storage: ${this.left}: webhooks are taken again` });
    else
      this.logger.error({
        msg: `storage: ${this.left}: webhooks are answered 503 until there are ${inMib(ENOUGH_BYTES)}; make space, a full disk ends the process`,
      });
  }

  private reportWork(tooLow: boolean): void {
    if (!tooLow) this.logger.log({ msg: `storage: ${this.left}: deliveries are worked on again` });
    else
      this.logger.error({
        msg: `storage: ${this.left}: no delivery is worked on until there are ${inMib(ENOUGH_TO_WORK_BYTES)}; make space`,
      });
  }
}

function inMib(bytes = 0): number {
  return Math.floor(bytes / MIB);
}
