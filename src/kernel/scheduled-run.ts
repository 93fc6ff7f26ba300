/** Work that a scheduler begins again and again: never twice at once, and what fails is left to the next time. */
export class ScheduledRun {
  private underWay: Promise<void> | undefined;

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

  /** Runs it once, from its beginning: after what is under way, which may not see what was just written. */
  async afresh(): Promise<void> {
    while (this.underWay) await this.underWay;
    await this.tick();
  }

  /** Waits for what is under way. */
  async ended(): Promise<void> {
    await this.underWay;
  }

  private async once(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.failed(error);
    }
  }
}
