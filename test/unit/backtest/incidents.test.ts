import { expect, test } from "vitest";
import { readIncidents } from "../../../dist/cli/backtest/incidentFile.js";
import { concerns, detect, type Incident } from "../../../dist/cli/backtest/incidents.js";
import { incidentsText } from "../../../dist/cli/backtest/incidentText.js";
import { notificationsSince } from "../../../dist/sdk/behavior/notifications.js";
import type { Signal } from "../../../dist/sdk/behavior/signals.js";
import { ownFolder } from "../../support/folders.js";

const span = { from: 0, to: 10_000 };
const lead = 100;

/** What a monitor does that fires in these times: `1200-1300 2000-`, critically unless they end with `w`. */
function simulation(text: string) {
  const signals = timesIn(text).map(({ start: firedAt, end: resolvedAt, isWarning }): Signal => ({
    severity: isWarning ? "warn" : "critical",
    labels: {},
    firedAt,
    ...(resolvedAt !== undefined && { resolvedAt }),
  }));
  return { signals, notifications: notificationsSince(span.from, signals) };
}

/** `1000-2000`, or `1000-` without an end. */
const timesIn = (text: string) =>
  [...text.matchAll(/(-?\d+)-(\d*)(w?)/g)].map(([name, start, end, warning]) => ({
    name,
    start: Number(start),
    ...(end !== "" && { end: Number(end) }),
    isWarning: warning !== "",
  }));

// What fires | the incidents | the first page for each, or "firing" | caught, missed, time to the first page, pages outside
test.each([
  ["a page in the incident catches it", "1200-1300 | 1000-2000 | 1200 | 1 0 200 0"],
  ["a page at the first moment of the lead does, and counts as at the start", "900-950 | 1000-2000 | 900 | 1 0 0 0"],
  ["a page at the end does", "2000- | 1000-2000 | 2000 | 1 0 1000 0"],
  ["a page before the lead or after the end does not", "899-900 2001- | 1000-2000 | - | 0 1 - 2"],
  ["a warning is no page", "1200-1300w | 1000-2000 | - | 0 1 - 0"],
  ["one that fires since before the lead is missed", "899-1001 | 1000-2000 | firing | 0 1 - 1"],
  ["one that resolves at the start does not fire already", "899-1000 | 1000-2000 | - | 0 1 - 1"],
  ["one that fires since before the period fires already", "-50- | 1000-2000 | firing | 0 1 - 0"],
  ["one that fires again is caught", "500- 1500- | 1000-2000 | 1500 | 1 0 500 1"],
  ["one page catches incidents that overlap", "1500- | 1000-2000 1400-3000 | 1500 1500 | 2 0 300 0"],
  ["the lead of an incident may be in another one", "1950- | 1000-2000 2000-3000 | 1950 1950 | 2 0 475 0"],
  ["an incident without end lasts to the end of the period", "9999- | 1000- | 9999 | 1 0 8999 0"],
  ["an incident of one moment has its lead", "950- | 1000-1000 | 950 | 1 0 0 0"],
  ["one that lasts beyond the period counts", "9800- | 9700-20000 | 9800 | 1 0 100 0"],
  ["one whose lead begins before the period does not count, but has its pages", "50- | 99-120 | | 0 0 - 0"],
  ["one that starts with the end of the period does not count", "9950- | 10000-11000 | | 0 0 - 0"],
])("%s: %s", (_, row) => {
  const [fires = "", incidents = "", pages = "", figures] = row.split("|").map((each) => each.trim());
  const found = detect(simulation(fires), timesIn(incidents), lead, span);
  const detections = [...found.detections.values()].map(
    ({ pagedAt, wasFiring }) => pagedAt ?? (wasFiring ? "firing" : "-"),
  );
  expect(detections.join(" ")).toBe(pages);
  const { caught, missed, detectionSecs = "-", pagesOutside } = found.figures;
  expect([caught, missed, detectionSecs, pagesOutside].join(" ")).toBe(figures);
});

const incident = (start: number, end?: number): Incident => ({
  name: `${start}`,
  start,
  ...(end !== undefined && { end }),
});

