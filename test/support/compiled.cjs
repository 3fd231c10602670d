"use strict";

// This package and those in node_modules, compiled once for the hundreds of processes that the tests start, which is a
// fifth of what such a process takes. Node.js before 22.1 has no `module.enableCompileCache`.

const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const { dirname, join, sep } = require("node:path");
const { Script } = require("node:vm");

/** @typedef {(this: NodeModule, content: string, filename: string) => unknown} Compile */

const Module = require("node:module");
/** @type {{ _compile: Compile }} */
const prototype = /** @type {any} */ (Module.prototype); // `_compile` is internal, so not in the types.

const root = join(__dirname, "../..") + sep;
const timeOf = (/** @type {string} */ name) => Math.floor(statSync(join(root, name)).mtimeMs);
// V8 tells a source by its length alone, so the file belongs to one installation and build.
const installed = `${timeOf("node_modules/.package-lock.json")}-${timeOf("dist/.tsbuildinfo")}`;
const file = join(root, `node_modules/.cache/pulumi-observability/compiled-${process.version}-${installed}.bin`);

/** What V8 made of each file, by its path from the root. */
const compiled = existsSync(file) ? read() : new Map();
/** @type {Map<string, Script> | undefined} */
const scripts = process.env.TEST_COMPILES === undefined ? undefined : new Map();

const compile = prototype._compile;
/** @type {Compile} */
prototype._compile = function (content, filename) {
  const path = filename.startsWith(root) ? filename.slice(root.length) : "";
  const name = path.startsWith("node_modules") || path.startsWith("dist") ? path : "";
  const cachedData = compiled.get(name);
  if (cachedData === undefined && scripts === undefined) return compile.call(this, content, filename);
  // What is made of it cannot import.
  if (name === "" || content.includes("import(")) return compile.call(this, content, filename);
  const script = new Script(Module.wrap(content), { filename, cachedData });
  scripts?.set(name, script);
  const wrapper = script.runInThisContext();
  return wrapper.call(this.exports, this.exports, Module.createRequire(filename), this, filename, dirname(filename));
};

// What programs, the tests' own processes and their services load as well.
const further = [
  "pulumi-observability",
  "@pulumi/pulumi/automation",
  "execa",
  "js-yaml",
  "semver",
  "ini",
  "minimist",
  "ajv/dist/2020",
  "pino",
];

// With what has been compiled while it ran, which is more than what loads it.
if (scripts !== undefined)
  process.once("SIGINT", () => {
    for (const each of further) require(each);
    write([...scripts].map(([name, script]) => [name, script.createCachedData()]));
    process.exit();
  });

/** @param {[string, Buffer][]} made */
function write(made) {
  const index = Buffer.from(JSON.stringify(made.map(([name, { length }]) => [name, length])));
  const begin = Buffer.alloc(4);
  begin.writeUInt32LE(index.length);
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name.startsWith("compiled-")) rmSync(join(folder, name));
  const part = `${file}.${process.pid}`;
  writeFileSync(part, Buffer.concat([begin, index, ...made.map(([, data]) => data)]));
  renameSync(part, file);
}

/** @returns {Map<string, Buffer>} */
function read() {
  const all = readFileSync(file);
  let at = 4 + all.readUInt32LE(0);
  /** @type {[string, number][]} */
  const index = JSON.parse(all.toString("utf8", 4, at));
  return new Map(index.map(([name, length]) => [name, all.subarray(at, (at += length))]));
}

module.exports = { file };
