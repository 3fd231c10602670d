import type { Service } from "@pulumi-observability/service";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { scalarsOf } from "../../dist/provider/schema/walk.js";
import { pathOf } from "../support/cases.js";
import { ask, ownService } from "../support/service.js";
import { configurationOf } from "./configurations.js";
import { mistakeIn, sorts } from "./mistakes.js";
import { Figures, runs, timeLimitMs } from "../support/figures.js";
import { isZero, type Json, onWire, placeText } from "./equivalence.js";
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

/** Asks the service as some other client would. */
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

// That the service accepts what is generated and edited is seen in differences.test.ts, which writes both.
describe.concurrent.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
  const configuration = configurationOf(kind);

  test.each(sorts)("the service refuses a %s at its place", { timeout: timeLimitMs }, async (sort) => {
    await figures.hold(
      `mistakes refused per kind (${sort})`,
      fc.asyncProperty(configuration, fc.nat(), async (config, choice) => {
        const mistake = mistakeIn(kind, named(kind, config), sort, choice);
        fc.pre(mistake !== undefined);
        const { status, paths, words } = await write(kind, mistake.config, true);
        expect({ status, words }).toMatchObject({ status: 400 });
        expect(await write(kind, mistake.config, false)).toEqual({ status, paths, words });
        expect(paths[0], mistake.says).toBe(wirePlace(kind, mistake.path));
      }),
      runs(0.5),
    );
  });

  test("every field is set in some configuration", () => {
    const paths = scalarsOf(kind.args).map(({ path }) => path.join("."));
    const missed = new Set(paths.filter((path) => path !== "slug"));
    for (let seed = 1; seed <= 40 && missed.size > 0; seed++) {
      for (const sample of fc.sample(configuration, { numRuns: 50, seed })) {
        for (const path of missed)
          if (valuesAt(sample, path.split(".")).some((each) => !isZero(each))) missed.delete(path);
      }
    }
    expect([...missed]).toEqual([]);
  });
});

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
