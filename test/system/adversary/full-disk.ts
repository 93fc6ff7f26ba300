import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shopifyOrder } from '../../../scripts/demo/shop-orders';
import { cpfNumber } from '../../support/documents';
import { exchange } from './exchange';
import { ATTACKED, isPutOff, type Target } from './target';
import { signed } from './webhooks';

/** Preloaded into the service, so that its disk can be as full as a file says. */
export const FULL_DISK = ['--require', join(__dirname, 'no-room.cjs')];

/** Too little to go on with, and enough to say so. */
const LOW_BYTES = 40_000_000;
/** How long the service may take to say that it cannot go on: with 503, or by ending. */
const WITHIN_MS = 30_000;
const CONNECTIONS = 4;
const FULL_FOR_MS = 6_000;
const PUT_OFF = '503, come back';

/** A service on the embedded database whose disk runs full. */
export class FullDisk {
  /** Identifiers of the deliveries that were acknowledged. */
  private readonly acknowledged: string[] = [];
  private sent = 0;

  /** @param roomFile the path that the service was started with in ADVERSARY_ROOM */
  constructor(
    private readonly target: Target,
    private readonly roomFile: string,
  ) {}

  /** Orders that are taken while there is room. */
  async before(count: number): Promise<string[]> {
    for (let index = 0; index < count; index += 1) {
      const answer = await this.order();
      if (answer !== '200') return [`with room, an order was answered ${answer}`];
    }
    return [];
  }

  /** Little room: what comes in is put off, early and in so many words, and health says why. */
  async low(): Promise<string[]> {
    writeFileSync(this.roomFile, String(LOW_BYTES));
    const putOff = await this.untilPutOff();
    if (putOff !== undefined) return [`with ${LOW_BYTES} bytes left, ${putOff}`];
    const ready = await exchange(this.target.url, {
      method: 'GET',
      path: '/health/ready',
      patienceMs: 5_000,
    });
    return /ok/.test(ready.text) && !/degraded|unavailable/.test(ready.text)
      ? ['with little room, /health/ready says ok']
      : [];
  }

  /** From one moment to the next, no room at all: the process puts off what comes, or ends; it does not hang. */
  async full(): Promise<string[]> {
    // First nothing can grow, then nothing can be written at all: small orders come as far as the write-ahead log.
    return [...(await this.without('0', 20_000)), ...(await this.without('none', 0))];
  }

  private async without(room: string, padding: number): Promise<string[]> {
    if (!this.target.running) return [];
    writeFileSync(this.roomFile, room);
    const until = Date.now() + FULL_FOR_MS;
    const answers = new Set<string>();
    const send = async (): Promise<void> => {
      while (this.target.running && Date.now() < until) {
        answers.add(await this.order(padding));
        await sleep(20);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, send));
    return this.target.running ? this.unwell(room, answers) : this.silent();
  }

  /** It runs: then it answers, orders as well as the question whether it lives. */
  private async unwell(room: string, answers: ReadonlySet<string>): Promise<string[]> {
    const odd = [...answers].filter((answer) => answer !== '200' && answer !== PUT_OFF);
    const live = await exchange(this.target.url, { method: 'GET', path: '/health/live', patienceMs: 10_000 });
    if (!this.target.running) return this.silent();
    if (live.status !== 200) odd.push(`/health/live: ${live.status} ${live.error}`);
    return odd.map((answer) => `with a full disk (${room}), an order was answered ${answer}`);
  }

  private silent(): string[] {
    const said = this.target.log.some(({ line }) => /space|full|ENOSPC|53100|I\/O/i.test(line));
    return said ? [] : ['it ended without a line that says why'];
  }

  /** It ends when it is asked to, however full the disk is. */
  async ends(): Promise<string[]> {
    if (!this.target.running) return [];
    const code = await this.target.stop(20_000);
    return code === undefined ? ['with a full disk, SIGTERM did not end it'] : [];
  }

  /** With room again, it starts, and everything that was acknowledged is there and worked on. */
  async after(): Promise<string[]> {
    rmSync(this.roomFile, { force: true });
    await this.target.startAgain();
    const missing: string[] = [];
    for (const id of this.acknowledged) {
      const found = await this.target
        .admin('GET', `/${ATTACKED}/deliveries/${id}`)
        .then(() => true)
        .catch(() => false);
      if (!found) missing.push(id);
    }
    const answer = await this.order();
    return [
      ...(missing.length > 0
        ? [`${missing.length} of ${this.acknowledged.length} acknowledged deliveries are gone`]
        : []),
      ...(answer === '200' ? [] : [`with room again, an order was answered ${answer}`]),
    ];
  }

  /** Sends orders until one is put off. @returns what was answered last, when none was in time */
  private async untilPutOff(): Promise<string | undefined> {
    const deadline = Date.now() + WITHIN_MS;
    let last = 'nothing was answered';
    let met = false;
    const send = async (): Promise<void> => {
      while (!met && Date.now() < deadline) {
        last = await this.order();
        met ||= last === PUT_OFF;
        await sleep(20);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, send));
    return met ? undefined : `an order was answered ${last}, for ${WITHIN_MS / 1000} s`;
  }

  /** @param padding spaces after the body, so that the disk fills quickly. @returns its answer, in short */
  private async order(padding = 20_000): Promise<string> {
    this.sent += 1;
    const order = {
      id: 1_000_000_000_000 + this.sent,
      number: this.sent,
      total: '10.00',
      name: `Cliente ${this.sent} ${'x'.repeat(200)}`,
      document: cpfNumber(100_000 + this.sent),
      email: 'caio@example.com',
      instalments: 12,
    };
    const body = `${shopifyOrder(order, true).toString('utf8')}${' '.repeat(padding)}`;
    const request = signed({ source: 'shopify', topic: 'orders/paid', id: `f-${this.sent}`, body });
    const reply = await exchange(this.target.url, { ...request, patienceMs: 10_000 });
    if (reply.status === 200)
      this.acknowledged.push((JSON.parse(reply.text) as { delivery: string }).delivery);
    if (isPutOff(reply)) return PUT_OFF;
    return `${reply.status} ${reply.error ?? ''}`.trim();
  }
}
