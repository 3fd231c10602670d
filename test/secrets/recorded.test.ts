import { afterAll, beforeAll, expect, test } from "vitest";
import type { Field } from "../../dist/provider/schema/field.js";
import { leaves } from "../../dist/provider/values/leaves.js";
import { type KindCase, cases, changed } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { reportFigure } from "../support/figures.js";
import { startHost } from "../support/host.js";
import { ownService } from "../support/service.js";
import { token } from "./canaries.js";

type Json = Record<string, unknown>;

let proxy: faults.FaultProxy;
let settings: Record<string, string>;
let texts = 0;

beforeAll(async () => {
  const service = await ownService({ token, showSecrets: true });
  proxy = await faults.ownProxy(service.url);
  settings = { baseUrl: proxy.url, apiToken: token, retryBudgetSecs: "2", adopt: "true" };
});

afterAll(() => reportFigure(`recorded marks: ${texts} errors that quote marked values, shown: 0`));

/** The arguments that a program marks: all but those that make up the address. */
const markable = ({ args }: KindCase) => Object.keys(args).filter((name) => name !== "slug");

/** What a program may mark, for each kind: each way says what the class tells the provider. */
const ways: readonly [string, (each: KindCase) => Json][] = [
  ["whole arguments", (each) => ({ secrets: markable(each).map((name) => [name]) })],
  ["each value", (each) => ({ secrets: marks(each).map(({ path }) => path) })],
  ["additionalSecretOutputs", (each) => ({ secretOutputs: markable(each) })],
];

/** The values that a service may quote: none of the interface's own words, and none that is too short to be redacted. */
const marks = ({ kind, args }: KindCase) =>
  leaves(kind.root as Field, args).filter(
    ({ path, value, field }) =>
      path[0] !== "slug" &&
      ["string", "number"].includes(typeof value) &&
      String(value).length >= 6 &&
      field.options.suggestions?.includes(String(value)) !== true,
  );

test.each(ways)("what was marked as %s stays redacted without the program, and without the mark", async (_, told) => {
  // Each but the writer has seen no program.
  const fresh = () => startHost(settings);
  const [writer, deleter, reader, updater] = await Promise.all([fresh(), fresh(), fresh(), fresh()]);
  for (const each of cases) {
    const { kind, args } = each;
    proxy.reset();
    const { inputs } = await writer.check(kind.name, {}, { ...args, __ctx: { dryRun: false, ...told(each) } });
    const { id, outputs } = await writer.create(kind.name, inputs);
    const quoted = marks(each).map(({ value }) => String(value));
    expect(quoted.length, kind.name).toBeGreaterThan(0);
    proxy.use(() => faults.failing(400, { code: 3, message: `it is wrong: ${quoted.join(" , ")}` }));
    const [change = {}] = Object.values(each.changes);
    const news = changed(args, change);
    const calls: Record<string, () => Promise<unknown>> = {
      delete: () => deleter.delete(kind.name, id, outputs),
      refresh: () => reader.read(kind.name, id, outputs),
      update: () => updater.update(kind.name, id, outputs, news),
    };
    const verbs = Object.entries(calls).map(async ([verb, call]) => {
      const text = await call().then(
        () => "",
        (error: unknown) => String(error),
      );
      texts += 1;
      expect(text, `${verb} of ${kind.name}`).toMatch(/it is wrong: .*\[secret\]/);
      for (const value of quoted) expect(text, `${verb} of ${kind.name}`).not.toContain(value);
    });
    await Promise.all(verbs);
  }
});
