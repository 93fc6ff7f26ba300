/** Something without which Ponte cannot do its work. */
export interface HealthSource {
  /** Short name for operators: `database`, `worker`. */
  readonly name: string;
  /**
   * Looks now; should take well under a second.
   * @returns why the process should get no work at present, in a few words without secrets; undefined when all is well
   */
  check(): Promise<string | undefined>;
}

/** Where rooms register what readiness depends on; `ops/` serves it. */
export abstract class Health {
  abstract register(source: HealthSource): void;
}
