import { isDeepStrictEqual } from "node:util";
import type { Service } from "@pulumi-observability/service";
import { expect, test } from "vitest";
import { caseOf, cases, changed, idOf, type KindCase, pathOf, targetOf } from "../support/cases.js";
import { type Dialect, dialectOf, dialects, masks, speaking } from "../support/dialects.js";
import * as faults from "../support/faults.js";
import { isDeep } from "../support/figures.js";
import { type LocalHost, localHost } from "../support/host.js";
import { ask, live as objectIn, ownService, put, token } from "../support/service.js";

// With each service an object of each kind has the same life as with a plain one. What the provider can't work with:
// "Answers of another form" in test/messages/messages.snap.md.

type Json = Record<string, any>;

/** Deep runs try each dialect alone; others try one about each thing together. */
const services = (() => {
  const tables = dialects.map((each) => Object.entries<Dialect>(each));
  const longest = Math.max(...tables.map(({ length }) => length));
  const together = Array.from({ length: longest }, (_, i) =>
    tables.flatMap((table) => table.slice(i % table.length).slice(0, 1)),
  );
  return (isDeep ? tables.flat().map((each) => [each]) : together).map(
    (named) => [named.map(([name]) => name).join(", "), named.map(([, dialect]) => dialect)] as const,
  );
})();

/** Nothing else refers to others than the singleton, so it is created last and deleted first. */
const groups = [false, true].map((isSingleton) => cases.filter(({ kind }) => kind.isSingleton === isSingleton));

const lifeOf = (each: KindCase, same: (what: string, is: unknown, wanted: unknown) => void) => {
  const [change = {}] = Object.values(each.changes);
  const { kind, args } = each;
  return { kind, name: kind.name, id: idOf(each), args, change, inputs: {} as Json, outputs: {} as Json, same };
};
type Life = ReturnType<typeof lifeOf>;

/** Lives the life of an object of each kind until something fails. @returns what differs from that with a plain service. */
async function live(service: Service, host: LocalHost): Promise<string[]> {
  const odd: string[] = [];
  let doing = "";
  const lives = groups.map((group) =>
    group.map((each) =>
      lifeOf(each, (what, is, wanted) => {
        if (!isDeepStrictEqual(is, wanted)) odd.push(`${each.kind.name}: ${doing}: ${what} ${JSON.stringify(is)}`);
      }),
    ),
  );
  const step = async (what: string, work: (life: Life) => Promise<unknown>, order = lives) => {
    if (odd.length > 0) return;
    doing = what;
    for (const group of order)
      await Promise.all(
        group.map((life) => work(life).catch((error: unknown) => odd.push(`${life.name}: ${what}: ${String(error)}`))),
      );
  };
  const check = async ({ name, id, same }: Life, olds: Json, news: Json, more: Json = {}) => {
    const context = { dryRun: true, name: id, instance: name, ...more };
    const { failures, inputs } = await host.check(name, olds, { ...news, __ctx: context });
    same("fails", failures, []);
    return inputs;
  };
  const create = () =>
    step("create", async (life) => (life.outputs = (await host.create(life.name, life.inputs)).outputs));
  const update = (argsOf: (life: Life) => Json) =>
    step("update", async (life) => {
      const inputs = await check(life, life.inputs, argsOf(life));
      life.outputs = await host.update(life.name, life.id, life.outputs, inputs);
      life.inputs = inputs;
    });
  const unchanged = (what: string) =>
    step(what, async (life) => {
      const { name, id, same } = life;
      const read = await host.read(name, id, life.outputs);
      same("has id", read.id, id);
      same("has edits", read.outputs.__edits, undefined);
      life.outputs = read.outputs;
      await check(life, life.inputs, life.inputs);
      same("differs", (await host.diff(name, id, life.outputs, life.inputs)).changes, "none");
    });
  // As for a replacement: the same process may create it again.
  const remove = () =>
    step(
      "delete",
      async (life) => {
        await check(life, {}, life.inputs, { deleteBeforeReplace: true });
        await host.delete(life.name, life.id, life.outputs);
      },
      [...lives].reverse(),
    );

  await step("preview", async (life) => (life.inputs = await check(life, {}, life.args)));
  await create();
  await unchanged("read what was created");
  await step("edit outside", async ({ name, id, outputs, same, kind }) => {
    const object = await objectIn(service, name, id);
    const edit = kind.isSingleton ? { default_dataset: { allocation: { percent_of_license: 7 } } } : { name: "Edited" };
    await ask(service, "PUT", pathOf(kind, id), { [kind.wire.one]: { ...object, ...edit } });
    const path = kind.isSingleton ? ["defaultDataset", "allocation", "percentOfLicense"] : ["name"];
    let edits: unknown;
    // A read that lags may not show it at once.
    await faults.until(async () => (edits = (await host.read(name, id, outputs)).outputs.__edits), "an edit");
    same("has edits", edits, [path]);
  });
  await update(({ args, change }) => changed(args, change));
  await unchanged("read what was updated");
  await remove();
  await create();
  await unchanged("read what was replaced");
  await remove();
  await step("read what was deleted", async ({ name, id, outputs, same }) => {
    same("is", await objectIn(service, name, id), undefined);
    same("has id", (await host.read(name, id, outputs)).id, "");
  });
  await update(({ args }) => args);
  await unchanged("read what was recreated");
  return odd;
}

