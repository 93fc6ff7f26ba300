/** Work that a scheduler begins again and again: never twice at once, and what fails is left to the next time. */
export class ScheduledRun {
  private underWay: Promise<void> | undefined;
  /** The run that whoever asked meanwhile waits for. */
  private next: Promise<void> | undefined;

  /**
   * @param run one time of it
   * @param failed gets why it failed, to log it
   */
  constructor(
    private readonly run: () => Promise<unknown>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Runs it once, unless that is under way. It never rejects. */
  async tick(): Promise<void> {
    if (this.underWay) return;
    this.underWay = this.once();
    await this.underWay;
    this.underWay = undefined;
  }

  /**
   * Waits for a run that begins from here on: what is under way may not see what was just written. All who ask meanwhile share
   * the next one. It never rejects.
   */
  async afresh(): Promise<void> {
    if (!this.underWay) return this.tick();
    this.next ??= this.afterThis(this.underWay);
    await this.next;
  }

  /** Waits for what is under way, and for what was asked for to follow it. */
  async ended(): Promise<void> {
    await (this.next ?? this.underWay);
  }

  private async afterThis(run: Promise<void>): Promise<void> {
    await run;
    this.next = undefined;
    // Another may have begun by now, which will do.
    await (this.underWay ?? this.tick());
  }

  private async once(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.failed(error);
    }
  }
}
