/** Something that Ponte's work depends on. */
export interface HealthSource {
  /** Short name for operators: `database`, `worker`. */
  readonly name: string;
  /**
   * What it means when something is wrong: the process should get no work at present, or it goes on as well as it
   * can and an operator should check why.
   */
  readonly when: 'unavailable' | 'degraded';
  /**
   * Checks now; should take well under a second.
   * @returns what is wrong, in a few words without secrets; undefined when all is well
   */
  check(): Promise<string | undefined> | string | undefined;
}

/** Where modules register what readiness depends on; `ops/` serves it. */
export abstract class Health {
  abstract register(source: HealthSource): void;
}
