import { onTestFinished } from "vitest";
import { type Service, type ServiceOptions, startService } from "../../service/dist/server.js";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { toWire } from "../../dist/provider/wire/codec.js";
import { caseOf } from "../support/cases.js";
import { request } from "../support/http.js";

/** An answer, its JSON untyped on purpose: tests read it as a client of any language would. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

export type Client = ReturnType<typeof clientOf>;

/** A service of this test alone, which ends with it. */
export async function start(options: ServiceOptions = {}): Promise<Client> {
  const service = await startService(options);
  onTestFinished(() => service.close());
  return clientOf(service, options.token);
}

export function clientOf(service: Service, token: string = service.token) {
  const urlOf = (path: string) =>
    service.url + (path.startsWith("/api/") || path.startsWith("/-/") ? path : `/api/v1/config${path}`);
  const answerOf = (status: number, headers: Headers, text: string): Answer => ({
    status,
    headers,
    body: text === "" ? undefined : JSON.parse(text),
  });
  const ask = async (method: string, path: string, more: Readonly<Record<string, string>> = {}, body?: string) => {
    const { status, headers, text } = await request(urlOf(path), method, { "API-Token": token, ...more }, body);
    return answerOf(status, headers, text);
  };
  const withBody = (method: string) => (path: string, body: unknown) =>
    ask(method, path, { "Content-Type": "application/json" }, typeof body === "string" ? body : JSON.stringify(body));
  return {
    service,
    /** A request in full: no header but those given. */
    async send(path: string, init: RequestInit = {}) {
      const response = await fetch(urlOf(path), init);
      return answerOf(response.status, response.headers, await response.text());
    },
    get: (path: string) => ask("GET", path),
    delete: (path: string) => ask("DELETE", path),
    post: withBody("POST"),
    put: withBody("PUT"),
  };
}

type KindSample = ReturnType<typeof sampleOf>;

/** A kind as a client sees it, with what its objects hold beside their names: by default what the kind's example holds. */
export function sampleOf(kindName: string, fields?: Readonly<Record<string, unknown>>) {
  const { kind } = caseOf(kindName);
  const complete = toWire(kind.root, kind.example);
  const { slug: _, ...example } = complete;
  return {
    kind: kindName,
    path: kind.family.post.path.replace("/api/v1/config", ""),
    /** That of its envelope. */
    key: kind.wire.one,
    createdBy: kind.operations.create.method,
    /** A small resource that the service accepts. */
    valid: { ...(kind.isSingleton ? {} : { name: `A ${kindName}` }), ...(fields ?? example) },
    example: complete,
  };
}

export const notifier = sampleOf("Notifier", { email: { to: "team@example.com" } });
export const monitor = sampleOf("Monitor", {
  label_query: "up",
  interval_secs: 30,
  series_conditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0.5, sustain_secs: 60 }] } } },
});
export const logAllocationConfig = sampleOf("LogAllocationConfig", {
  default_dataset: { allocation: { percent_of_license: 60 } },
});
export const traceMetricsRule = sampleOf("TraceMetricsRule");
export const dataset = sampleOf("Dataset");
export const derivedMetric = sampleOf("DerivedMetric");
export const slo = sampleOf("SLO");

/** The kinds with a slug. */
export const slugKinds: readonly KindSample[] = kinds
  .filter(({ isSingleton }) => !isSingleton)
  .map(({ name }) => [notifier, monitor].find(({ kind }) => kind === name) ?? sampleOf(name));

/** Creates a resource the way its kind is created. */
export function create(client: Client, { path, key, createdBy, valid }: KindSample, slug: string, changes = {}) {
  const resource = { ...valid, slug, ...changes };
  return createdBy === "POST"
    ? client.post(path, { [key]: resource })
    : client.put(`${path}/${slug}`, { [key]: resource, create_if_missing: true });
}

/** `path: message` of every problem of a refusal. */
export function problemsOf({ body }: Answer): readonly string[] {
  return (body.errors ?? []).map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`);
}
