import { quote } from "../../json.js";
import { timeOfDay } from "../constraints.js";
import { rule, type Rules } from "../rules.js";

const duringRanges = "ONLY_DURING_RANGES";
// Enumerations are open: an unknown value may or may not take ranges.
const withoutRanges = ["ALL_DAY", "NEVER", ""];
const isTime = new RegExp(timeOfDay);

interface DaySchedule {
  active: string;
  ranges: { start_hh_mm: string; end_hh_mm: string }[];
}

export const schedule: Rules = {
  Schedule: rule<{ timezone: string; weekly_schedule: object }>(({ timezone = "", weekly_schedule }, report) => {
    if (timezone === "") {
      if (weekly_schedule !== undefined) report("timezone", "is required");
    } else if (!isTimeZone(timezone)) {
      report("timezone", `expected an IANA time zone like Europe/Berlin, got ${quote(timezone)}`);
    }
  }),
  DaySchedule: rule<DaySchedule>(({ active = "", ranges = [] }, report) => {
    if (active === duringRanges && ranges.length === 0) {
      report("ranges", `is required if active is ${quote(duringRanges)}`);
    }
    if (withoutRanges.includes(active) && ranges.length > 0) {
      report("ranges", `needs active ${quote(duringRanges)}, got ${quote(active)}`);
    }
    // Times of this form are in the order of their texts. A range that ends at or before its start ends on the next day.
    const sorted = ranges
      .map(({ start_hh_mm: start = "", end_hh_mm: end = "" }, i) => ({ start, end, i }))
      .filter(({ start, end }) => isTime.test(start) && isTime.test(end))
      .map((range) => (range.end > range.start ? range : { ...range, end: "24:00" }))
      .sort((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)));
    let latest: (typeof sorted)[number] | undefined;
    for (const range of sorted) {
      const { start, end, i } = range;
      if (latest !== undefined && start < latest.end) report(`ranges[${i}]`, `overlaps ranges[${latest.i}]`);
      if (latest === undefined || end > latest.end) latest = range;
    }
  }),
};

function isTimeZone(timeZone: string): boolean {
  // Newer JavaScript engines accept offsets like +01:00 too, which are not IANA names.
  if (/^[+-]/.test(timeZone)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}
