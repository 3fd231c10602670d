import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { expect, it } from "vitest";
import { importsOf, placeOf, root, type Source, sourcesIn } from "./repository.js";

// A file imports only from its own folder or from folders to its left.
const arrow = [
  ...["base", "schema", "kinds", "wire", "values", "client", "protocol", "lifecycle", "dynamic", "plugin"],
  ...["sdk", "behavior", "testing", "engine", "teams", "cli"],
];
// The same within the folders that are large: of their rooms. A command's folder is a room of its own.
const rooms: Readonly<Record<string, readonly string[]>> = {
  teams: ["operation", "definition", "report", "run"],
  lifecycle: ["objects", "notes", "verbs"],
  cli: [
    ...["promql", "output", "source", "meaning", "preview", "consequences", "pulumi"],
    ...["series", "backtest", "review", "program", "report", "commands"],
  ],
};
// The frozen text, the settings' names and slugs for tests under mocks, the results that a
// preview reports, redaction, the functions that a program loads if it calls one, what finds the setting that a misspelled one stands for, a time limit, texts in UTF-8, and JSON.
const openToSdk = [
  "provider/dynamic/providerText",
  "provider/schema/names",
  "provider/client/settingTexts",
  "provider/protocol",
  "provider/lifecycle/objects/results",
  "provider/base/redact",
  "provider/lifecycle/verbs/functions",
  "provider/lifecycle/objects/claims",
  "provider/client/misspelled",
  "provider/base/nearest",
  "provider/base/inTime",
  "provider/base/utf8",
  "provider/wire/json",
];
const rule = `a file imports only from its own folder or from its left: ${arrow.join(" → ")}`;
const roomRule = (folder: string) =>
  `a room of ${folder} imports only from itself or from its left: ${rooms[folder]?.join(" → ") ?? ""}`;
const commandRule = "a command never imports another, and nothing imports a command: what is shared has a room";
const serviceRule = "the service and the provider share nothing but HTTP and the API spec";
const toolsRule = "tools import only each other, what is built, and packages of the manifest";
const sdkRule = `sdk imports nothing of provider but ${openToSdk.join(", ")}`;

/** What stands in the arrow: a folder of provider, an entry of sdk, or a folder at the top. A file next to these counts as one. */
const folderOf = (path: string) =>
  /^(?:provider\/(\w+)|sdk\/(behavior|testing|engine|teams)\/|tools\/(generate)\/|(\w+))/
    .exec(path)
    ?.slice(1)
    .find((folder) => folder !== undefined) ?? "";

/** Why a file of one path may not import another, if it may not. */
function refusal(from: string, to: string): string | undefined {
  const [source, target] = [folderOf(from), folderOf(to)];
  if (source === target) return roomRefusal(source, from, to);
  if (target === "tools") return source === "test" ? undefined : "only tests import tools";
  if (source === "test") return undefined;
  if (source === "tools") {
    const isBuilt = /^(service\/)?dist\//.test(to) || Object.values(ownNames).includes(to);
    return isBuilt ? undefined : toolsRule;
  }
  if (from.startsWith("service/") || to.startsWith("service/")) return serviceRule;
  // The entry imports all of the provider. The generator reads it and the commands, and writes TypeScript as they do.
  if (["index", "generate"].includes(source) && to.startsWith("provider/")) return undefined;
  if (source === "generate" && ["cli/commandLine", "cli/program/literal"].includes(to)) return undefined;
  if (source === "sdk") return openToSdk.includes(to) ? undefined : sdkRule;
  const [left, right] = [arrow.indexOf(target), arrow.indexOf(source)];
  return left >= 0 && left < right ? undefined : rule;
}

/** The same for two files of one folder. What lies beside its rooms puts all of them together; a run is what each verb gets. */
function roomRefusal(folder: string, from: string, to: string): string | undefined {
  const order = rooms[folder] ?? [];
  if (to === "provider/lifecycle/session") return undefined;
  const depth = folder === "cli" ? 1 : 2;
  const [source, target] = [from, to].map((path) => path.split("/").slice(depth, -1));
  if (order.length === 0 || source?.[0] === undefined) return undefined;
  if (target?.[0] === "commands" && target[1] !== undefined && target[1] !== source[1]) return commandRule;
  const [left, right] = [order.indexOf(target?.[0] ?? ""), order.indexOf(source[0])];
  return left >= 0 && left <= right ? undefined : roomRule(folder);
}

const ownNames: Readonly<Record<string, string>> = {
  "pulumi-observability": "sdk/index.gen",
  "pulumi-observability/provider": "provider/index",
  "pulumi-observability/standards": "sdk/standards/index",
  "pulumi-observability/behavior": "sdk/behavior/index",
  "pulumi-observability/testing": "sdk/testing/index",
  "@pulumi-observability/service": "service/src/server",
};

/** The file that a source means by a name, without its extension; undefined if that is a package. */
const targetOf = ({ path }: Source, name: string): string | undefined =>
  name.startsWith(".") ? posix.join(posix.dirname(path), name).replace(/\.js$/, "") : ownNames[name];

