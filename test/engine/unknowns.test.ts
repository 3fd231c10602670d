import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import * as obs from "pulumi-observability";
import { expect, test } from "vitest";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { configurationOf } from "../property/configurations.js";
import { at, type Json, placeText, setAt } from "../property/meaning.js";
import { placesIn, somePlaces, sortOf } from "../property/places.js";
import { startService } from "../property/world.js";
import { newStack, type Outcome } from "../support/engine.js";
import { until } from "../support/faults.js";
import { isDeep, reportFigure, runs, timeLimitMs } from "../support/figures.js";
import { takeCounts } from "../support/service.js";
import { type Validator, validators } from "../support/validators.js";
import { again, type Declared, draw, newTeam, programOf, seed, type Team } from "./generated.js";

const teamsPerStack = 5;
const ofEachKind = isDeep ? runs(0.025) : 1;
/** What `check` says of the same is tried without an engine too, in test/property. */
const everyRun = isDeep ? validators : validators.slice(0, 1);
const logs = { configuration: { type: "LOGS", logDataset: {} } };

const drawnOf = (kind: Kind) =>
  fc.record({
    config: configurationOf(kind),
    count: fc.integer({ min: 1, max: 4 }),
    seed: fc.integer(),
  });
type Case = Declared<ReturnType<typeof drawnOf> extends fc.Arbitrary<infer T> ? T : never>;

const complete = ({ kind, slug, drawn: { config } }: Case) => (kind.isSingleton ? config : { ...config, slug });
const placesOf = (each: Case) => somePlaces(each.kind.root, complete(each), each.drawn.count, each.drawn.seed);

/** The program whose resources take some of their values from a dataset of their team: in time the right ones. */
const takingFrom = (origin: string, cases: readonly Case[]) => {
  const origins = new Map<Team, pulumi.Output<string>>();
  const open = (each: Case) => {
    const later = origins.get(each.team) as pulumi.Output<string>; // Made before.
    return placesOf(each).reduce<Json>(
      (args, path) =>
        setAt(
          args,
          path,
          later.apply(() => at(complete(each), path) as unknown),
        ) as Json,
      complete(each),
    );
  };
  return programOf(cases, open, (team, provider) => {
    origins.set(team, new obs.Dataset(`${origin}-${team.name}`, logs, { provider }).createdAt);
  });
};

test.each(everyRun)(
  "values of other resources, unknown in a preview at any depth, fail nothing and are told, validated by %s",
  { timeout: 2 * timeLimitMs },
  async (validator) => {
    const tally = { tried: 0, places: {} as Record<string, number> };
    while (tally.tried < ofEachKind) {
      const size = Math.min(teamsPerStack, ofEachKind - tally.tried);
      const teams = await Promise.all(Array.from({ length: size }, newTeam));
      const cases = draw(drawnOf, teams);
      await tryTogether(cases, teams, validator);
      for (const each of cases) {
        for (const path of placesOf(each)) {
          const sort = sortOf(each.kind.root, path);
          tally.places[sort] = (tally.places[sort] ?? 0) + 1;
        }
      }
      tally.tried += size;
    }
    const sorts = Object.entries(tally.places).map(([sort, count]) => `${sort} ${count}`);
    reportFigure(
      `configurations with unknown values through the engine, validated by ${validator}: ${tally.tried} of each kind, failures: 0 (${sorts.join(", ")})`,
    );
  },
);

async function tryTogether(cases: readonly Case[], teams: readonly Team[], validator: Validator): Promise<void> {
  const stack = await newStack("http://127.0.0.1:1", { validator });
  const first = takingFrom("origin", cases);
  const planned = await stack.preview(first);
  assertTold(planned, cases);
  assertNotAsked(cases);
  const created = await stack.up(first);
  expect(created.steps, created.text).toEqual({ create: cases.length + teams.length });
  for (const { service } of teams) takeCounts(service);
  const unchanged = await stack.preview(first);
  expect(unchanged.steps, unchanged.text).toEqual({ same: cases.length + teams.length });
  // Each provider proves address and token by one list.
  for (const { service } of teams) expect(Object.values(takeCounts(service))).toEqual([1]);

  // The same of what stands there: nobody knows in a preview that nothing will change.
  const second = takingFrom("other-origin", cases);
  for (const { team, id } of cases) team.proxy.take(id);
  const open = await stack.preview(second);
  assertTold(open, cases);
  assertNotAsked(cases);
  const updated = await stack.up(second);
  expect(updated.failed, updated.text).toBe(false);
  expect(updated.steps).toEqual({ same: cases.length, create: teams.length, delete: teams.length });
}

