import type { Service } from "@pulumi-observability/service";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { mapIn, type Path } from "../../dist/provider/schema/walk.js";
import { leaves } from "../../dist/provider/values/leaves.js";
import { configurationOf } from "../property/configurations.js";
import { type Json, onWire } from "../property/equivalence.js";
import { seed } from "../property/world.js";
import { pathOf } from "../support/cases.js";
import { type FaultProxy, failing, ownProxy } from "../support/faults.js";
import { Figures, runs } from "../support/figures.js";
import { type LocalHost, localHost } from "../support/host.js";
import { ask, ownService, token } from "../support/service.js";

const figures = new Figures();
let service: Service;
let proxy: FaultProxy;
/** One for the program, and others that know only the state: they refresh, remove the mark, and destroy. */
let [program, refresher, unmarking, destroyer]: LocalHost[] = [];
let count = 0;

beforeAll(async () => {
  service = await ownService({ strict: true, showSecrets: true });
  await seed(service);
  proxy = await ownProxy(service.url);
  const start = () => localHost({ baseUrl: proxy.url, apiToken: token });
  [program, refresher, unmarking, destroyer] = [start(), start(), start(), start()];
  const [kind] = kinds;
  // Proves URL and token, so that each later failure is about an object.
  if (kind !== undefined) await program.check(kind.name, {}, { ...kind.example, __ctx: { dryRun: true } });
});

/** Every place that can be marked: an argument, an item, an entry, and what contains them. */
const placesIn = (kind: Kind, config: Json): Path[] =>
  leaves(kind.root, config)
    .flatMap(({ path }) => path.map((_, i) => path.slice(0, i + 1)))
    .filter(([first]) => first !== "name" && first !== "slug");

/** Found by this test: the echo of the backslash was read as that of a line break. */
function foundIn(kind: Kind): [config: Json, choice: number, isOption: boolean][] {
  if (kind.name !== "SLO") return [];
  const config = {
    ...kind.example,
    sli: { ...(kind.example.sli as Json), customDimensionLabels: [String.raw`! !\N`] },
  };
  return [[config, placesIn(kind, config).findIndex((place) => place.at(-2) === "customDimensionLabels"), false]];
}

/** Every text and number under a place that redaction promises to find, and the keys of a map. */
const textsAt = (kind: Kind, config: Json, place: Path): string[] =>
  leaves(kind.root, config)
    .filter(({ path }) => place.every((step, i) => step === path[i]))
    .flatMap(({ path, field: { options }, value }) => [
      ...(mapIn(kind.root, path)?.length === place.length ? path.slice(place.length).map(String) : []),
      ...(typeof value === "boolean" || options.suggestions?.includes(String(value)) ? [] : [String(value)]),
    ])
    .filter(
      (text) =>
        text
          .replaceAll("\\", "")
          .replace(/[\s\p{Cc}+]+/gu, " ")
          .trim().length >= 4,
    );

const told = async (call?: Promise<unknown>): Promise<string> => {
  try {
    return JSON.stringify(((await call) as { failures?: unknown }).failures ?? []);
  } catch (error) {
    return String((error as Error).message);
  }
};

describe.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (name, kind) => {
  test("what is marked at any place is in no text of a later operation, also without the mark", async () => {
    const cases = [configurationOf(kind), fc.nat(), fc.boolean()] as const;
    const property = fc.asyncProperty(...cases, async (config, choice, isOption) => {
      const slug = `place-${(count += 1)}`;
      const args = kind.isSingleton ? config : { name: slug, ...config, slug };
      const places = placesIn(kind, config);
      const chosen = places[choice % places.length] ?? [];
      const place = isOption ? chosen.slice(0, 1) : chosen;
      const secrets = textsAt(kind, args, place);
      fc.pre(secrets.length > 0);
      const marks = isOption ? { secretOutputs: place } : { secrets: [place] };
      // Of the singleton each case is the same resource.
      const context = { name: slug, instance: kind.isSingleton ? name : slug, deleteBeforeReplace: false, ...marks };
      const said = `it is wrong: ${JSON.stringify(onWire(kind.root, config))} ${JSON.stringify(secrets)}`;
      const echo = () => failing(400, { code: 400008, message: said, errors: [{ path: said, message: said }] });
      const isRedacted = async (what: string, call?: Promise<unknown>) => {
        const text = await told(call);
        expect(text, what).toContain("it is wrong");
        const words = text.slice(text.indexOf("it is wrong"));
        for (const secret of secrets) expect(words, what).not.toContain(JSON.stringify(secret).slice(1, -1));
      };
      proxy.use(echo);
      await isRedacted("preview", program?.check(name, {}, { ...args, __ctx: { ...context, dryRun: true } }));
      proxy.reset();
      const checked = await program?.check(name, {}, { ...args, __ctx: { ...context, dryRun: false } });
      expect(checked?.failures).toEqual([]);
      const inputs = checked?.inputs ?? {};
      proxy.use(echo);
      await isRedacted("create", program?.create(name, inputs));
      proxy.reset();
      const { id = "", outputs = {} } = (await program?.create(name, inputs)) ?? {};
      proxy.use(echo);
      await isRedacted("refresh", refresher?.read(name, id, outputs));
      await isRedacted("update without the mark", unmarking?.update(name, id, outputs, { ...inputs, name: "Another" }));
      await isRedacted("destroy", destroyer?.delete(name, id, outputs));
      proxy.reset();
      // The program's process keeps what it declares; the singleton makes room for the next case.
      await ask(service, "DELETE", pathOf(kind, id));
    });
    await figures.hold("places marked as secret, per kind", property, runs(0.06, 1), foundIn(kind));
  });
});
