import fc from "fast-check";
import { expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { configurationOf } from "../property/configurations.js";
import { mistakeIn, sorts } from "../property/mistakes.js";
import { type Json, placeText } from "../property/meaning.js";
import { firstPlaceIn, isUnplaceable } from "../property/told.js";
import { startService, Standing } from "../property/world.js";
import { newResource } from "../support/cases.js";
import { newStack, type Outcome, type Program, type TestStack } from "../support/engine.js";
import { isDeep, reportFigure, runs, timeLimitMs } from "../support/figures.js";
import { validators } from "../support/validators.js";
import { again, seed } from "./generated.js";

type Service = Standing["service"];

/** Where a preview says less than an update finds, by rule. */
const exceptions = {
  "one mistake hides others":
    "what check refuses ends a preview at once, an update ends once what is under way has ended: each names some",
  "two resources with one slug": "whichever comes second is refused, and names both",
} as const;

const mistakes = [...sorts, "taken slug", "clash", "unknown reference"] as const;
type Sort = (typeof mistakes)[number];

/** One resource of a generated stack. */
interface Part {
  readonly kind: Kind;
  readonly config: Json;
  readonly sort: Sort | undefined;
  readonly choice: number;
  readonly givesSlug: boolean;
}

const partOf = (kind: Kind, sorts: readonly (Sort | undefined)[]): fc.Arbitrary<Part> =>
  fc.record({
    kind: fc.constant(kind),
    config: configurationOf(kind),
    sort: fc.constantFrom(...sorts.filter((sort) => isPossible(kind, sort))),
    choice: fc.nat(),
    givesSlug: fc.boolean(),
  });

const isPossible = (kind: Kind, sort: Sort | undefined) => sort !== "unknown reference" || kind.isSingleton;

/** Two to five resources, one at most of the kind that stands alone; one after another with each mistake, none, or any. */
function stackOf(i: number): fc.Arbitrary<Part[]> {
  const only = mistakes[(seed + i) % mistakes.length];
  const sort = i % 8 === 6 ? undefined : only;
  const others = i % 4 === 3 ? [undefined, ...mistakes] : [undefined];
  const selector = ([kind, j]: [Kind, number]) => (kind.isSingleton ? kind.name : `${kind.name}/${j}`);
  const some = kinds.filter((kind) => isPossible(kind, sort));
  return fc
    .tuple(
      fc.constantFrom(...some),
      fc.uniqueArray(fc.tuple(fc.constantFrom(...kinds), fc.nat()), { minLength: 1, maxLength: 4, selector }),
    )
    .chain(([first, rest]) =>
      fc.tuple(
        partOf(first, [sort]),
        ...rest.filter(([kind]) => !(kind.isSingleton && first.isSingleton)).map(([kind]) => partOf(kind, others)),
      ),
    );
}

/** A resource as the program declares it. */
interface Resource {
  readonly name: string;
  readonly kind: Kind;
  readonly args: Json;
}

/** A part of the stack with its mistake made: the resources that it comes to, and where they are wrong. */
interface Made {
  readonly resources: readonly Resource[];
  readonly sort: Sort | undefined;
  /** The place that a refusal begins with; empty where it is about the whole, absent where no place can be named. */
  readonly place?: string;
}

async function make(service: Service, part: Part, name: string): Promise<Made> {
  const { kind, choice, givesSlug } = part;
  const config = kind.isSingleton || !givesSlug ? part.config : { ...part.config, slug: name };
  const complete = kind.isSingleton ? config : { ...config, name: config.name || name };
  const right: Resource = { name, kind, args: config };
  switch (part.sort) {
    case undefined:
      return { resources: [right], sort: undefined };
    case "taken slug":
      await new Standing(service, kind, name).writeOutside(complete, { create: true });
      return { resources: [right], sort: part.sort, place: "" };
    case "clash": {
      const slug = kind.isSingleton ? {} : { slug: name };
      const resources = [name, `${name}-too`].map((each) => ({ name: each, kind, args: { ...config, ...slug } }));
      return { resources, sort: part.sort, place: "" };
    }
    case "unknown reference": {
      const datasetAllocations = [{ datasetSlug: "known-logs-1" }, { datasetSlug: `nobody-makes-${choice}` }];
      const args = { datasetAllocations };
      return { resources: [{ ...right, args }], sort: part.sort, place: "datasetAllocations[1].datasetSlug" };
    }
    default: {
      const mistake = mistakeIn(kind, config, part.sort, choice);
      if (mistake === undefined) return { resources: [right], sort: undefined };
      const resources = [{ ...right, args: mistake.config }];
      // Two resources of one wrong slug clash as well.
      if (isUnplaceable(mistake.config) || mistake.path[0] === "slug") return { resources, sort: part.sort };
      return { resources, sort: part.sort, place: placeText(mistake.path) };
    }
  }
}

/** What was said of each resource that was refused, by its name. */
const refusals = ({ messages }: Outcome) => {
  const told = new Map<string, string>();
  for (const { severity, name, text } of messages) {
    if (severity === "error" && name !== undefined && !told.has(name))
      told.set(name, text.replace(/^.*? has a problem: /s, ""));
  }
  return told;
};

// The property tests and the model say the same without an engine.
test.skipIf(!isDeep)(
  "generated stacks: what a preview accepts, an update accepts; what it refuses, an update refuses",
  { timeout: 2 * timeLimitMs },
  async () => {
    // Many more are tried without an engine, in test/property.
    const tried = isDeep ? runs(0.08) : 2;
    const counts: Record<string, number> = {};
    for (let i = 0; i < tried; i++) {
      const [parts = []] = fc.sample(fc.noBias(stackOf(i)), { numRuns: 1, seed: seed + i });
      const { service } = await startService();
      const made = await Promise.all(parts.map((part, j) => make(service, part, `part-${j}`)));
      const stack = await newStack(service.url, { validator: validators[i % 2] ?? "class" });
      await compare(stack, made, again(parts.map(({ kind, ...part }) => ({ kind: kind.name, ...part }))));
      for (const { sort } of made) if (sort !== undefined) counts[sort] = (counts[sort] ?? 0) + 1;
    }
    const listed = Object.entries(counts).map(([sort, count]) => `${sort} ${count}`);
    reportFigure(
      `stacks previewed and updated through the engine: ${tried}, every other one validated by check, failures: 0 (mistakes: ${listed.join(", ")})`,
    );
    for (const [rule, reason] of Object.entries(exceptions)) reportFigure(`exception: ${rule} (${reason})`);
  },
);

async function compare(stack: TestStack, made: readonly Made[], which: string): Promise<void> {
  const program: Program = () => {
    for (const { kind, name, args } of made.flatMap(({ resources }) => resources)) newResource(kind.name, name, args);
  };
  const wrong = made.filter(({ sort }) => sort !== undefined);
  const names = wrong.flatMap(({ resources }) => resources.map(({ name }) => name));
  const [previewed, updated] = [await stack.preview(program), await stack.up(program)];
  const [refused, failed] = [refusals(previewed), refusals(updated)];
  for (const outcome of [previewed, updated]) {
    const told = [...refusals(outcome).keys()];
    const said = `${which}\n${outcome.text}`;
    expect(outcome.failed, said).toBe(wrong.length > 0);
    expect(told.length > 0, said).toBe(wrong.length > 0);
    for (const name of told) expect(names, said).toContain(name);
  }
  // Both say the same of what they both name; where there is one mistake, that is all of it.
  if (wrong.length === 1 && names.length === 1) expect([...refused.keys()], which).toEqual([...failed.keys()]);
  for (const { resources, sort, place } of wrong) {
    for (const { name, kind } of resources) {
      for (const told of [refused.get(name), failed.get(name)]) {
        if (told === undefined) continue;
        if (sort === "taken slug") expect(told, which).toMatch(/it exists already/);
        else if (sort === "clash") expect(told, which).toContain(`"${name}"`);
        else if (place !== undefined) expect(firstPlaceIn(kind, told), `${told}\n${which}`).toBe(place);
      }
    }
  }
}