/** Packages of Pulumi's SDK: the plugin imports their types, and loads them as the SDK does. */
const isOfPulumi = ({ path }: Source, packageName: string) =>
  path.startsWith("provider/plugin/") && ["@grpc/grpc-js", "google-protobuf"].includes(packageName);

/** The page's script contains its packages. */
const isBundled = ({ path }: Source, packageName: string) =>
  path.startsWith("cli/report/app/") && dependenciesIn(".", "devDependencies").includes(packageName);

function offences(source: Source, packages: readonly string[]): readonly string[] {
  return importsOf(source).flatMap(({ name, position }) => {
    const target = targetOf(source, name);
    const packageName = name.split("/", name.startsWith("@") ? 2 : 1).join("/");
    const reason =
      target !== undefined
        ? refusal(source.path, target)
        : isBuiltin(name) ||
            packages.includes(packageName) ||
            isOfPulumi(source, packageName) ||
            isBundled(source, packageName)
          ? undefined
          : "it is not among the dependencies of the manifest";
    return reason === undefined ? [] : [`${placeOf(source, position)} imports ${name}: ${reason}`];
  });
}

const dependenciesIn = (folder: string, ...fields: readonly string[]): readonly string[] => {
  const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return ["dependencies", ...fields].flatMap((field) => Object.keys(manifest[field] ?? {}));
};

function packagesOf(folder: string): readonly string[] {
  if (folder.startsWith("service")) return dependenciesIn("service");
  if (!["tools", "test"].includes(folder)) return dependenciesIn(".", "peerDependencies");
  const ours = dependenciesIn(".", "peerDependencies", "devDependencies");
  return folder === "test" ? [...ours, ...dependenciesIn("service")] : ours;
}

const product = ["provider", "sdk", "cli", "service/src"];

it.each([...product, "tools", "test"])("%s imports only what it may, and what it depends on", (folder) => {
  const sources = sourcesIn(folder);
  expect(sources.length).toBeGreaterThan(0);
  expect(sources.flatMap((source) => offences(source, packagesOf(folder)))).toEqual([]);
});

/** The sources that import one another in a circle; a file may import itself. */
function inCircles(sources: readonly Source[]): readonly string[] {
  const imports = new Map(
    sources.map((source) => {
      const from = source.path.replace(/\.ts$/, "");
      const targets = importsOf(source).flatMap(({ name }) => targetOf(source, name) ?? []);
      return [from, targets.filter((target) => target !== from)];
    }),
  );
  // Whoever imports nothing that is left is in no circle, until nobody is like that.
  for (let size = -1; size !== imports.size;) {
    size = imports.size;
    for (const [from, targets] of imports) if (!targets.some((target) => imports.has(target))) imports.delete(from);
  }
  return [...imports.keys()];
}

it("no files of the product import one another in a circle", () => {
  expect(inCircles(product.flatMap(sourcesIn))).toEqual([]);
  const circle = [
    { path: "cli/a.ts", text: 'import type { B } from "./b";' },
    { path: "cli/b.ts", text: 'import "./a";\nimport "./c";' },
    { path: "cli/c.ts", text: 'import type * as own from "./c";' },
  ];
  expect(inCircles(circle)).toEqual(["cli/a", "cli/b"]);
});

// One offender for each part of the rule.
it.each([
  ["provider/wire/codec.ts", 'import type { Session } from "../lifecycle/session";', rule],
  ["provider/lifecycle/session.ts", 'const read = await import("../generate/source");', rule],
  ["provider/dynamic/resourceProvider.ts", 'export { Notifier } from "pulumi-observability";', rule],
  ["sdk/resource.ts", 'import { Kind } from "../provider/schema/kind";', sdkRule],
  ["service/src/app.ts", 'import "../../provider/index";', serviceRule],
  ["sdk/resource.ts", 'const z = require("zod");', "it is not among the dependencies"],
  ["provider/index.ts", 'import { root } from "../tools/project.mjs";', "only tests import tools"],
  ["tools/check.mjs", '/** @type {import("../provider/schema/kind").Kind} */', toolsRule],
  ["tools/bench/preview.mjs", 'import { kinds } from "../../provider/kinds/index.gen";', toolsRule],
  ["cli/output/markdown.ts", 'import type { Change } from "../preview/stackPreview";', roomRule("cli")],
  ["cli/program/write.ts", 'import { main } from "../main";', roomRule("cli")],
  ["cli/commands/drift/command.ts", 'import { review } from "../review/command";', commandRule],
  ["provider/lifecycle/objects/record.ts", 'import { explain } from "../notes/explain";', roomRule("lifecycle")],
  ["provider/lifecycle/notes/stored.ts", 'import { put } from "../verbs/write";', roomRule("lifecycle")],
  ["sdk/teams/operation/watch.ts", 'import type { Job } from "../run/messages";', roomRule("teams")],
])("%s may not contain %s", (path, text, reason) => {
  expect(offences({ path, text }, [])).toEqual([expect.stringMatching(`^${path}:1 imports .*`)]);
  expect(offences({ path, text }, [])[0]).toContain(reason);
});
