import { sampleValue } from "./answer";

const [quote, comma, minus, dot, zero, open, close] = [...'",-.0[]'].map((each) => each.charCodeAt(0));

/** Reads the samples in an answer's JSON as Prometheus writes them: `[[1760000000,"0.5"],[1760000060,"1e-7"]]`. */
export class SampleScanner {
  /** Where the samples end. */
  end = 0;
  #numbers = new Float64Array(2_048);

  constructor(private readonly bytes: Buffer) {}

  /** The samples that begin at a byte, each as its time and its value; undefined if they are written in another way. */
  samplesAt(start: number): Float64Array | undefined {
    const { bytes } = this;
    let count = 0;
    let at = start;
    do {
      const first = at + 2;
      const time = bytes[at + 1] === open && bytes[first] !== zero ? this.#number(first) : NaN;
      if (bytes[this.end - 1] === dot || bytes[this.end] !== comma || bytes[this.end + 1] !== quote) return undefined;
      const value = this.#value(this.end + 2);
      if (Number.isNaN(time) || value === undefined || bytes[this.end + 1] !== close) return undefined;
      if (count === this.#numbers.length) {
        const numbers = new Float64Array(2 * count);
        numbers.set(this.#numbers);
        this.#numbers = numbers;
      }
      this.#numbers[count++] = time;
      this.#numbers[count++] = value;
      at = this.end + 2;
    } while (bytes[at] === comma);
    this.end = at + 1;
    return bytes[start] === open && bytes[at] === close ? this.#numbers.slice(0, count) : undefined;
  }

  /** Reads the value until its quote; undefined if it is none. */
  #value(start: number): number | undefined {
    const isNegative = this.bytes[start] === minus;
    const value = this.#number(isNegative ? start + 1 : start);
    if (!Number.isNaN(value) && this.bytes[this.end] === quote) return isNegative ? -value : value;
    this.end = this.bytes.indexOf('"', start);
    const text = this.bytes.toString("latin1", start, this.end);
    return /^[\w.+-]+$/.test(text) ? sampleValue(text) : undefined;
  }

  /** Reads digits with a fraction; not a number if there is none, or none of at most 18 digits. */
  #number(start: number): number {
    const { bytes } = this;
    let at = start;
    let high = 0;
    let digit = digitAt(bytes, at);
    for (; isDigit(digit); digit = digitAt(bytes, ++at)) high = high * 10 + digit;
    this.end = at;
    const digits = high === 0 ? 0 : at - start;
    if (at === start || digits > exactDigits) return NaN;
    if (bytes[at] !== dot) return high;
    const point = (at += 1);
    digit = digitAt(bytes, at);
    if (high === 0) for (; digit === 0; digit = digitAt(bytes, ++at));
    const exact = at + exactDigits - digits;
    for (; at < exact && isDigit(digit); digit = digitAt(bytes, ++at)) high = high * 10 + digit;
    const more = at;
    let low = 0;
    for (; isDigit(digit); digit = digitAt(bytes, ++at)) low = low * 10 + digit;
    this.end = at;
    return decimal(high, low, at - more, at - point);
  }
}

const digitAt = (bytes: Buffer, at: number) => (bytes[at] ?? 0) - 48;
const isDigit = (digit: number) => digit >= 0 && digit <= 9;

/** Integers of so many digits are exact, and so are these powers of 10. */
const exactDigits = 15;
const powers = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/** The number nearest to `(high * 10 ** more + low) / 10 ** decimals`; not a number if it is not found in this way. */
function decimal(high: number, low: number, more: number, decimals: number): number {
  const [scale, divisor] = [powers[more], powers[decimals]];
  if (scale === undefined || divisor === undefined || more > 3) return NaN;
  if (more === 0) return high / divisor;
  // The sums of two numbers each: what the first lacks is in the second.
  const product = high * scale;
  const whole = product + low;
  const part = low - (whole - product) + errorOf(product, high, scale);
  const about = whole / divisor;
  const back = about * divisor;
  const lacking = (whole - back - errorOf(back, about, divisor) + part) / divisor;
  // Of two numbers that are almost as near, the caller decides.
  const nearest = about + lacking * (1 - 2 ** -48);
  return nearest === about + lacking * (1 + 2 ** -48) ? nearest : NaN;
}

/** What a product lacks, exactly: Dekker's algorithm, with numbers of 26 bits. */
function errorOf(product: number, one: number, other: number): number {
  const [a, b] = [upperBits(one), upperBits(other)];
  return (one - a) * (other - b) - (product - a * b - (one - a) * b - a * (other - b));
}

/** The upper half of a number's bits. */
function upperBits(number: number) {
  const shifted = number * (2 ** 27 + 1);
  return shifted - (shifted - number);
}
