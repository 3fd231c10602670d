import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import type { Service } from "@pulumi-observability/service";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { showMany, showOne } from "../../dist/provider/lifecycle/verbs/functions.js";
import { Claims } from "../../dist/provider/lifecycle/objects/claims.js";
import { startSession } from "../../dist/provider/lifecycle/session.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { unknown } from "../../dist/provider/values/unknown.js";
import { caseOf, cases } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { stubProxy } from "../support/proxy.js";
import { ownFolder } from "../support/folders.js";
import { localHost } from "../support/host.js";
import { ask, ownService, put, token } from "../support/service.js";
import { interfaceOperations } from "../witness/witnesses.js";
import { render, type Section } from "./document.js";
import { full, proxyWithPassword, untrusted } from "./unreachable.js";

type Json = Record<string, unknown>;

const settingsOf = (settings: Json) =>
  ({ baseUrl: service.url, apiToken: token, retryBudgetSecs: "2", ...settings }) as Record<string, string | undefined>; // as the stack's config has them
/** What a program's functions ask with. */
const program = (settings: Json) => {
  const all = settingsOf(settings);
  return startSession(
    (name) => all[name],
    () => undefined,
    newClaims(),
  );
};

type Provider = ReturnType<typeof provider>;

/** One provider, without its process: its settings, what it noted, and what it tells the engine. */
function provider(settings: Json, claims = newClaims()) {
  const host = localHost(settingsOf(settings), claims);
  const about = (kindName: string, args: Json) => (kindOf(kindName).isSingleton ? args : { name: "A name", ...args });
  return {
    notes: host.output,
    /** Why it is refused, one reason a line. */
    check: async (kind: string, olds: Json, news: Json): Promise<string> =>
      (await host.check(kind, olds, about(kind, news))).failures.join("\n"),
    create: async (kind: string, args: Json): Promise<Json> => (await host.create(kind, about(kind, args))).outputs,
    update: (kind: string, outputs: Json, args: Json) => host.update(kind, "", outputs, about(kind, args)),
    diff: (kind: string, outputs: Json, args: Json) => host.diff(kind, String(args.slug), outputs, about(kind, args)),
    read: async (kind: string, id: string, outputs: Json = {}): Promise<Json> =>
      (await host.read(kind, id, outputs)).outputs,
    delete: host.delete,
    interrupt: () => void host.stop(),
    /** All that it noted, at its end. */
    told: async (): Promise<string> => {
      await host.stop();
      return host.output();
    },
  };
}

/** Where the number of attempts ends them, however slow the machine is. */
const patient = { retryBudgetSecs: "60" };

const newClaims = () => new Claims(join(ownFolder(), "operation"));
const kindOf = (name: string): Kind => caseOf(name).kind;
const example = (kind: string, slug: string): Json => ({ ...caseOf(kind).args, slug });
const taken = example("Monitor", "taken");
/** When a monitor is critical, as its arguments say it. */
const critical = (...conditions: readonly Json[]): Json => ({
  seriesConditions: { defaults: { critical: { conditions } } },
});

let service: Service;
let described: Service;
let other: Service;
let proxy: faults.FaultProxy;
let dead: faults.FaultProxy;

beforeAll(async () => {
  [service, described, other] = await Promise.all([
    ownService(),
    ownService({ operations: "described" }),
    ownService(),
  ]);
  proxy = await faults.ownProxy(service.url);
  dead = await faults.ownProxy(service.url);
  await dead.refuse();
  await put(service, "Dataset", "checkout-logs");
});

const discard = { slug: "pager", discard: true };
const email = { slug: "pager", email: { to: "team@example.com" } };

/** A new monitor as a preview checks it, where the folder that providers share was prepared so. */
const sharedIn = async (prepare: (folder: string) => void) => {
  const folder = join(ownFolder(), "operation");
  prepare(folder);
  const text = await provider({}, new Claims(folder)).check("Monitor", {}, example("Monitor", "checkout-errors"));
  return text.replace(folder, "<folder>");
};
/** A new monitor as a preview checks it. */
const validated = (settings: Json) =>
  provider({ ...patient, ...settings }).check("Monitor", {}, example("Monitor", "checkout-errors"));
