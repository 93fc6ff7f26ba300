import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Counter, Metrics } from '../kernel/metrics';
import { ErasureList } from './erasure-list.repository';

/** Says whether people's data is erased in time: the law sets terms. */
@Injectable()
export class ErasureMetrics implements OnModuleInit {
  private completed: Counter | undefined;

  constructor(
    private readonly list: ErasureList,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge(
      'ponte_erasure_open_seconds',
      'How long ago the oldest erasure of a person that is not done was asked for; 0: all are done',
      async () => (await this.list.oldestOpenMs()) / 1000,
    );
    this.completed = this.metrics.counter(
      'ponte_erasures_done_total',
      'Erasures of people that this process has finished',
      [],
    );
  }

  done(): void {
    this.completed?.add({});
  }
}
