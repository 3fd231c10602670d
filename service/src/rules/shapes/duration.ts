const minutes: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440, w: 10_080 };

/** `90m` → 90. NaN if the text is no duration. */
export function minutesOf(duration: string): number {
  return Number(duration.slice(0, -1)) * (minutes[duration.slice(-1)] ?? NaN);
}