/** The preview goes through, and one line per resource names what was not validated. */
function assertTold({ failed, text, messages }: Outcome, cases: readonly Case[]): void {
  expect(failed, text).toBe(false);
  const lines = messages
    .flatMap((message) => message.text.split("\n"))
    .filter((line) => line.includes(": not validated yet"));
  expect(lines, again(text)).toHaveLength(cases.length);
  for (const each of cases) {
    const { kind, slug, name } = each;
    const paths = placesOf(each);
    const unknown = (key: string) => paths.some((path) => path[0] === key);
    const shown = !unknown("slug") ? slug : !unknown("name") ? each.complete(each.drawn.config).name : name;
    // A line break in a name does not break the line.
    const title = kind.isSingleton ? `the ${kind.title}` : `${kind.title} "${String(shown).replace(/\p{Cc}+/gu, " ")}"`;
    const told = `${title}: not validated yet, because these are known only after the update: `;
    const places = lines
      .filter((line) => line.startsWith(told))
      .map((line) => placesIn(line.slice(told.length)).sort());
    expect(places, again([kind.name, each.drawn])).toContainEqual(paths.map(placeText).sort());
  }
}

/** No request was about a resource of which something is unknown. */
const assertNotAsked = (cases: readonly Case[]) => {
  for (const { team, id } of cases) expect(team.proxy.take(id)).toEqual([]);
};

test("a resource that may be replaced is told of once, though the engine checks it twice", async () => {
  const { service } = await startService();
  const stack = await newStack(service.url);
  const program = (origin: string) => () => {
    const later = new obs.Dataset(origin, logs).createdAt;
    // The engine sends fields by name, the schema has "to" first.
    const email = { to: later.apply(() => "team@example.com"), html: later.apply(() => "<b>{{ . }}</b>") };
    new obs.Notifier("pager", { slug: later.apply(() => "pager"), email });
  };
  expect((await stack.up(program("origin"))).failed).toBe(false);
  const { failed, text, messages } = await stack.preview(program("other-origin"));
  expect(failed, text).toBe(false);
  expect(messages.filter((message) => message.text.includes("not validated yet"))).toHaveLength(1);
});

test.each(everyRun)(
  "a dataset of the same run never fails the allocation that depends on it; what nobody plans does, validated by %s",
  { timeout: 2 * timeLimitMs },
  async (validator) => {
    const cases = fc.sample(
      fc.record({
        before: fc.integer({ min: 0, max: 3 }),
        more: fc.integer({ min: 1, max: 4 }),
        byText: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
        stranger: fc.nat({ max: 6 }),
      }),
      { numRuns: runs(0.01), seed },
    );
    for (const drawn of cases) {
      const { service } = await startService();
      const stack = await newStack(service.url, { validator });
      const program = (count: number, stranger?: number) => () => {
        const datasets = Array.from({ length: count }, (_, i) => new obs.Dataset(`logs-${i}`, logs));
        const named = datasets.map((dataset, i) => ({ datasetSlug: drawn.byText[i] ? `logs-${i}` : dataset.slug }));
        const strange = stranger === undefined ? [] : [{ datasetSlug: "nobody-makes-this" }];
        const datasetAllocations = [...named.slice(0, stranger), ...strange, ...named.slice(stranger ?? count)];
        new obs.LogAllocationConfig("budget", { datasetAllocations }, { dependsOn: datasets });
      };
      // The allocation is new, and then an existing one is changed.
      for (const count of [drawn.before, drawn.before + drawn.more]) {
        const previewed = await stack.preview(program(count));
        expect(previewed.failed, previewed.text).toBe(false);
        const place = Math.min(drawn.stranger, count);
        const refused = await stack.preview(program(count, place));
        expect(refused.messages).toContainEqual({
          severity: "error",
          name: "budget",
          text: expect.stringMatching(
            new RegExp(
              `(?:^| has a problem: )datasetAllocations\\[${place}\\]\\.datasetSlug: there is no dataset .*pass its slug output instead of a text$`,
            ),
          ),
        });
        const updated = await stack.up(program(count));
        expect(updated.failed, updated.text).toBe(false);
      }
    }
    reportFigure(
      `allocations of datasets of the same run through the engine, validated by ${validator}: ${cases.length * 2}, failures: 0`,
    );
  },
);

test("a text that names a dataset of the same run without depending on it may fail, and then says what to pass", async () => {
  const { service } = await startService();
  const stack = await newStack(service.url);
  const allocate = () => new obs.LogAllocationConfig("budget", { datasetAllocations: [{ datasetSlug: "logs" }] });
  const attempt = async (program: () => void | Promise<void>) => {
    const { failed, text, messages } = await stack.preview(program);
    const told = messages.filter(({ severity, name }) => severity === "error" && name === "budget");
    expect(told.length > 0, text).toBe(failed);
    for (const message of told)
      expect(message.text).toMatch(/datasetAllocations\[0\]\.datasetSlug: .*pass its slug output instead of a text$/);
    return failed;
  };
  await attempt(() => {
    allocate();
    new obs.Dataset("logs", logs);
  });
  const failedBefore = await attempt(async () => {
    allocate();
    await until(() => pulumi.log.hasErrors(), "the refusal");
    new obs.Dataset("logs", logs);
  });
  expect(failedBefore).toBe(true);
});
