import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

/** So many are let in at once, at most: work has to get on, too. */
const MOST_AT_ONCE = 256;

/**
 * Who connects to this process. Node takes one new connection in each turn of its event loop, however many wait. While
 * this thread computes for milliseconds in every turn, callers would stand outside for minutes, unanswered; so whoever
 * computes lets them in first, in turns in which nothing else is done.
 */
@Injectable()
export class Callers implements OnModuleInit {
  private came = 0;

  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const { server } = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.on('connection', () => (this.came += 1));
  }

  /** Resolves when nobody waits to be let in, or enough have been; what has been asked meanwhile is in hand. */
  async letIn(): Promise<void> {
    // To the end of this turn: whoever it let in came before anybody asked here.
    await nextTurn();
    const most = this.came + MOST_AT_ONCE;
    for (let before = -1; this.came !== before && this.came < most; await nextTurn()) before = this.came;
  }
}