/** The same, of a service on another machine. */
const elsewhere = () => validated({ baseUrl: "http://config.example.com", allowInsecure: "true" });
/** What is told where this is the environment's only proxy, or there is none. */
const through = (address: string | undefined, act: () => Promise<string>) => {
  stubProxy(address);
  return act().finally(() => vi.unstubAllEnvs());
};
/** A provider of a service that fails so. */
const behind = (rule: faults.Rule, settings: Json = {}) => {
  proxy.use(rule);
  return provider({ baseUrl: proxy.url, ...settings });
};
/** A provider of a service that has only the described operations. */
const limited = (settings: Json = {}) => provider({ baseUrl: described.url, ...settings });
/** A new notifier as a preview checks it, at a service that fails so. */
const answered = (fault: faults.Fault, settings?: Json) => behind(() => fault, settings).check("Notifier", {}, discard);
/** What a preview says of an object that it does not change, at a service that answers so. */
const unchanged = async (fault: faults.Fault | undefined, settings?: Json) => {
  const mine = behind(() => fault, settings);
  const news = { ...discard, name: "A name" };
  const failures = await mine.check("Notifier", news, { ...news, __ctx: { dryRun: true } });
  return [failures, mine.notes()].join("");
};
const refused = (kind: string, change: Json) => checked(kind, { ...example(kind, "new"), ...change });
/** An object that stands in the service, as state has it. */
async function standing(kind: string, args: Json, baseUrl = service.url): Promise<Json> {
  await ask(service, "DELETE", kindOf(kind).family.get.path.replace("{slug}", String(args.slug)));
  return { ...(await provider({ baseUrl }).create(kind, args)) };
}
/** Why a preview rejects what a program declares. */
const checked = (kind: string, args: Json) => provider({}).check(kind, {}, args);
/** How the service fails once an object stands, and with which settings it is then asked. */
interface Circumstances {
  readonly fault?: faults.Rule;
  readonly settings?: Json;
}
/** What is told by what a provider does with an object that stands in the service: why it fails, else all that it noted. */
async function onceItStands(
  kind: string,
  args: Json,
  act: (mine: Provider, outputs: Json) => Promise<unknown>,
  { fault, settings }: Circumstances = {},
): Promise<string> {
  const { url } = fault === undefined ? service : proxy;
  const outputs = await standing(kind, args, url);
  proxy.reset();
  if (fault !== undefined) proxy.use(fault);
  const mine = provider({ baseUrl: url, ...settings });
  await act(mine, outputs);
  return mine.told();
}
const reads = (kind: string, args: Json, circumstances?: Circumstances) =>
  onceItStands(kind, args, (mine, outputs) => mine.read(kind, String(args.slug), outputs), circumstances);
const updates = (kind: string, args: Json, news: Json, circumstances?: Circumstances) =>
  onceItStands(kind, args, (mine, outputs) => mine.update(kind, outputs, news), circumstances);
const deletes = (kind: string, args: Json, circumstances?: Circumstances) =>
  onceItStands(kind, args, (mine, outputs) => mine.delete(kind, String(args.slug), outputs), circumstances);
/** What a preview says of what a program declares: all that it notes, and why it is refused. */
async function noted(kind: string, args: Json, settings: Json = {}): Promise<string> {
  const mine = provider(settings);
  const failures = await mine.check(kind, {}, args);
  return [await mine.told(), failures].filter((each) => each !== "").join("\n");
}
/** What a preview says of a kind's example at a service where the same object stands. */
async function adopting(adopt: string, kind: string, args: Json, live: Json = args): Promise<string> {
  await standing(kind, live);
  return noted(kind, args, { adopt });
}
/** What a provider reports when it works with a monitor that was deleted and recreated. */
const onceMadeAnew = (act: (mine: Provider, outputs: Json, args: Json) => Promise<unknown>) => {
  const args = example("Monitor", "recreated");
  return onceItStands("Monitor", args, async (mine, outputs) => {
    await standing("Monitor", args);
    await act(mine, outputs, args);
  });
};
/** A list of notifiers with each of them changed. */
const listing = (change: (notifier: Json) => Json) =>
  faults.edited("listing", ({ page, notifiers }) => ({ page, notifiers: (notifiers as Json[]).map(change) }));
/** A create whose first answer is this one. */
const created = (fault: faults.Fault) =>
  behind(faults.on({ method: "POST" }, fault)).create("Notifier", { ...discard, slug: "never" });
/** Two conditions instead of one, each with a field of its own that no schema of ours has. */
const withAnUnknownField = (body: Json): Json => {
  const { series_conditions, ...rest } = body.monitor as Json;
  const unknownTo = (value: number) => ({ op: "GT", value, newer_field: value });
  const defaults = { critical: { conditions: [unknownTo(1), unknownTo(2)] } };
  return { monitor: { ...rest, series_conditions: { ...(series_conditions as Json), defaults } } };
};
/** One object declared twice, under one provider or under another one with this token. */
async function declaredTwice(kind: string, args: Json, apiToken?: string): Promise<string> {
  const claims = newClaims();
  const declared = (name: string) => ({ __ctx: { name, instance: name }, ...args });
  const first = provider({ validate: "never" }, claims);
  await first.check(kind, {}, declared("first"));
  const second = apiToken === undefined ? first : provider({ validate: "never", apiToken }, claims);
  return (await second.check(kind, {}, declared("second"))) || second.told();
}

