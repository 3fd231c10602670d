import type { Problem } from "../../errors.js";
import { quote } from "../../json.js";
import { Problems } from "../rules.js";

interface Day {
  readonly active?: string;
  readonly ranges?: readonly { readonly start_hh_mm?: string; readonly end_hh_mm?: string }[];
}

export interface Schedule {
  readonly timezone?: string;
  readonly weekly_schedule?: Readonly<Record<string, Day>>;
}

const duringRanges = "ONLY_DURING_RANGES";
// Enumerations are open: an unknown value may or may not take ranges.
const withoutRanges = ["ALL_DAY", "NEVER", ""];
const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/;

export function scheduleProblems(schedule: Schedule): readonly Problem[] {
  const problems = new Problems();
  const { timezone = "", weekly_schedule } = schedule;
  if (timezone === "" && weekly_schedule !== undefined) problems.require("schedule.timezone", timezone);
  if (timezone !== "" && !isTimeZone(timezone)) {
    problems.add("schedule.timezone", `expected an IANA time zone like Europe/Berlin, got ${quote(timezone)}`);
  }
  for (const [day, { active = "", ranges = [] }] of Object.entries(weekly_schedule ?? {})) {
    const path = `schedule.weekly_schedule.${day}`;
    if (active === duringRanges && ranges.length === 0) {
      problems.add(`${path}.ranges`, `is required if active is ${quote(duringRanges)}`);
    }
    if (withoutRanges.includes(active) && ranges.length > 0) {
      problems.add(`${path}.ranges`, `needs active ${quote(duringRanges)}, got ${quote(active)}`);
    }
    ranges.forEach(({ start_hh_mm: start = "", end_hh_mm: end = "" }, i) => {
      if (!timeOfDay.test(start)) {
        problems.add(`${path}.ranges[${i}].start_hh_mm`, `expected HH:MM from 00:00 to 23:59, got ${quote(start)}`);
      }
      if (!timeOfDay.test(end) && end !== "24:00") {
        problems.add(`${path}.ranges[${i}].end_hh_mm`, `expected HH:MM from 00:00 to 24:00, got ${quote(end)}`);
      }
    });
  }
  return problems.found;
}

// Cached: a new formatter takes 50 µs, and a service sees few zones.
const known = new Map<string, boolean>();

function isTimeZone(name: string): boolean {
  const answer = known.get(name) ?? canFormatIn(name);
  if (known.size < 1_000) known.set(name, answer);
  return answer;
}

function canFormatIn(timeZone: string): boolean {
  // Newer JavaScript engines accept offsets like +01:00 too, which are not IANA names.
  if (/^[+-]/.test(timeZone)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}
