import { errors } from "./monitorConditions.js";
import { named, orSilent } from "./trial.js";

type Matcher = { name: string; type: string; value: string };
const is = (name: string, value: string): Matcher => ({ name, type: "EXACT", value });
const like = (name: string, value: string): Matcher => ({ name, type: "REGEX", value });
const above = (value: number, sustainSecs = 120) => ({ conditions: [{ op: "GT", value, sustainSecs }] });
const override = (labelMatchers: Matcher[], severityConditions = above(0.5)) => ({ labelMatchers, severityConditions });
const overrides = (...all: ReturnType<typeof override>[]) => ({ seriesConditions: { overrides: all } });

const pagesOnly = errors.from({ seriesConditions: { defaults: { warn: undefined, critical: above(0.05) } } });
const loose = pagesOnly.from(overrides(override([is("region", "eu-west-1")])));
const tight = pagesOnly.from(overrides(override([is("region", "eu-west-1")], above(0.01))));
const perEnvironment = pagesOnly.from(overrides(override([is("env", "staging"), is("region", "eu-west-1")])));
const both = pagesOnly.from(
  overrides(override([is("region", "eu-west-1")], above(0.5)), override([is("tier", "gold")], above(0.01))),
);

export const monitorOverrides = [
  pagesOnly(
    "one region tolerates ten times as many errors",
    overrides(override([is("region", "us-east-1")])),
    named(["override-widened", "laxer"], "laxer", "us-east-1", "0.5"),
  ),
  pagesOnly(
    "one region is watched more closely",
    overrides(override([is("region", "us-east-1")], above(0.02))),
    named(["override-widened", "laxer"], "stricter", "us-east-1", "0.02"),
  ),
  errors(
    "an override as strict as the page takes the warning away",
    overrides(override([is("region", "us-east-1")], above(0.05))),
    named(["override-widened", "laxer"], ["laxer", "unclear"], "us-east-1", "warn"),
  ),
  errors(
    "an override pages earlier in one region, and drops its warning",
    overrides(override([is("region", "us-east-1")], above(0.02, 60))),
    named(["override-widened", "laxer"], ["unclear", "laxer"], "us-east-1", "warn"),
    orSilent(named("override-widened", "stricter", "us-east-1")),
  ),
  loose(
    "the exception of a region is over",
    { seriesConditions: { overrides: undefined } },
    named(["override-widened", "laxer"], "stricter", "eu-west-1"),
  ),
  tight(
    "a region loses its closer watch",
    { seriesConditions: { overrides: undefined } },
    named(["override-widened", "laxer"], "laxer", "eu-west-1"),
  ),
  loose(
    "the exception of one region is now one of all European regions",
    overrides(override([like("region", "eu-.*")])),
    named("override-widened", "laxer", "eu-west-1", "eu-.*"),
  ),
  loose(
    "the exception of a region holds for a second one, too",
    overrides(override([like("region", "eu-west-1|us-east-1")])),
    named("override-widened", "laxer", "us-east-1"),
  ),
  pagesOnly.from(overrides(override([like("region", "eu-.*")])))(
    "the exception of all European regions is one of a single region",
    overrides(override([is("region", "eu-west-1")])),
    named("override-widened", "stricter", "eu-.*", "eu-west-1"),
  ),
  loose(
    "the exception moves to another region",
    overrides(override([is("region", "us-east-1")])),
    named("override-widened", "unclear", "eu-west-1", "us-east-1"),
  ),
  perEnvironment(
    "the exception of staging holds in production, too",
    overrides(override([is("region", "eu-west-1")])),
    named("override-widened", "laxer", "env"),
  ),
  loose(
    "the exception is narrowed to staging",
    overrides(override([is("env", "staging"), is("region", "eu-west-1")])),
    named("override-widened", "stricter", "env"),
  ),
  loose("the exception covers every series", overrides(override([])), named("override-widened", "laxer", "eu-west-1")),
  loose(
    "the exception looks at another label of the same value",
    overrides(override([is("zone", "eu-west-1")])),
    named("override-widened", "unclear", "region", "zone"),
  ),
  loose(
    "the exception tolerates still more",
    overrides(override([is("region", "eu-west-1")], above(0.8))),
    named(["laxer", "override-widened"], "laxer", "0.5", "0.8", "eu-west-1"),
  ),
  loose(
    "the exception waits longer",
    overrides(override([is("region", "eu-west-1")], above(0.5, 1_800))),
    named(["laxer", "override-widened"], "laxer", "120", "1800"),
  ),
  loose(
    "the exception tolerates less",
    overrides(override([is("region", "eu-west-1")], above(0.1))),
    named(["laxer", "override-widened"], "stricter", "0.5", "0.1"),
  ),
  loose(
    "the exception has a second condition",
    {
      seriesConditions: {
        overrides: [
          {
            labelMatchers: [is("region", "eu-west-1")],
            severityConditions: { conditions: [...above(0.5).conditions, ...above(0.2, 3_600).conditions] },
          },
        ],
      },
    },
    named(["laxer", "override-widened"], "stricter", "0.2"),
  ),
  both(
    "two overrides that both match gold customers in one region change places",
    overrides(override([is("tier", "gold")], above(0.01)), override([is("region", "eu-west-1")], above(0.5))),
    named("override-widened", ["unclear", "stricter"], "gold"),
  ),
  both(
    "the override of gold customers is removed, the other one stays",
    overrides(override([is("region", "eu-west-1")], above(0.5))),
    named(["laxer", "override-widened"], "laxer", "gold"),
  ),
  loose(
    "an exact region with a dot becomes a pattern in which the dot is any character",
    overrides(override([like("region", "eu.west.1")])),
    named("override-widened", "laxer", "eu.west.1"),
  ),
];
