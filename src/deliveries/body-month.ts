const NAME = /^delivery_body_(\d{4})_(\d{2})$/;

/** A month of UTC whose bodies stand in a table of their own. */
export class BodyMonth {
  private constructor(
    /** Its first instant. */
    readonly start: Date,
    readonly end: Date,
  ) {}

  /** @param months how many later */
  static of(instant: Date, months = 0): BodyMonth {
    const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth() + months];
    return new BodyMonth(new Date(Date.UTC(year, month)), new Date(Date.UTC(year, month + 1)));
  }

  /** @returns undefined when the table is no month's */
  static ofTable(table: string): BodyMonth | undefined {
    const [, year, month] = NAME.exec(table) ?? [];
    return year && month ? BodyMonth.of(new Date(`${year}-${month}-01T00:00:00Z`)) : undefined;
  }

  /** `2026-11`. */
  get name(): string {
    return this.start.toISOString().slice(0, 7);
  }

  /** `delivery_body_2026_11`; safe to stand in a statement. */
  get table(): string {
    return `delivery_body_${this.name.replace('-', '_')}`;
  }
}
