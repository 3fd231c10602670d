import { valuesOf } from "../../dist/testing/notation.js";
import type { PlainMonitor, Situation } from "../property/behaviours.js";
import { ofSimulation, type Question } from "./promtool.js";
import { type Translation, translate } from "./rules.js";

/** Something that Prometheus does otherwise. */
export interface Difference {
  readonly title: string;
  readonly situation: Situation;
  /** The rules with which promtool does not agree. */
  readonly translation: Translation;
  /** The same without what makes the difference: promtool agrees. */
  readonly agreed: Question;
}

interface Asked {
  readonly op?: string;
  readonly sustainSecs?: number;
  readonly resolveSustainSecs?: number;
  readonly intervalSecs?: number;
  readonly schedule?: PlainMonitor["schedule"];
}

function situationOf(regions: Readonly<Record<string, string>>, asked: Asked = {}): Situation {
  const { op = "GT", sustainSecs = 0, resolveSustainSecs = 0, intervalSecs = 60, schedule } = asked;
  const courses = Object.entries(regions).map(([region, text]) => ({ labels: { region }, values: valuesOf(text) }));
  const monitor: PlainMonitor = {
    intervalSecs,
    ...(schedule === undefined ? {} : { schedule }),
    signalGrouping: {},
    seriesConditions: { defaults: { critical: { conditions: [{ op, value: 1, sustainSecs, resolveSustainSecs }] } } },
  };
  return { monitor, courses, ticks: Math.max(...courses.map(({ values }) => values.length)) };
}

function difference(title: string, situation: Situation, translation: Translation, agreed: Situation): Difference {
  return { title, situation, translation, agreed: ofSimulation(agreed) };
}

const unborn = situationOf({ eu: "_ _ 1 1 _ _" }, { op: "NOT_EXISTS" });
const born = situationOf({ eu: "1 _ 1 1 _ _" }, { op: "NOT_EXISTS" });

const nights: PlainMonitor["schedule"] = {
  timezone: "UTC",
  weeklySchedule: { thursday: { active: "ONLY_DURING_RANGES", ranges: [{ startHhMm: "00:00", endHhMm: "02:00" }] } },
};
const resolving = { intervalSecs: 3600, schedule: nights } as const;
const outlasting = situationOf({ eu: "2x5" }, { ...resolving, resolveSustainSecs: 7200 });
const ending = situationOf({ eu: "2x5" }, resolving);

const gap = situationOf({ eu: "2 2 _x7 0" });
const lookedBack = situationOf({ eu: "2 2 2x3 _x3 0" });
const withoutMarker = (situation: Situation): Translation => ({
  ...translate(situation),
  inputSeries: [{ series: 'm{region="eu"}', values: "2 2 _x7 0" }],
});

const handOver = situationOf({ eu: "2 2 0 0 0", us: "0 0 2 2 0" }, { sustainSecs: 120 });
const countedTogether: Translation = {
  ...translate(handOver),
  rules: [{ alert: "A", expr: "count(m > 1) > 0", for: "120s", labels: { severity: "critical" } }],
};

export const differences: readonly Difference[] = [
  difference("`absent` also fires before the first sample", unborn, translate(unborn), born),
  difference("`keep_firing_for` lasts longer than a schedule", outlasting, translate(outlasting), ending),
  difference("a query looks back five minutes over a gap", gap, withoutMarker(gap), lookedBack),
  difference("an expression that aggregates counts the time of the group", handOver, countedTogether, handOver),
];
// The same raw samples as in the gap, given to us as the query returns them.
export const asQueried: Question = ofSimulation(lookedBack, withoutMarker(gap));
