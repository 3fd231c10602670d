import type { Zone } from "../../sdk/behavior/zones";

/** The part of each day that counts as night, in minutes after midnight; it may include midnight. */
export interface Night {
  readonly start: number;
  readonly end: number;
}

/** Reads `22:00-07:00`; undefined if the text has another form. */
export function nightOf(text: string): Night | undefined {
  const [, from = "", fromMinute = "", to = "", toMinute = ""] =
    /^([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-4]):([0-5]\d)$/.exec(text) ?? [];
  const night = { start: Number(from) * 60 + Number(fromMinute), end: Number(to) * 60 + Number(toMinute) };
  return from === "" || night.end > 1_440 || night.start === night.end ? undefined : night;
}

/** Whether a time in seconds since the epoch is in the night of a zone. */
export function isAtNight(time: number, { start, end }: Night, zone: Zone): boolean {
  const local = Math.floor((((time + zone.offsetAt(time)) % 86_400) + 86_400) / 60) % 1_440;
  return start < end ? local >= start && local < end : local >= start || local < end;
}