test("an incident concerns the monitors that have its labels, or a series that has the rest of them", () => {
  const isConcerned = concerns({ team: "pay" }, [{ labels: { region: "eu" } }, { labels: { region: "us", pod: "a" } }]);
  const labels = [
    undefined,
    {},
    { team: "pay" },
    { region: "eu" },
    { team: "pay", region: "us" },
    { region: "eu", pod: "a" },
    { team: "x" },
  ];
  const all = labels.map((own) => isConcerned({ ...incident(0), ...(own && { labels: own }) }));
  expect(all).toEqual([true, true, true, true, true, false, false]);
  expect(concerns({}, [])(incident(0))).toBe(true);
});

test("outcomes of several stacks are one list: what nothing catches, what is caught, what concerns no monitor", () => {
  const counted = { isCounted: true, concerned: 1, monitors: [] };
  const outcome = (start: number, more: object) => ({ ...incident(start), ...counted, ...more });
  const late = { monitor: "errors", before: { wasFiring: true }, after: { pagedAt: 180 } };
  const all = [
    outcome(60, { monitors: [late], name: "a" }),
    outcome(60, { monitors: [{ monitor: "new", after: { pagedAt: 30 } }], name: "a" }),
    outcome(120, { monitors: [{ monitor: "errors", before: { pagedAt: 120 }, after: {} }] }),
    outcome(0, { concerned: 0 }),
    outcome(90_000, { isCounted: false }),
  ];
  expect(incidentsText(all as Parameters<typeof incidentsText>[0])).toEqual({
    title: "Incidents: 1 of 2 caught; 1 concerns no simulated monitor; 1 is not counted",
    lines: [
      '1970-01-01 00:02 UTC "120": caught by nothing; errors after 0 s → missed',
      '1970-01-01 00:01 UTC "a": errors firing already → after 2 min; new 30 s before',
      '1970-01-01 00:00 UTC "0": concerns no simulated monitor',
    ],
  });
  const many = Array.from({ length: 10_000 }, (_, i) => outcome(i, {}));
  expect(incidentsText(many)?.lines.slice(-1)).toEqual(["and 9,000 more: --json has all"]);
});

const [from = 0, to = 0] = ["2026-11-01T08:00:00Z", "2026-11-01T09:00:00Z"].map((text) => Date.parse(text) / 1_000);

/** Reads a file, in which 8 and 9 between separators are times. */
function reading(text: string) {
  const hour = (found: string) => found.replace(/\d/, "2026-11-01T0$&:00:00Z");
  const folder = ownFolder({ incidents: text.replace(/(?<=^|[\n,;\t"])[89](?=[,;\t"])/g, hour) });
  try {
    return readIncidents(`${folder}/incidents`);
  } catch (error) {
    throw new Error((error as Error).message.replace(`${folder}/`, ""));
  }
}
const down = { name: "Down", start: from, end: to, labels: {} };
const labeled = { ...down, labels: { service: "a", region: "x=y" } };
const open = { name: "Down", start: from, labels: {} };

test.each([
  ["with commas", "start,end,name\n8,9,Down\n", [down]],
  ["with semicolons, CRLF and a byte order mark", "\uFEFFstart;end;name\r\n8;9;Down\r\n", [down]],
  ["with tabs, blank lines and no last line break", "\n\nstart\tend\tname\n\n8\t9\tDown", [down]],
  ["in another order, with other columns and spellings", "Name,id, END ,Start\nDown,1,9,2026-11-01T08:00Z\n", [down]],
  ["with quotation marks", '"start","end","name"\n8, "9" ,"a ""b"", c\nd"\n', [{ ...down, name: 'a "b", c\nd' }]],
  ["without an end", "start,end,name\n8,,Down\n", [open]],
  ["with labels", "start;end;name;labels\n8;9;Down;service = a, region=x=y\n", [labeled]],
  [
    "with a zone and a date",
    "start,end,name\n2026-11-01T09:00:00+01:00,2026-11-02,Down",
    [{ ...down, end: to + 54_000 }],
  ],
  ["with a short line", "start,end,name,labels\n8,9,Down", [down]],
  ["of one name twice", "start,end,name\n8,9,Down\n9,9,Down", [down, { ...down, start: to }]],
  ["in JSON", '[{"start":"8","end":"9","name":"Down","labels":{"service":"a","region":"x=y"},"id":1}]', [labeled]],
  ["without an end in JSON", '[{"start":"8","end":null,"name":"Down"}]', [open]],
  ["without entries", "start,end,name\n", []],
  ["without entries in JSON", "[]", []],
])("incidents %s are read", (_, text, incidents) => expect(reading(text)).toEqual(incidents));

