import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { providerText } from "../../dist/provider/dynamic/providerText.js";
import { resourceProviderOf } from "../../dist/provider/dynamic/resourceProvider.js";
import { Claims } from "../../dist/provider/lifecycle/objects/claims.js";
import { kindNamed, lineOf, startSession } from "../../dist/provider/lifecycle/session.js";
import { atEnd } from "./ends.js";
import { plain } from "./plain.js";
import { ownFolder } from "./folders.js";
import { loadsLate } from "./quickStart.js";
import { start } from "./run.js";

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, "../..");
const messages = require("@pulumi/pulumi/proto/provider_pb");
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");

type Properties = Record<string, unknown>;

/** A provider, driven as the engine drives it. */
export type LocalHost = ReturnType<typeof localHost>;

/** Pulumi's own dynamic-provider host, in a process of its own. */
export interface Host extends LocalHost {
  /** Sends what the engine sends when it closes, or another signal. */
  interrupt(signal?: NodeJS.Signals): void;
  /** Reads nothing of what it prints any more, as an engine that has ended. */
  closePipes(): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>;
}

/** What gRPC and the engine make of properties. */
const sent = <T>(properties: T): T => plain(JSON.parse(JSON.stringify(properties)) as T); // the same, without what is undefined

/** As gRPC carries an error: its message alone. */
const carried = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: Error) => Promise.reject(new Error(error.message)));

/**
 * A provider in the tests' own process, which takes no time to start: for what a provider asks and answers, whatever its
 * process is. It is stopped after the last test of the file.
 */
export function localHost(
  config: Readonly<Record<string, string | undefined>>,
  claims = new Claims(join(ownFolder(), "operation")),
) {
  const notes: string[] = [];
  const run = startSession(
    (name) => config[name],
    (...said) => void notes.push(lineOf(...said)),
    claims,
  );
  const of = (kind: string) => resourceProviderOf(kindNamed(kind), () => run);
  const stop = async (): Promise<void> => void (await run.interrupt());
  atEnd(stop);
  return {
    /** What it printed so far. */
    output: () => notes.join("\n"),
    stop,
    async check(kind: string, olds: Properties, news: Properties) {
      const { inputs, failures = [] } = await carried(of(kind).check(sent(olds), sent(news)));
      return { inputs: sent<Properties>(inputs ?? {}), failures: failures.map(({ reason }) => reason) };
    },
    async diff(kind: string, id: string, olds: Properties, news: Properties) {
      const { changes, replaces = [] } = await carried(of(kind).diff(id, sent(olds), sent(news)));
      const outcome = changes === undefined ? "unknown" : changes ? "some" : "none";
      return { changes: outcome as "none" | "some" | "unknown", replaces };
    },
    async create(kind: string, inputs: Properties) {
      const { id, outs } = await carried(of(kind).create(sent(inputs)));
      return { id, outputs: sent<Properties>(outs ?? {}) };
    },
    update: async (kind: string, id: string, olds: Properties, news: Properties) =>
      sent<Properties>((await carried(of(kind).update(id, sent(olds), sent(news)))).outs ?? {}),
    async read(kind: string, id: string, outputs: Properties) {
      const { id: found = "", props = {}, inputs } = await carried(of(kind).read(id, sent(outputs)));
      return { id: found, outputs: sent<Properties>(props), inputs: inputs && sent<Properties>(inputs) };
    },
    delete: (kind: string, id: string, outputs: Properties) => carried(of(kind).delete(id, sent(outputs))),
  };
}

/**
 * Starts a host configured as an explicit provider would be. It is stopped after the last test of the file.
 * @param operation Stands for the engine's address: hosts with the same one serve the same operation.
 * @param env What its environment has in addition to that of the tests.
 * @param blocks The largest file that it can write, in blocks of 512 bytes, as if the disk were full then.
 */
export async function startHost(
  config: Record<string, string>,
  operation: string = basename(ownFolder()),
  env: Readonly<Record<string, string>> = {},
  blocks: number | "unlimited" = "unlimited",
): Promise<Host> {
  const command = [process.execPath, ...loadsLate, require.resolve("@pulumi/pulumi/cmd/dynamic-provider"), operation];
  const { child, ended, text } = start(
    "sh",
    ["-c", 'ulimit -f "$1" && shift && exec "$@"', "sh", String(blocks), ...command],
    { cwd: root, env: { ...process.env, NODE_EXTRA_CA_CERTS: "", ...env } },
  );
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", () => {
      const [, line] = /^(\d+)\n/.exec(text()) ?? [];
      if (line !== undefined) resolve(line);
    });
    void ended.then(() => reject(new Error(`the provider host ended: ${text()}`)));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  /** Calls a method of the provider with the fields of its request. */
  const call = (method: string, fields: Readonly<Record<string, unknown>>): Promise<any> => {
    const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
    const request = new messages[`${capital(method)}Request`]();
    for (const [name, value] of Object.entries(fields)) request[`set${capital(name)}`](value);
    return new Promise((resolve, reject) => {
      client[method](request, (error: Error | null, answer: unknown) => (error ? reject(error) : resolve(answer)));
    });
  };
  const stop = async () => {
    client.close();
    // As the engine does when it closes.
    child.kill("SIGINT");
    await ended;
  };
  atEnd(stop);
  const withText = (kind: string, properties: Properties) =>
    Struct.fromJavaScript({ ...properties, __provider: providerText(kind) });
  const properties = (struct: { toJavaScript(): Properties } | undefined): Properties => {
    const { __provider, ...rest } = struct?.toJavaScript() ?? {};
    return plain(rest);
  };

  const args = Object.entries(config).map(([key, value]) => [`observability:${key}`, value]);
  await call("configure", { args: Struct.fromJavaScript(Object.fromEntries(args)) });

  return {
    output: text,
    interrupt: (signal = "SIGINT") => void child.kill(signal),
    closePipes: () => [child.stdout, child.stderr].forEach((stream) => stream?.destroy()),
    ended,
    stop,
    async check(kind, olds, news) {
      const answer = await call("check", {
        // As the engine does: a new resource has no old inputs at all.
        olds: Object.keys(olds).length === 0 ? new Struct() : withText(kind, olds),
        news: withText(kind, news),
      });
      const failures: { getReason(): string; getProperty(): string }[] = answer.getFailuresList();
      // A property would make the engine print its value.
      if (failures.some((failure) => failure.getProperty() !== "")) throw new Error("a failure names a property");
      return { inputs: properties(answer.getInputs()), failures: failures.map((failure) => failure.getReason()) };
    },
    async diff(kind, id, olds, news) {
      const answer = await call("diff", { id, olds: withText(kind, olds), news: withText(kind, news) });
      return {
        changes: (["unknown", "none", "some"] as const)[answer.getChanges() as 0 | 1 | 2],
        replaces: answer.getReplacesList(),
      };
    },
    async create(kind, inputs) {
      const answer = await call("create", { properties: withText(kind, inputs) });
      return { id: answer.getId(), outputs: properties(answer.getProperties()) };
    },
    async update(kind, id, olds, news) {
      const answer = await call("update", { id, olds: withText(kind, olds), news: withText(kind, news) });
      return properties(answer.getProperties());
    },
    async read(kind, id, outputs) {
      const answer = await call("read", { id, properties: withText(kind, outputs) });
      const inputs = answer.getInputs();
      return {
        id: answer.getId(),
        outputs: properties(answer.getProperties()),
        inputs: inputs === undefined ? undefined : properties(inputs),
      };
    },
    async delete(kind, id, outputs) {
      await call("delete", { id, properties: withText(kind, outputs) });
    },
  };
}
