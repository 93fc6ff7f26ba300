import { Refusal } from './answer';

/** The body of a request, read field by field. Amounts become whole hundredths. */
export class Fields {
  private constructor(private readonly data: Readonly<Record<string, unknown>>) {}

  /** @throws Refusal when it is no object */
  static of(data: unknown): Fields {
    if (typeof data !== 'object' || data === null || Array.isArray(data)) {
      throw new Refusal(400, 'malformed', 'the body is not an object');
    }
    return new Fields(data as Record<string, unknown>);
  }

  text(name: string): string {
    return this.optionalText(name) ?? missing(name);
  }

  optionalText(name: string): string | undefined {
    const value = this.data[name] ?? undefined;
    if (value === undefined || typeof value === 'string') return value === '' ? undefined : value;
    throw invalid(name);
  }

  /** The day of a date or of a date with a time. */
  day(name: string): string {
    const day = this.text(name).slice(0, 10);
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw invalid(name);
    return day;
  }

  /** In hundredths, more than nothing. */
  amount(name: string): number {
    const amount = this.anyAmount(name) ?? missing(name);
    if (amount <= 0) throw invalid(name);
    return amount;
  }

  /** In hundredths, also nothing and less; undefined where it is not there. */
  anyAmount(name: string): number | undefined {
    const value = this.data[name] ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isSafeInteger(Math.round(value * 100))) throw invalid(name);
    const hundredths = Math.round(value * 100);
    // The nearest double to an amount with two decimals, or else no such amount.
    if (hundredths / 100 !== value) throw invalid(name);
    return hundredths;
  }

  flag(name: string): boolean {
    return this.data[name] === true;
  }

  /** An object within; empty where it is not there. */
  part(name: string): Fields {
    return Fields.of(this.data[name] ?? {});
  }

  parts(name: string): Fields[] {
    const value = this.data[name] ?? [];
    if (!Array.isArray(value)) throw invalid(name);
    return value.map((item) => Fields.of(item));
  }
}

function missing(name: string): never {
  throw new Refusal(422, 'field-missing', `${name} is missing`);
}

function invalid(name: string): Refusal {
  return new Refusal(422, 'field-invalid', `${name} cannot be read`);
}
