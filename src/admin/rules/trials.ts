import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Problem } from '../../kernel/problem';
import type { CheckAnswer, CheckTask, PreviewAnswer, PreviewTask } from './trial';
import { TRIAL_THREAD } from './trial-entry';

/** Milliseconds that one document may be worked on: hundreds of times what a real one needs. */
const DEADLINE_MS = 5_000;
/** Milliseconds that a new thread may take until it has loaded what it needs. */
const START_MS = 60_000;
/** Milliseconds after which a thread without work is ended: it takes some tens of megabytes. */
const IDLE_MS = 30_000;
/** Documents that may wait for the one being worked on. */
const MOST_WAITING = 32;
/** Documents of one organization that may wait, so that there is room for those of others. */
const MOST_WAITING_OF_ONE = 8;
/** MiB of heap; a document that needs more is refused as one that takes too long. */
const HEAP_MIB = 256;

type Task = CheckTask | PreviewTask;
type Answer = CheckAnswer | PreviewAnswer;

interface Job {
  readonly organizationId: string;
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

const TOO_COSTLY = new Problem(
  'validation-failed',
  `The document takes more than ${DEADLINE_MS / 1000} s or ${HEAP_MIB} MiB to be read and tried; make it smaller`,
);

/**
 * Reads and tries rule documents in a thread beside the one that serves everybody: whatever a document says, it keeps
 * nobody else waiting, and not for long. The thread is started for the first document and ended when none has come for a
 * while.
 */
@Injectable()
export class Trials implements OnModuleDestroy {
  /** Milliseconds that one document may be worked on. */
  protected deadlineMs = DEADLINE_MS;
  /** Milliseconds that a thread without work is kept. */
  protected idleMs = IDLE_MS;
  private thread: Worker | undefined;
  private isReady = false;
  private current: Job | undefined;
  private readonly waiting: Job[] = [];
  /** For the deadline of the current job, or for the end of an idle thread. */
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param organizationId whose document it is
   * @throws Problem validation-failed when it takes too long; saturated when too many wait, or too many of its own
   */
  check(organizationId: string, task: Omit<CheckTask, 'kind'>): Promise<CheckAnswer> {
    return this.run<CheckAnswer>(organizationId, { ...task, kind: 'check' });
  }

  /** @throws Problem as {@link check} does */
  preview(task: Omit<PreviewTask, 'kind'>): Promise<PreviewAnswer> {
    return this.run<PreviewAnswer>(task.organization.id, { ...task, kind: 'preview' });
  }

  /** Whether there is a thread. */
  get isRunning(): boolean {
    return this.thread !== undefined;
  }

  async onModuleDestroy(): Promise<void> {
    const stopped = new Problem('shutting-down', 'Ponte is shutting down');
    for (const job of this.waiting.splice(0)) job.reject(stopped);
    await this.drop(stopped);
  }

  private run<A extends Answer>(organizationId: string, task: Task): Promise<A> {
    const own = this.waiting.filter((job) => job.organizationId === organizationId).length;
    if (this.waiting.length >= MOST_WAITING || own >= MOST_WAITING_OF_ONE)
      throw new Problem('saturated', 'Too many rules are being tried at once', { retryAfterSeconds: 1 });
    return new Promise<A>((resolve, reject) => {
      // A task of one kind has an answer of its kind.
      this.waiting.push({ organizationId, task, resolve: (answer) => resolve(answer as A), reject });
      this.next();
    });
  }

  private next(): void {
    if (this.current) return;
    this.current = this.waiting.shift();
    if (!this.current) {
      this.within(this.idleMs, () => this.drop()).unref();
      this.thread?.unref();
      return;
    }
    try {
      this.thread ??= this.start();
      this.thread.ref();
      this.thread.postMessage(this.current.task);
    } catch (error) {
      // No thread can be had, or the task cannot be handed over: this job fails, and the next begins anew.
      void this.drop(error);
      return;
    }
    this.within(this.isReady ? this.deadlineMs : START_MS, () => this.drop(TOO_COSTLY));
  }

  private start(): Worker {
    const thread = new Worker(TRIAL_THREAD, {
      // It needs no setting, and is to know no secret.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
    this.isReady = false;
    const ifCurrent = (work: () => void) => {
      if (thread === this.thread) work();
    };
    thread.on('message', (message: Answer | string) => ifCurrent(() => this.receive(message)));
    thread.on('error', (error: NodeJS.ErrnoException) =>
      ifCurrent(() => void this.drop(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_COSTLY : error)),
    );
    thread.on('exit', () => ifCurrent(() => void this.drop(new Error('the thread for trials ended'))));
    return thread;
  }

  private receive(message: Answer | string): void {
    if (typeof message === 'string') {
      this.isReady = true;
      if (this.current) this.within(this.deadlineMs, () => this.drop(TOO_COSTLY));
      return;
    }
    const job = this.current;
    this.current = undefined;
    job?.resolve(message);
    this.next();
  }

  /** Ends the thread. @param reason why the job it was at has failed */
  private async drop(reason?: unknown): Promise<void> {
    clearTimeout(this.timer);
    const { thread, current: job } = this;
    this.thread = undefined;
    this.current = undefined;
    job?.reject(reason);
    if (this.waiting.length > 0) this.next();
    await thread?.terminate();
  }

  private within(ms: number, end: () => Promise<void>): NodeJS.Timeout {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void end(), ms);
    return this.timer;
  }
}