const sections: readonly Section[] = [
  {
    title: "Settings",
    situations: {
      "no base URL": () => validated({ baseUrl: undefined }),
      "no base URL and no token": () => validated({ baseUrl: undefined, apiToken: undefined }),
      "a base URL without a scheme": () => validated({ baseUrl: "config.example.com" }),
      "a base URL of another scheme": () => validated({ baseUrl: "ftp://config.example.com" }),
      "a base URL with credentials": () => validated({ baseUrl: "https://user:password@config.example.com" }),
      "a base URL with a query": () => validated({ baseUrl: "https://config.example.com?a=b" }),
      "plain http to another machine": () => validated({ baseUrl: "http://config.example.com" }),
      "no token": () => validated({ apiToken: undefined }),
      "a token with a line break": () => validated({ apiToken: "a\nb" }),
      "an invalid validate": () => validated({ validate: "sometimes" }),
      "an invalid adopt": async () => {
        await standing("Notifier", discard);
        return provider({ adopt: "yes" }).check("Notifier", {}, discard);
      },
      "an invalid onMissingDelete": async () => {
        const mine = limited();
        const outputs = await mine.create("TraceMetricsRule", example("TraceMetricsRule", "kept"));
        const fresh = limited({ onMissingDelete: "ignore" });
        return fresh.delete("TraceMetricsRule", "kept", outputs);
      },
      "secretMasks that is not a list": () => reads("Notifier", discard, { settings: { secretMasks: "[{}]" } }),
      "maxConcurrency that is not a number": () => validated({ maxConcurrency: "many" }),
      "an invalid allowInsecure": () => validated({ allowInsecure: "perhaps" }),
      "a proxy without a scheme": () => through("proxy.example.com:3128", elsewhere),
      // Why else it is not used: test/unit/lifecycle/claims.test.ts. Windows has no such modes and owners.
      "a shared folder that is a link": () => sharedIn((folder) => symlinkSync(ownFolder(), folder, "junction")),
      "a shared folder with a damaged file": () =>
        sharedIn((folder) => {
          mkdirSync(folder, { mode: 0o700 });
          writeFileSync(join(folder, "1-1"), "damaged\n");
        }),
    },
  },
  {
    title: "No answer",
    situations: {
      "no process listens": () => validated({ baseUrl: dead.url }),
      "no such host": () => through(undefined, () => validated({ baseUrl: "https://config.invalid" })),
      "no process listens at the proxy's port": () => through(dead.url, elsewhere),
      "a proxy that requires a password": async () => through(await proxyWithPassword(), elsewhere),
      "a certificate that is not trusted": async () => validated({ baseUrl: await untrusted() }),
      "https to a port for http": () => validated({ baseUrl: service.url.replace("http:", "https:") }),
      "http to a port for https": async () => validated({ baseUrl: (await untrusted()).replace("https:", "http:") }),
      "http to a port for https, in words": () =>
        answered(faults.failing(400, "Client sent an HTTP request to an HTTPS server."), patient),
      "no connection in time": async () => validated({ baseUrl: await full(), requestTimeoutSecs: "1" }),
      "no answer in time": () => answered(faults.silent, { requestTimeoutSecs: "1" }),
      "the connection ends": () => answered(faults.resetBefore, patient),
      "the answer is cut off": () => answered(faults.cutShort, patient),
      "the run was interrupted before": () => {
        const mine = provider({});
        void mine.read("Notifier", "pager").catch(() => undefined);
        mine.interrupt();
        return mine.create("Notifier", discard);
      },
    },
  },
  {
    title: "Rejections",
    situations: {
      "a wrong token": () => validated({ apiToken: "wrong" }),
      "a wrong path": () => validated({ baseUrl: `${service.url}/elsewhere` }),
      "400 with a message": () => answered(faults.failing(400, { message: "skip_resolved is not known" })),
      "a missing permission": () => answered(faults.failing(403, { message: "this token may not write" })),
      "409 with another service's message": () => answered(faults.failing(409, { message: "there is a conflict" })),
      "422 without a message": () => answered(faults.failing(422, {})),
      "429 with a wait beyond the budget": () => answered(faults.rateLimited("30")),
      "answered 500": () => answered(faults.failing(500, { message: "database is locked" }), patient),
      "answered 501": () => answered(faults.failing(501, { message: "not here" })),
      "502 with a page of a gateway": () => answered(faults.html(502)),
    },
  },
  {
    title: "In a preview in which nothing changes",
    situations: {
      "a setting that only a delete uses": () => unchanged(undefined, { onMissingDelete: "retian" }),
      "an expired token": () => unchanged(faults.failing(401, { message: "the token has expired" })),
      "a token without permissions": () => unchanged(faults.failing(403, { message: "this token may not read" })),
      "a sign-in page instead of the service": () => unchanged(faults.html(200)),
      "{} instead of the service's answer": () => unchanged(faults.empty),
      "a redirection": () => unchanged(faults.failing(302, {})),
      "a service that is drained": () => unchanged(faults.failing(503, { message: "draining" })),
      "a connection that ends": () => unchanged(faults.resetBefore, patient),
    },
  },
  {
    title: "Unusable answers",
    situations: {
      "a redirect": () => answered(faults.failing(302, {}, { location: "https://sso.example.com/login?next=secret" })),
      "a sign-in page": () => answered(faults.html(200)),
      "half of the JSON": () => reads("Notifier", discard, { fault: () => faults.halfOfTheJson }),
      "an array": () => answered({ ...faults.failing(200, []), name: "an array" }),
      "a list without a page": () => reads("Notifier", discard, { fault: () => faults.withoutPage }),
      "the same page again": () =>
        behind(() => faults.failing(200, { notifiers: [], page: { next_token: "again" } })).read("Notifier", "pager"),
      "another JSON than the service's": () =>
        behind(() => faults.failing(200, { status: "healthy", uptime: 12 })).read("Notifier", "pager"),
      "an object's answer without the object": () => behind(() => faults.empty).read("Dataset", "checkout-logs"),
      "success without the object, and no object": () => created(faults.empty),
      "success for another slug": () => created(faults.failing(200, { notifier: { slug: "pager-1" } })),
      "success for an object that differs": () =>
        updates("Notifier", email, discard, { fault: faults.on({ method: "PUT" }, faults.empty) }),
    },
  },
  {
    title: "Answers of another form",
    situations: {
      "a list of summaries": () =>
        reads("Notifier", discard, {
          fault: ({ path }) =>
            path.endsWith("/pager") ? faults.failing(404, "") : listing(({ slug, name }) => ({ slug, name })),
        }),
      "a list that rejects a large page": () =>
        behind(({ query }) =>
          query.get("page.max_size") === "1000" ? faults.failing(400, { message: "at most 100" }) : undefined,
        ).read("Notifier", "pager"),
      "a list that rejects a filter": () =>
        behind(({ query }) =>
          query.has("slugs") ? faults.failing(400, { message: "unknown parameter" }) : undefined,
        ).read("Notifier", "pager"),
      "a PUT that rejects the service's own field": () =>
        updates("Notifier", email, discard, {
          fault: ({ method }) =>
            method === "PUT"
              ? faults.failing(400, { message: "unknown field links" })
              : listing((each) => ({ ...each, links: {} })),
        }),
      "values that the service stores in another form": () => {
        const upper = (notifier: unknown) => ({
          ...(notifier as Json),
          name: "PAGER",
          email: { to: "team@example.com" },
        });
        const stored = faults.edited("upper case", ({ notifier, notifiers, ...body }) => ({
          ...body,
          ...(notifier === undefined ? {} : { notifier: upper(notifier) }),
          ...(notifiers === undefined ? {} : { notifiers: (notifiers as Json[]).map(upper) }),
        }));
        const news = { ...email, name: "Pager", email: { to: "Team@example.com" } };
        let isWritten = false;
        const fault = ({ method, dryRun }: faults.Arrival) => {
          isWritten ||= method === "PUT" && !dryRun;
          return isWritten ? stored : undefined;
        };
        return updates("Notifier", email, news, { fault });
      },
      "values that the service keeps": () => {
        const { labels, notificationPolicySlug, signalGrouping: _, ...fewer } = example("Monitor", "keeping");
        const left = {
          labels,
          notification_policy_slug: notificationPolicySlug,
          signal_grouping: { label_names: ["region"] },
        };
        const kept = faults.edited("kept", ({ monitor }) => ({ monitor: { ...(monitor as Json), ...left } }));
        return updates("Monitor", example("Monitor", "keeping"), fewer, { fault: faults.on({ method: "PUT" }, kept) });
      },
    },
  },
  {
    title: "Declarations",
    situations: {
      "a wrong type of each sort": () =>
        checked("Monitor", {
          slug: "errors",
          intervalSecs: 1.5,
          labelQuery: 1,
          labels: { a: 1 },
          annotations: "text",
          schedule: [],
          seriesConditions: { overrides: {} },
          signalGrouping: { signalPerSeries: "yes" },
        }),
      "a misspelled key, and one in wire spelling": () =>
        checked("Monitor", { slug: "errors", labelQury: "up", label_query: "up" }),
      "a key like no other": () => checked("Monitor", { slug: "errors", seriesConditions: { wholly: "other" } }),
      "a name without a slug": () => checked("Monitor", { __ctx: { name: "日本" }, labelQuery: "up" }),
      "a name that makes too long a slug": () =>
        checked("Monitor", { __ctx: { name: "a".repeat(300) }, labelQuery: "up" }),
      "a slug that is a secret": () =>
        checked("Monitor", { __ctx: { name: "errors", secrets: [["slug"]] }, slug: "errors" }),
      "one slug twice": () => declaredTwice("Monitor", { slug: "errors" }),
      "one slug twice, under two providers with one token": () => declaredTwice("Monitor", { slug: "errors" }, token),
      "one slug twice, under two providers with two tokens": () =>
        declaredTwice("Monitor", { slug: "errors" }, "another-token"),
      "an adopt of another value": () =>
        checked("Monitor", { ...example("Monitor", "errors"), __ctx: { name: "errors", adopt: "false" } }),
      "defaults that the class does not see": () =>
        provider({ defaultLabels: '{"team":"a"}' }).check(
          "Monitor",
          {},
          { ...example("Monitor", "errors"), __ctx: { name: "errors", instance: "1" } },
        ),
      "default labels that are not a map": () => new obs.Provider("team", { defaultLabels: "team=a" as never }),
      "two log allocations": () => declaredTwice("LogAllocationConfig", {}),
      "an empty name": () => new obs.Monitor("", {}),
      "arguments that are one output": () => new obs.Monitor("errors", pulumi.output({ labelQuery: "up" }) as never),
      "the option import": () => new obs.Monitor("errors", {}, { import: "errors" }),
      "a value that is almost a known one": () =>
        noted("Dataset", { slug: "logs", configuration: { type: "LOG", logDataset: {} } }),
      "values that are likely a mistake": () => {
        const conditions = [">", "<="].map((op) => ({ op, value: 1, sustainSecs: 120_000 }));
        return noted("Monitor", { ...example("Monitor", "slips"), intervalSecs: 60_000, ...critical(...conditions) });
      },
      "a share instead of percent": () => {
        const burnRateAlertingConfig = [{ window: "1h", budget: 0.02, severity: "crit" }];
        const definition = { objective: 0.999, enableBurnRateAlerting: true, burnRateAlertingConfig };
        return noted("SLO", { ...example("SLO", "share"), definition });
      },
      "null as a value": () =>
        noted("Monitor", { ...example("Monitor", "nothing"), ...critical({ op: "GT", value: null }), schedule: null }),
      "an output in a template string": () =>
        refused("Monitor", {
          labels: { notifier: "Calling [toString] on an [Output<T>] is not supported.\n\nTo get" },
        }),
      "ignoreChanges of an item in an unordered list": () => {
        const conditions = critical({ op: "GT", value: 1 }, { op: "GT", value: 2 });
        const place = "seriesConditions.defaults.critical.conditions";
        const ignoreChanges = [`${place}[1].value`, `${place}[*].sustainSecs`, place];
        const args = { slug: "errors", labelQuery: "up", ...conditions, __ctx: { name: "errors", ignoreChanges } };
        return noted("Monitor", args, { validate: "never" });
      },
      "options with paths that lead to no argument": () => {
        const paths = {
          ignoreChanges: ["label_query"],
          replaceOnChanges: ["seriesConditions.rules"],
          hideDiffs: ["x"],
        };
        const __ctx = { name: "errors", ...paths, secretOutputs: ["annotations.tok"] };
        return noted("Monitor", { ...example("Monitor", "errors"), __ctx }, { validate: "never" });
      },
      "a note of what is not known yet": () =>
        noted("Monitor", { ...example("Monitor", "errors"), labels: { team: unknown } }),
    },
  },
  {
    title: "Previews that the service rejects",
    situations: {
      "a service that ignores dry_run": () =>
        behind(() => faults.ignoringDryRuns).check("Notifier", {}, { ...discard, slug: "touched" }),
      "a slug": () => refused("Notifier", { slug: "a b" }),
      "no receiver": () => checked("Notifier", { slug: "pager" }),
      "two receivers": () => refused("Notifier", { discard: false, oncallA: { apiKey: "key-a" } }),
      "two queries": () => refused("Monitor", { loggingQuery: "error" }),
      "a dataset that does not exist": () =>
        checked("LogAllocationConfig", { datasetAllocations: [{ datasetSlug: "nowhere" }] }),
      "a dataset of this run, at a service of other codes": async () => {
        const missing = faults.failing(404, { message: "there is no dataset new-logs" });
        const mine = behind(() => missing, { validate: "always" });
        await mine.check("Dataset", {}, { ...example("Dataset", "new-logs"), description: unknown });
        await mine.check("LogAllocationConfig", {}, { datasetAllocations: [{ datasetSlug: "new-logs" }] });
        return mine.notes().split("\n").at(-1);
      },
    },
  },
  {
    title: "Objects recreated outside the stack",
    situations: {
      "at preview": () =>
        onceMadeAnew(async (mine, outputs, args) => {
          const news = { ...args, intervalSecs: 90 };
          const context = { dryRun: true, name: "recreated", instance: "1" };
          await mine.check("Monitor", args, { ...news, __ctx: context });
          await mine.diff("Monitor", outputs, news);
        }),
      "in the update": () =>
        onceMadeAnew((mine, outputs, args) => mine.update("Monitor", outputs, { ...args, intervalSecs: 90 })),
      "in a refresh": () =>
        onceMadeAnew((mine, outputs) => Promise.all([1, 2].map(() => mine.read("Monitor", "recreated", outputs)))),
      "and the resource is removed": () =>
        onceMadeAnew((mine, outputs) => mine.delete("Monitor", "recreated", outputs)),
      "or was deleted already": () =>
        onceItStands("Monitor", example("Monitor", "missing"), async (mine, outputs) => {
          await provider({}).delete("Monitor", "missing", outputs);
          await mine.delete("Monitor", "missing", outputs);
        }),
      "or edited": () => {
        const args = example("Monitor", "edited");
        return onceItStands("Monitor", args, async (mine, outputs) => {
          await provider({ adopt: "true" }).create("Monitor", { ...args, intervalSecs: 90 });
          await mine.update("Monitor", outputs, { ...args, intervalSecs: 30 });
        });
      },
      "created at the same time": () => {
        const older = faults.withField("created_at", () => "2026-01-01T00:00:00.000Z");
        const mine = behind(faults.on({ method: "PUT" }, older));
        return mine.create("Monitor", example("Monitor", "same-moment"));
      },
      "where the token can't read it": () =>
        deletes("Monitor", example("Monitor", "unread"), {
          fault: ({ method, path }) =>
            method === "GET" && path.endsWith("/unread") ? faults.failing(403, { message: "no" }) : undefined,
        }),
      "and an answer about another object": () =>
        onceItStands("Monitor", example("Monitor", "mixed-up"), (mine) => mine.read("Monitor", "mixed-up"), {
          fault: faults.on({ method: "GET" }, faults.mixedUp),
        }),
      "and a delete that leaves the object": () =>
        deletes("Monitor", example("Monitor", "stays"), {
          fault: faults.on({ method: "DELETE" }, faults.nothing),
        }),
    },
  },
  {
    title: "Objects that exist already",
    situations: {
      "at preview": () => adopting("false", "Notifier", discard),
      "in the update": () => provider({}).create("Notifier", discard),
      "in the update of a program without classes": async () => {
        const mine = provider({});
        await mine.check("Notifier", {}, { ...discard, __ctx: { name: "pager", instance: "1", validatesLater: true } });
        return mine.create("Notifier", discard);
      },
      "created by PUT": () => onceItStands("Monitor", taken, (mine) => mine.create("Monitor", taken)),
      "the only one": async () => {
        await provider({}).create("LogAllocationConfig", {});
        return provider({}).create("LogAllocationConfig", {});
      },
      "and is not identical": async () => {
        await standing("Notifier", discard);
        return provider({ adopt: "identical" }).create("Notifier", { ...email, skipResolved: true });
      },
      "and is adopted": () => adopting("true", "Monitor", taken, { ...taken, intervalSecs: 90, bucketSlug: "by-hand" }),
      "and is adopted without changes": () => adopting("identical", "Monitor", taken),
      "and is adopted with a secret that is not shown": () =>
        adopting("identical", "Notifier", example("Notifier", "pager")),
      "and is adopted unseen": async () => {
        const settings = { baseUrl: described.url, adopt: "true" };
        await provider(settings).create("Monitor", example("Monitor", "unseen"));
        return noted("Monitor", example("Monitor", "unseen"), settings);
      },
      "and may be the resource's own": () => {
        const context = { name: "taken", instance: "1", deleteBeforeReplace: true };
        return adopting("false", "Monitor", { ...taken, __ctx: context }, taken);
      },
      "and is not deleted": async () => {
        const claims = newClaims();
        const outputs = await standing("Monitor", taken);
        const owner = provider({}, claims);
        const context = { name: "its new owner", instance: "1", adopt: "identical" };
        await owner.check("Monitor", {}, { ...taken, __ctx: context });
        await owner.create("Monitor", taken);
        const mine = provider({}, claims);
        await mine.delete("Monitor", "taken", outputs);
        return mine.told();
      },
      "and cannot be compared": async () => {
        await limited().create("Monitor", taken);
        return limited({ adopt: "identical" }).create("Monitor", taken);
      },
      "perhaps, because the answer was lost": () =>
        behind(({ method }) => (method === "POST" ? faults.resetAfter : faults.failing(403, { message: "no" }))).create(
          "Notifier",
          { ...discard, slug: "lost" },
        ),
      "perhaps, because its answer was lost and it can't be parsed": () =>
        behind((arrival) =>
          faults.isWrite(arrival) ? faults.resetAfter : faults.withField("email", () => ["x"]),
        ).create("Notifier", { ...email, slug: "odd" }),
    },
  },
  {
    title: "Writes that the service rejects",
    situations: {
      create: () => provider({}).create("Notifier", { slug: "new", oncallB: { severity: "high" } }),
      "create, with many mistakes": () =>
        provider({}).create("Monitor", { slug: "new", intervalSecs: -1, schedule: { timezone: "Mars" } }),
      "create of the log allocation": async () => {
        await ask(service, "DELETE", "/api/v1/config/log-allocation-config");
        return provider({}).create("LogAllocationConfig", { datasetAllocations: [{ datasetSlug: "nowhere" }] });
      },
      update: () => updates("Notifier", discard, { slug: "pager", oncallA: {} }),
      "update with a wrong token": () => updates("Notifier", discard, email, { settings: { apiToken: "wrong" } }),
      "update of what a newer service has": () => {
        const args = example("Monitor", "newer");
        const fault = faults.on({ method: "GET" }, faults.edited("newer", withAnUnknownField));
        return updates("Monitor", args, { ...args, ...critical({ op: "LT", value: 1 }) }, { fault });
      },
      "delete of a dataset in use": async () => {
        const datasetAllocations = [{ datasetSlug: "checkout-logs", allocation: { percentOfLicense: 5 } }];
        await provider({}).create("LogAllocationConfig", { datasetAllocations });
        return provider({}).delete("Dataset", "checkout-logs", {});
      },
      "delete without permission": () =>
        deletes("Notifier", discard, {
          fault: faults.on({ method: "DELETE" }, faults.failing(403, { message: "no" })),
        }),
      "delete with a wrong token": () => deletes("Notifier", discard, { settings: { apiToken: "wrong" } }),
      "create, until the budget ends": () =>
        behind(faults.on({ method: "POST" }, faults.failing(503))).create("Notifier", { ...discard, slug: "late" }),
      "delete, until the budget ends": () =>
        deletes("Notifier", discard, { fault: faults.on({ method: "DELETE" }, faults.failing(503)) }),
    },
  },
  {
    title: "Operations that a service lacks",
    situations: {
      create: () => limited().check("Dataset", {}, example("Dataset", "logs")),
      update: async () => {
        const outputs = await limited().create("Notifier", discard);
        return limited().update("Notifier", outputs, email);
      },
      delete: async () => {
        const outputs = await limited({ adopt: "identical" }).create("Notifier", discard);
        return limited().delete("Notifier", "pager", outputs);
      },
      "delete, where it may be retained": async () => {
        const mine = limited({ onMissingDelete: "retain" });
        await mine.delete("Notifier", "pager", {});
        return mine.told();
      },
      get: () => limited().read("Monitor", "taken"),
      refresh: async () => {
        const outputs = await limited().create("Monitor", example("Monitor", "shown"));
        const mine = limited();
        await mine.read("Monitor", "shown", outputs);
        return mine.told();
      },
      "refresh that dry runs do not decide": async () => {
        const outputs = await limited().create("Monitor", example("Monitor", "odd"));
        return limited().read("Monitor", "odd", { ...outputs, intervalSecs: -1 });
      },
    },
  },
  {
    title: "Reads",
    situations: {
      "get of what is not there": () => provider({}).read("Monitor", "nowhere"),
      "refresh with a wrong token": () => reads("Notifier", discard, { settings: { apiToken: "wrong" } }),
    },
  },
  {
    title: "Functions",
    situations: {
      "getMonitor of what is not there": () => showOne(program({}), "Monitor", "nowhere"),
      "getMonitor in a service that can't show it": () =>
        showOne(program({ baseUrl: described.url }), "Monitor", "taken"),
      "getSLOs in a service that can't list them": () =>
        showMany(program({ baseUrl: described.url }), "SLO", "slos", {}),
      "getNotifiers with a wrong token": () => showMany(program({ apiToken: "wrong" }), "Notifier", "notifiers", {}),
      "getNotifiers without a URL": () => showMany(program({ baseUrl: undefined }), "Notifier", "notifiers", {}),
      "getNotifiers of something else": () => {
        proxy.use(() => faults.empty);
        return showMany(program({ baseUrl: proxy.url }), "Notifier", "notifiers", {});
      },
    },
  },
  {
    title: "Another service than the state's",
    situations: {
      preview: () =>
        onceItStands("Notifier", discard, (mine, outputs) => mine.diff("Notifier", outputs, discard), {
          settings: { baseUrl: other.url },
        }),
      refresh: () => reads("Notifier", discard, { settings: { baseUrl: other.url } }),
      destroy: () => deletes("Notifier", discard, { settings: { baseUrl: other.url } }),
    },
  },
];

