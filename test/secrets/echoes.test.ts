import { beforeAll, describe, expect, test } from "vitest";
import { secretTexts } from "../../dist/provider/values/secrets.js";
import { caseOf } from "../support/cases.js";
import * as faults from "../support/faults.js";
import { type Host, type LocalHost, localHost, startHost } from "../support/host.js";
import { ownService } from "../support/service.js";
import { type Bearer, bearers, token } from "./canaries.js";
import { Scan } from "./scan.js";

type Json = Record<string, unknown>;

const scan = new Scan();
let service: Awaited<ReturnType<typeof ownService>>;
let proxy: faults.FaultProxy;
let host: Host;
/** A process that has written nothing, so that it deletes whatever it is told to. */
let deleter: LocalHost;
/** What stands in the service. */
let standing: readonly (Bearer & { readonly outputs: Json; readonly next: Json })[];

beforeAll(async () => {
  service = await ownService({ token, showSecrets: true });
  proxy = await faults.ownProxy(service.url);
  const settings = { baseUrl: proxy.url, apiToken: token, maxConcurrency: "64", retryBudgetSecs: "5" };
  host = await startHost(settings);
  deleter = localHost(settings);
  const rotated = bearers(1);
  standing = await Promise.all(
    bearers().map(async (bearer, i) => {
      const { outputs } = await host.create(bearer.kind.name, bearer.args);
      return { ...bearer, outputs, next: rotated[i]?.args ?? {} };
    }),
  );
});

type Standing = (typeof standing)[number];

/** Every way of meeting the service: each call is about a slug that tells which secrets the provider knows then. */
const verbs: Readonly<Record<string, (bearer: Standing) => Promise<unknown>>> = {
  "preview of a new one": ({ kind, args, slug }) => host.check(kind.name, {}, { ...args, slug: `new-${slug}` }),
  "preview of a rotation": ({ kind, args, next }) => host.check(kind.name, args, next),
  create: ({ kind, args, slug }) => host.create(kind.name, { ...args, slug: `new-${slug}` }),
  update: ({ kind, slug, outputs, next }) => host.update(kind.name, slug, outputs, next),
  refresh: ({ kind, slug, outputs }) => host.read(kind.name, slug, outputs),
  get: ({ kind, slug }) => host.read(kind.name, `get-${slug}`, {}),
  destroy: ({ kind, slug, outputs }) => deleter.delete(kind.name, slug, outputs),
};

/** What the provider knows of the object that a request is about. */
function echo({ method, path, query, body }: faults.Arrival): string {
  const about = `${path} ${query.get("slugs") ?? ""} ${JSON.stringify(body)}`;
  const bearer = standing.find(({ slug }) => about.includes(slug));
  const known =
    bearer === undefined || about.includes("get-") ? [] : method === "PUT" ? [bearer.args, bearer.next] : [bearer.args];
  const texts = known.flatMap((object) => secretTexts(caseOf(bearer?.kind.name ?? "").kind.root, object));
  return [...texts, token].join(" , ");
}

const json = (status: number, body: unknown): faults.Fault => faults.failing(status, body);
const page = (status: number, text: string, type = "text/html"): faults.Fault => ({
  ...faults.html(status),
  reply: () => ({ status, headers: { "content-type": type }, text }),
});

/** How the service fails, given the words that it echoes. Their spellings are tried in test/unit/base/redact.test.ts. */
const failures: Readonly<Record<string, (words: string) => faults.Fault>> = {
  "400 in its message": (words) => json(400, { code: 3, message: `it is wrong: ${words}` }),
  "400 in its list of problems": (words) =>
    json(400, { code: 400008, message: "it is wrong", errors: [{ path: words, message: words }] }),
  "409 in its message": (words) => json(409, { message: `it is wrong: ${words}` }),
  "500 in its message": (words) => json(500, { message: `it is wrong: ${words}` }),
  "422 in a text": (words) => page(422, `it is wrong: ${words}`, "text/plain"),
  "400 in a page": (words) => page(400, `<html><p>it is wrong: ${words}</p></html>`),
  "200 in a page": (words) => page(200, `<html><p>it is wrong: ${words}</p></html>`),
  "400 in a message that is cut": (words) => json(400, { message: `it is wrong: ${"word ".repeat(3_260)}${words}` }),
};

/** What the engine shows of a call's end. */
async function told(call: Promise<unknown>): Promise<string> {
  try {
    // The inputs that check answers with are the engine's own, which knows the secrets in them.
    const { failures } = (await call) as { failures?: unknown };
    return JSON.stringify(failures);
  } catch (error) {
    // All that a gRPC error carries.
    const { message, details, metadata } = error as Error & { details?: string; metadata?: unknown };
    return [message, details, JSON.stringify(metadata)].join("\n");
  }
}

describe("what a service echoes of secrets is redacted before the engine gets it", () => {
  test.each(Object.entries(failures))("%s", async (failure, of) => {
    proxy.use((arrival) => of(echo(arrival)));
    const calls = standing.flatMap((bearer) => Object.entries(verbs).map(([verb, call]) => ({ bearer, verb, call })));
    await Promise.all(
      calls.map(async ({ bearer, verb, call }) => {
        const text = await told(call(bearer));
        scan.text(`${verb} of ${bearer.slug}, ${failure}`, text);
        // A failure for a reason of its own, such as a wrong argument, would prove nothing.
        expect(text, `${verb} of ${bearer.slug}`).toMatch(/it is wrong/);
      }),
    );
    scan.text("the provider's own output", host.output() + deleter.output());
    scan.expectClean();
  });

  test("an item that the program marks as secret, in an unordered list whose recorded order is another, is struck too", async () => {
    const { args } = caseOf("CloudxMetricsIntegration");
    const inOrder = (...subscriptionIds: string[]) => ({ ...args, scrapeConfig: { subscriptionIds } });
    proxy.use(() => json(400, { message: "it is wrong: subscription-a, subscription-b" }));
    const { inputs, failures: reasons } = await host.check(
      "CloudxMetricsIntegration",
      inOrder("subscription-a", "subscription-b"),
      {
        ...inOrder("subscription-b", "subscription-a"),
        name: "Another name",
        __ctx: { dryRun: true, secrets: [["scrapeConfig", "subscriptionIds", 0]] },
      },
    );
    expect(inputs.scrapeConfig).toEqual({ subscriptionIds: ["subscription-a", "subscription-b"] });
    expect(reasons.join()).toMatch(/it is wrong/);
    expect(reasons.join()).not.toContain("subscription-b");
  });
});
