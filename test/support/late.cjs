"use strict";

// Loaded first into each provider process of the tests, which are hundreds, and into the tests' own. Pulumi's SDK loads
// there what they do not need, and that is more than half of the process's start. With this, it is loaded when it is
// first used.

/** @typedef {(this: unknown, request: string, ...rest: unknown[]) => any} Load */
/** @typedef {(this: unknown, content: string, filename: string) => unknown} Compile */
/** @type {{ _load: Load, prototype: { _compile: Compile } }} */
const Module = /** @type {any} */ (require("node:module")); // Internal, so not in the types.

const late = new Set([
  "typescript",
  "@npmcli/arborist",
  "normalize-package-data",
  "./automation",
  "execa",
  "js-yaml",
  "semver",
  "@opentelemetry/api",
  "@opentelemetry/exporter-zipkin",
  "@opentelemetry/instrumentation",
  "@opentelemetry/instrumentation-grpc",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace-base",
  "@opentelemetry/sdk-trace-node",
  "../locales/index.cjs", // zod's
  // What turns functions into text, which none of our classes needs.
  "./closure/serializeClosure",
  "./closure/codePaths",
]);
const load = Module._load;

// The second compiler would take 0.1 s for the HTTP parser, which these processes do not run long enough to get back.
require("node:v8").setFlagsFromString("--no-wasm-tier-up --no-wasm-dynamic-tiering");

// Of undici, the provider takes the agents and their parts. Its index loads three times as much.
const undici = require.resolve("undici");
const agents = `
  Object.assign(require("./lib/dispatcher/dispatcher").prototype, require("./lib/api"));
  exports.Agent = require("./lib/dispatcher/agent");
  exports.Pool = require("./lib/dispatcher/pool");
  exports.buildConnector = require("./lib/core/connect");
  exports.errors = require("./lib/core/errors");
  exports.EnvHttpProxyAgent = require("./lib/dispatcher/env-http-proxy-agent");`;
const compile = Module.prototype._compile;
/** @type {Compile} */
Module.prototype._compile = function (content, filename) {
  return compile.call(this, filename === undici ? agents : content, filename);
};

// A program in JavaScript needs no compiler; the language host takes every program for one in TypeScript.
// Nor does it need the maps of compiled code, which are read for each resource's place in the program, nor does a provider.
const isInJavascript = process.env.TEST_PROGRAMS === "javascript";
if (isInJavascript) delete process.env.PULUMI_NODEJS_TYPESCRIPT;
if (isInJavascript || process.argv[1]?.includes("dynamic-provider")) late.add("source-map-support/register");

/** @type {Load} */
Module._load = function (request, ...rest) {
  if (!late.has(request)) return load.call(this, request, ...rest);
  const real = () => load.call(this, request, ...rest);
  // A function, because a module may be one.
  return new Proxy(() => undefined, {
    get(_, key) {
      // Asked by whoever imports it, before it is used.
      if (key === "__esModule") return true;
      const found = real();
      return key === "default" && !found.__esModule ? found : found[key];
    },
    has: (_, key) => key in real(),
    apply: (_, self, args) => Reflect.apply(real(), self, args),
  });
};