/** What a user is told; the run of a situation fails, or answers with the text. */
async function told(situation: () => unknown): Promise<string> {
  try {
    const text = await situation();
    if (typeof text !== "string" || text === "") throw new Error(`nothing was told: ${JSON.stringify(text)}`);
    return text;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    proxy.reset();
  }
}

describe("messages", () => {
  const all = new Map<string, Map<string, string>>();

  test("are those of the reviewed document", async () => {
    for (const { title, situations } of sections) {
      const messages = new Map<string, string>();
      for (const [name, situation] of Object.entries(situations)) messages.set(name, await told(situation));
      all.set(title, messages);
    }
    const ports = {
      [service.url]: "the-service",
      [proxy.url]: "the-service",
      [described.url]: "the-service",
      [other.url]: "another-service",
      [dead.url]: "no-process",
    };
    await expect(render(all, ports)).toMatchFileSnapshot(join(import.meta.dirname, "messages.snap.md"));
  });

  test("name the kinds that every service lists or shows, as the hand-written copies of the kinds do", () => {
    const text = all.get("Functions")?.get("getSLOs in a service that can't list them") ?? "";
    const [, listed = "", shown = ""] = /for lists of (.*), and for a single (.*?), work/.exec(text) ?? [];
    const has = (operation?: { readonly path: string }) => `GET ${operation?.path}` in interfaceOperations;
    const kinds = cases.map(({ kind }) => kind);
    const shows = kinds.filter(({ family }) => has(family.get));
    const lists = kinds.filter((kind) => has(kind.family.list) && !shows.includes(kind));
    const remedy = "let `described` in provider/kinds and `operations` in test/witness/kinds name the same operations";
    expect(listed.split(/, | and /), remedy).toEqual(lists.map(({ manyTitle }) => manyTitle));
    expect(shown.split(/, | and /), remedy).toEqual(shows.map(({ title }) => title));
  });

  test("start in lower case or with a path, have no final period, and name the thing", () => {
    for (const [title, messages] of all) {
      for (const [name, text] of messages) {
        const where = `${title}: ${name}`;
        expect(Buffer.byteLength(text), where).toBeLessThan(4_096);
        expect(text, where).not.toContain("nothing was told");
        for (const line of text.split("\n")) {
          expect(line, where).toMatch(/^[a-z]|^(Monitor|SLO|Provider)(: | ")/);
          expect(line, where).not.toMatch(/\.$/);
          expect(line, where).not.toMatch(/undefined|\[object Object\]|NaN/);
        }
      }
    }
  });
});

describe("a message stays short and on one line, whatever the service sends", () => {
  const megabyte = "x".repeat(1_000_000);
  const control = "a\u0000b\u001b[31mc\r\nd\u009be\u001b]0;b\u0007f\u202eg\u2066";
  const problems = Array.from({ length: 1_000 }, (_, i) => ({ path: `email.to[${i}]`, message: `is wrong ${i}` }));

  test.each<[string, number, unknown]>([
    ["a message of a megabyte", 400, { code: 400008, message: megabyte }],
    ["a megabyte without a message", 500, megabyte],
    ["problems of a megabyte", 400, { code: 400008, message: "m", errors: [{ path: megabyte, message: megabyte }] }],
    ["a thousand problems", 400, { code: 400008, message: "m", errors: problems }],
    ["control characters", 400, { code: 400008, message: control, errors: [{ path: control, message: control }] }],
    ["half surrogates", 400, { message: `\ud800${"é".repeat(4_000)}\udfff` }],
    ["a megabyte of 401", 401, { message: megabyte }],
  ])("%s", async (_, status, body) => {
    const attempts: readonly ((mine: Provider) => Promise<unknown>)[] = [
      (mine) => mine.check("Notifier", {}, discard),
      (mine) => mine.create("Notifier", discard),
      (mine) => mine.update("Notifier", { ...discard, name: "A name" }, email),
      (mine) => mine.read("Notifier", "pager"),
      (mine) => mine.delete("Notifier", "other", {}),
    ];
    for (const attempt of attempts) {
      const text = await told(() => attempt(behind(() => faults.failing(status, body))));
      for (const line of text.split("\n")) {
        expect(Buffer.byteLength(line)).toBeLessThan(4_096);
        expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(Buffer.from(line).toString()).toBe(line);
      }
      // What to do and the request's id are at the end, even where the service's words are cut.
      if (text.startsWith("unable to")) expect(text).toMatch(/\(request [-0-9a-f]{36}\)$|Gave up|attempts/);
      if (status === 401) expect(text).toContain("Set a valid token");
    }
  });
});