test.concurrent.each(services)("a service that %s", async (_, spoken) => {
  const service = await ownService();
  const proxy = await speaking(service, spoken);
  const host = localHost({ baseUrl: proxy.url, apiToken: token, secretMasks: masks });
  expect(await live(service, host)).toEqual([]);
  const { report } = spoken.find((each) => each.report !== undefined) ?? {};
  if (report !== undefined) await faults.until(() => report.test(host.output()), `the report ${report}`);
  else expect(host.output()).not.toContain("the service stores other values than declared");
});

test.each(["CloudxMetricsIntegration", "Dataset", "LogAllocationConfig"])(
  "a service that has neither a GET of a %s nor a list, and answers 400 for its conflict",
  async (name) => {
    const service = await ownService();
    const proxy = await speaking(service, [dialectOf("answers 400 for 409")]);
    const { kind, args, changes } = caseOf(name);
    proxy.use(({ method, path }) =>
      method === "GET" && targetOf(path)?.kind === kind ? faults.failing(404, "") : undefined,
    );
    const newHost = () => localHost({ baseUrl: proxy.url, apiToken: token });
    const host = newHost();
    if (name !== "Dataset") await put(service, "Dataset", String(caseOf("Dataset").args.slug));
    const context = { __ctx: { dryRun: true, name, instance: name } };
    const { inputs } = await host.check(name, {}, { ...args, ...context });
    const { id, outputs } = await host.create(name, inputs);
    expect(await host.read(name, id, outputs)).toMatchObject({ id, outputs: args });
    const [change = {}] = Object.values(changes);
    const next = await host.check(name, inputs, { ...changed(args, change), ...context });
    const updated = await newHost().update(name, id, outputs, next.inputs);
    await newHost().delete(name, id, updated);
    expect(await objectIn(service, name, id)).toBeUndefined();
    if (!kind.isSingleton) expect((await newHost().read(name, id, updated)).id).toBe("");
  },
);

test("a mask that secretMasks doesn't list: no read or update takes it for the secret", async () => {
  const service = await ownService();
  const proxy = await speaking(service, [dialectOf("hides secrets in its own way")]);
  const host = localHost({ baseUrl: proxy.url, apiToken: token });
  const { kind, args } = caseOf("Notifier");
  const { inputs } = await host.check(kind.name, {}, { ...args, __ctx: { dryRun: true, name: "n", instance: "n" } });
  const { id, outputs } = await host.create(kind.name, inputs);
  const stored = await objectIn(service, kind.name, id);
  const read = await host.read(kind.name, id, outputs);
  expect((await host.diff(kind.name, id, read.outputs, inputs)).changes).toBe("none");
  await host.update(kind.name, id, read.outputs, { ...inputs, name: "Renamed" });
  expect(await objectIn(service, kind.name, id)).toEqual({
    ...stored,
    name: "Renamed",
    updated_at: expect.any(String),
  });
});
