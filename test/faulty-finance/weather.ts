import { Random } from '../support/random';
import type { Fault } from './fault';

/** Faults at random: the same seed deals the same faults in the same order. */
export interface Weather {
  readonly seed: number;
  /** Share of the requests that meet a fault, 0 to 1. */
  readonly share: number;
  /** What they meet, each as often as its place in the list says: one that is listed twice comes twice as often. */
  readonly faults: readonly Fault[];
}

/** A fault that waits for a request. */
export interface ScriptedFault {
  /** `POST /customers`: the method and the first part of the path; absent: whichever comes next. */
  readonly request?: string;
  readonly fault: Fault;
}

const FINE: Fault = { kind: 'none' };

/** Deals out faults: first what was scripted, then what the weather brings. */
export class Forecast {
  private script: ScriptedFault[] = [];
  private weather: Weather | undefined;
  private random = new Random(0);

  /** Puts faults at the end of the script; each is used once. */
  add(faults: readonly ScriptedFault[]): void {
    this.script.push(...faults);
  }

  /** Sets the weather; undefined: a calm day. The script stays. */
  set(weather: Weather | undefined): void {
    this.weather = weather;
    this.random = new Random(weather?.seed ?? 0);
  }

  /** @param request `POST /customers/…` */
  next(request: string): Fault {
    const index = this.script.findIndex((item) => request.startsWith(item.request ?? ''));
    const [scripted] = index < 0 ? [] : this.script.splice(index, 1);
    return scripted?.fault ?? this.chance();
  }

  private chance(): Fault {
    const { weather, random } = this;
    if (!weather || random.next() >= weather.share) return FINE;
    return weather.faults[random.between(0, weather.faults.length - 1)] ?? FINE;
  }
}
