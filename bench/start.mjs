import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { credentials } from "@grpc/grpc-js";
import { providerText } from "../dist/provider/dynamic/providerText.js";
import { root } from "../tools/project.mjs";
import { median, wallOf, wallRatio } from "./figures.mjs";
import { atMost } from "./result.mjs";
import { interleave } from "./rounds.mjs";

const require = createRequire(import.meta.url);
const { CheckRequest, ConfigureRequest } = require("@pulumi/pulumi/proto/provider_pb");
const { ResourceProviderClient } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const { Struct } = require("google-protobuf/google/protobuf/struct_pb");

// A start takes half a second: five of them give about as exact a figure as one run of the other benches.
const startsPerRound = 5;

const emptyProvider = "exports.handler = () => ({ check: async (olds, news) => ({ inputs: news }) });";

/**
 * Measures the time from the start of the provider's process to the answer to its first check, of an unchanged resource.
 * @param {import("./main.mjs").Context} context
 * @returns {Promise<import("./result.mjs").Result>}
 */
export async function start(context) {
  const kind = context.kindOr("Monitor");
  const texts = { ours: providerText(kind.name), empty: emptyProvider };
  // Not counted: the first start of each reads its files from disk.
  for (const text of Object.values(texts)) await startOnce(text, kind.example.args);
  const { ours, empty } = await interleave(
    texts,
    context.options.rounds * startsPerRound,
    async (text) => ({ wallSeconds: await startOnce(text, kind.example.args) }),
    context.progress("provider start"),
  );
  /** @param {readonly { wallSeconds: number }[]} starts */
  const ms = (starts) => `${(1000 * median(starts.map(wallOf))).toFixed(0)} ms`;
  return {
    rows: [atMost("provider start, ours / empty provider", wallRatio(ours, empty), 1.15)],
    tables: [`start of the provider's process, to its first answer\nours   ${ms(ours)}\nempty  ${ms(empty)}`],
  };
}

/**
 * @param {string} text the provider, as states record it
 * @param {Readonly<Record<string, unknown>>} args
 * @returns {Promise<number>} seconds
 */
async function startOnce(text, args) {
  const started = performance.now();
  const host = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
  const child = spawn(process.execPath, [host, "127.0.0.1:0"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  const [port] = await once(child.stdout.setEncoding("utf8"), "data");
  const client = new ResourceProviderClient(`127.0.0.1:${port.trim()}`, credentials.createInsecure());
  /** @param {(request: any, answered: (error: Error | null) => void) => void} method @param {unknown} request */
  const call = (method, request) =>
    new Promise((resolve, reject) =>
      method.call(client, request, (error) => (error ? reject(error) : resolve(undefined))),
    );
  try {
    const configure = new ConfigureRequest();
    configure.setArgs(Struct.fromJavaScript({}));
    await call(client.configure, configure);
    const check = new CheckRequest();
    check.setOlds(Struct.fromJavaScript({ ...args, __provider: text }));
    check.setNews(Struct.fromJavaScript({ ...args, __provider: text }));
    await call(client.check, check);
    return (performance.now() - started) / 1000;
  } finally {
    client.close();
    process.off("exit", end);
    end();
    await once(child, "exit");
  }
}
