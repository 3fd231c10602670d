import type { Service } from "@pulumi-observability/service";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Field } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { scalarsOf } from "../../dist/provider/schema/walk.js";
import { pathOf } from "../support/cases.js";
import { ask, ownService } from "../support/service.js";
import { configurationOf } from "./configurations.js";
import { edit } from "./edits.js";
import { mistakeIn, sorts } from "./mistakes.js";
import { rulesOf } from "./rules.js";
import { Figures, runs, timeLimitMs } from "../support/figures.js";
import { changedPaths, isZero, type Json, onWire, placeText } from "./equivalence.js";
import { seed } from "./world.js";

const figures = new Figures();
let service: Service;

beforeAll(async () => {
  service = await ownService({ strict: true });
  await seed(service);
});

interface Verdict {
  readonly status: number;
  readonly paths: string[];
  readonly words: unknown;
}

/** Asks the service by dry run, as some other client would. */
const dryRun = (kind: Kind, config: Json) => write(kind, config, true);

async function write(kind: Kind, config: Json, dry_run: boolean): Promise<Verdict> {
  const wire = onWire(kind.root, { ...(kind.isSingleton ? {} : { name: "n", slug: "a-slug" }), ...config });
  const { status, body } = kind.createsByPut
    ? await ask(service, "PUT", pathOf(kind, "a-slug"), {
        [kind.wire.one]: wire,
        create_if_missing: true,
        dry_run,
      })
    : await ask(service, "POST", kind.operations.create.path, { [kind.wire.one]: wire, dry_run });
  return { status, paths: ((body.errors ?? []) as Json[]).map((each) => each.path), words: body.message };
}

/** Without a name the provider fills in the resource's. */
const named = (kind: Kind, config: Json) =>
  kind.isSingleton || !isZero(config.name) ? config : { ...config, name: "n" };

describe.concurrent.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
  const configuration = configurationOf(kind);

  test("the service accepts every generated configuration", { timeout: timeLimitMs }, async () => {
    await figures.hold(
      "configurations accepted per kind",
      fc.asyncProperty(configuration, async (config) => {
        expect(await dryRun(kind, named(kind, config))).toEqual({ status: 200, paths: [], words: undefined });
      }),
      runs(),
    );
  });

  test("the service accepts every edit", { timeout: timeLimitMs }, async () => {
    await figures.hold(
      "edits accepted per kind",
      fc.asyncProperty(configuration, configuration, fc.nat(), async (config, other, choice) => {
        const edited = edit(kind, config, other, choice);
        if (edited === undefined) throw new Error("there is no edit");
        expect(changedPaths(kind.root, config, edited.config).length).toBeGreaterThan(0);
        expect(await dryRun(kind, named(kind, edited.config))).toEqual({ status: 200, paths: [], words: undefined });
      }),
      runs(0.5),
    );
  });

  test.each(sorts)("the service refuses a %s at its place", { timeout: timeLimitMs }, async (sort) => {
    await figures.hold(
      `mistakes refused per kind (${sort})`,
      fc.asyncProperty(configuration, fc.nat(), async (config, choice) => {
        const mistake = mistakeIn(kind, named(kind, config), sort, choice);
        fc.pre(mistake !== undefined);
        const { status, paths, words } = await dryRun(kind, mistake.config);
        expect({ status, words }).toMatchObject({ status: 400 });
        expect(await write(kind, mistake.config, false)).toEqual({ status, paths, words });
        expect(paths[0], mistake.says).toBe(wirePlace(kind, mistake.path));
      }),
      runs(0.5),
    );
  });

  test("every field is set in some configuration, and left out in another", () => {
    const paths = scalarsOf(kind.args).map(({ path }) => path.join("."));
    const missed = new Set(
      paths
        .filter((path) => path !== "slug")
        .flatMap((path) => [`${path} set`, ...(isAlwaysThere(kind.root, path.split(".")) ? [] : [`${path} left out`])]),
    );
    for (let seed = 1; seed <= 40 && missed.size > 0; seed++) {
      for (const sample of fc.sample(configuration, { numRuns: 50, seed })) {
        for (const path of paths) {
          const isSet = valuesAt(sample, path.split(".")).some((each) => !isZero(each));
          missed.delete(`${path} ${isSet ? "set" : "left out"}`);
        }
      }
    }
    expect([...missed]).toEqual([]);
  });
});

/** Whether the service cannot do without the field. */
function isAlwaysThere(field: Field | undefined, [step, ...rest]: readonly string[]): boolean {
  if (field === undefined || step === undefined) return true;
  return field.visit({
    scalar: () => true,
    map: () => false,
    list: ({ item }) => isAlwaysThere(item, rest),
    object: ({ shape }) =>
      rulesOf(shape.name).some(({ always = [] }) => always.includes(step)) && isAlwaysThere(shape.fields[step], rest),
  });
}

function valuesAt(value: any, [step, ...rest]: readonly string[]): unknown[] {
  if (value === undefined) return [];
  if (step === undefined) return [value];
  return step === "*"
    ? Object.values(value as Json).flatMap((each) => valuesAt(each, rest))
    : valuesAt((value as Json)[step], rest);
}

/** A place as the service spells it: wire names, keys quoted if they are no words. */
function wirePlace(kind: Kind, path: readonly (string | number)[]): string {
  const skeleton = path.reduceRight<unknown>((inner, step) => {
    if (typeof step !== "number") return { [step]: inner };
    return [...Array.from({ length: step }, () => undefined), inner];
  }, 1);
  const steps: (string | number)[] = [];
  for (let here: any = onWire(kind.root, skeleton); typeof here === "object";) {
    const step: string | number = Array.isArray(here) ? here.length - 1 : (Object.keys(here)[0] ?? "");
    steps.push(step);
    here = here[step];
  }
  return placeText(steps);
}
