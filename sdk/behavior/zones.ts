import { secondsPer } from "../../provider/base/durations";
import { tried } from "../../provider/wire/json";

const daySecs = secondsPer.d;

/** A time in which a zone's offset from UTC does not change. */
interface OffsetSpan {
  readonly start: number;
  readonly end: number;
  /** Local time minus UTC, in seconds. */
  readonly offset: number;
}

/** The offsets of one time zone. Asking Intl takes microseconds, so those of midnights are kept. */
export class Zone {
  static readonly #known = new Map<string, Zone>();
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  /** @throws RangeError if there is no such zone. */
  static named(name: string): Zone {
    const zone = Zone.#known.get(name) ?? new Zone(name);
    Zone.#known.set(name, zone);
    return zone;
  }

  /** Undefined if there is no such zone. */
  static find(name: string): Zone | undefined {
    return tried(() => Zone.named(name));
  }

  private constructor(name: string) {
    // Node.js accepts offsets like +01:00 too, which are not IANA names.
    if (/^[+-]/.test(name)) throw new RangeError(`${name} is an offset`);
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  }

  /** The spans of constant offset that cover [from, to), in order. */
  *spans(from: number, to: number): Generator<OffsetSpan> {
    let start = from;
    for (let day = Math.floor(from / daySecs) * daySecs; day < to; day += daySecs) {
      const [before, after] = [this.offsetAt(day), this.offsetAt(day + daySecs)];
      if (before === after) continue;
      const change = this.#changeWithin(day);
      if (change > start && change < to) {
        yield { start, end: change, offset: before };
        start = change;
      }
    }
    if (start < to) yield { start, end: to, offset: this.offsetAt(to - 1) };
  }

  /** Local time minus UTC, in seconds. */
  offsetAt(time: number): number {
    const known = this.#offsets.get(time);
    if (known !== undefined) return known;
    const parts = this.#format.formatToParts(time * 1000).map(({ type, value }) => [type, Number(value)] as const);
    const { year, month, day, hour, minute, second } = Object.fromEntries(parts) as Record<string, number>;
    const local = Date.UTC(Number(year), Number(month) - 1, day, hour, minute, second) / 1000;
    const offset = local - Math.floor(time);
    if (time % daySecs === 0) this.#offsets.set(time, offset);
    return offset;
  }

  /** The second at which the offset changes between midnight UTC of one day and the next. */
  #changeWithin(day: number): number {
    const before = this.offsetAt(day);
    let [low, high] = [day, day + daySecs];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }
}
