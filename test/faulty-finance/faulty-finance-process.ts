import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CompanySettings } from './company';
import type { Control } from './control';
import type { Asked, Effect, Report } from './judge';
import type { Lag } from './lag';
import type { ScriptedFault, Weather } from './weather';

const ROOT = join(__dirname, '../..');

/** The faulty finance service in a process of its own, so that what happens to others does not touch it. */
export class FaultyFinanceProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** The service's root, without a slash at the end. */
    readonly url: string,
    private readonly control: string,
  ) {}

  static async start(companies: readonly CompanySettings[]): Promise<FaultyFinanceProcess> {
    const script = [join(ROOT, 'scripts/run-ts.cjs'), join(__dirname, 'main.ts'), JSON.stringify(companies)];
    const child = spawn(process.execPath, script, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    const [first] = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
    if (typeof first !== 'string') throw new Error('the finance service ended before it listened');
    const { url, control } = JSON.parse(first) as { url: string; control: string };
    return new FaultyFinanceProcess(child, url, control);
  }

  async script(...faults: ScriptedFault[]): Promise<void> {
    await this.tell('script', faults);
  }

  /** @param weather undefined: a calm day */
  async weather(weather: Weather | undefined): Promise<void> {
    await this.tell('weather', weather ?? null);
  }

  /** Sets how far all listings are behind what was written. */
  async lagBy(lag: Lag): Promise<void> {
    await this.tell('lag', lag);
  }

  async shut(kind: 'refuse-others' | 'reset-others' | 'down', forMs: number): Promise<void> {
    await this.tell('shut', { kind, forMs });
  }

  /** Opens the door before its time. */
  async open(): Promise<void> {
    await this.tell('open');
  }

  /** Waits until nothing is under way. */
  async report(): Promise<Report> {
    return (await this.tell('report')) as Report;
  }

  async effects(): Promise<Effect[]> {
    return (await this.tell('effects')) as Effect[];
  }

  async requests(): Promise<Asked[]> {
    return (await this.tell('requests')) as Asked[];
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.stdin?.end();
    await exited;
  }

  private async tell(method: keyof Control, argument?: unknown): Promise<unknown> {
    const body = argument === undefined ? '' : JSON.stringify(argument);
    const reply = await fetch(`${this.control}/${method}`, { method: 'POST', body });
    if (!reply.ok) throw new Error(`the finance service: ${await reply.text()}`);
    return reply.json();
  }
}