test.each([
  ["", "it is empty"],
  ["\n \n", "it is empty"],
  ["start,name\n8,a", "its header has no end"],
  ["a,b\n1,2", "its header has no start and no end and no name"],
  [
    "start,end,name\n2026-11-01T08:00,9,a",
    'line 2: start "2026-11-01T08:00" isn\'t a time such as 2026-11-01T08:00:00Z, with',
  ],
  ["start,end,name\n8,01.11.2026 09:00Z,a", 'line 2: end "01.11.2026 09:00Z" isn\'t a time'],
  ["start,end,name\n2026-02-30,9,a", 'line 2: start "2026-02-30" isn\'t a time'],
  ["start,end,name\n9,8,a", "line 2: its end is before its start"],
  ["start,end,name\n,9,a", "line 2: it has no start"],
  ["start,end,name,Labels,labels\n8,9,a,b=c,", "its header has labels twice"],
  ["start,end,name\n8,9,\n", "line 2: it has no name"],
  ["start,end,name\n8,9,a, b\n", 'line 2 has 4 values, and the header has 3: put a value with "," in quotation marks'],
  ['start,end,name\n8,9,"a\n', "line 2: a quotation mark is out of place"],
  ['start,end,name\n8,9,a "b"\n', "line 2: a quotation mark is out of place"],
  ["start,end,name,labels\n8,9,a,checkout\n", 'line 2: labels "checkout" aren\'t like service=checkout,region=eu'],
  [
    'start;end;name;labels\n8;9;a;"service=""b"""',
    'line 2: labels "service=\\"b\\"" aren\'t like service=checkout,region=eu',
  ],
  ["start;end;name;labels\n8;9;a;{service=b}", 'line 2: labels "{service=b}" aren\'t like'],
  ["start;end;name;labels\n8;9;a;service!=b", 'line 2: labels "service!=b" aren\'t like'],
  ["start;end;name;labels\n8;9;a;service=~b", 'line 2: labels "service=~b" aren\'t like'],
  ["start;end;name;labels\n8;9;a;service=", 'line 2: labels "service=" aren\'t like service=checkout,region=eu'],
  ['[{"start":"8","end":"9","name":"a","labels":{"b":" "}}]', '[0]: labels "{\\"b\\":\\" \\"}" aren\'t like'],
  ["start;end;name;labels\n8;9;a;service=b,service=c", 'line 2: labels "service=b,service=c" aren\'t like'],
  ['start,end,name\n8,9,"a\nb"\n8,9,"a\nb"', 'line 4: "a\\nb" is listed twice with this start'],
  ['{"start": 1}', "expected an array of objects"],
  ['{"start":"8"}\n{"start":"9"}\n', "expected an array of objects"],
  ["[1", "JSON"],
  ['["a"]', "[0]: it has no start; [0]: it has no name; [0]: it has no end"],
  ['[{"start":1793520000,"end":"9","name":"a"}]', '[0]: start "1793520000" isn\'t a time'],
  ['[{"start":"8","name":"a"}]', "[0]: it has no end. Leave the end empty, in JSON null, if it has not ended"],
  [
    '[{"start":"8","end":"9","name":"a","labels":{"b":1}}]',
    '[0]: labels "{\\"b\\":1}" aren\'t like {"service":"checkout"}',
  ],
  ["start,end,name\n,,\nx,,a\nx,,a\nx,,a\nx,,a\n", "; 4 more"],
])("%j is rejected: %s", (text, words) => {
  expect(() => reading(text)).toThrow('"incidents" isn\'t a list of incidents: ');
  expect(() => reading(text)).toThrow(words);
});
