import { readFileSync, writeFileSync } from "node:fs";
import * as support from "../support/project.js";
import { otherSettings, type Validator } from "../support/validators.js";

/** One resource of the program. */
export interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly args: unknown;
  readonly options?: unknown;
  /** Read by `.get` under this id instead. */
  readonly get?: string;
}

export type Project = ReturnType<typeof newProject>;

// The resources lie in a file beside the project, so that whatever stands in the project comes from the run.
const program = `
const { readFileSync } = require("node:fs");
const obs = require("pulumi-observability");
for (const { kind, name, args, options, get } of JSON.parse(readFileSync(process.env.DECLARED, "utf8"))) {
  if (get === undefined) new obs[kind](name, args, options);
  else obs[kind].get(name, get);
}
`;

/** A project for the CLI whose program declares what it is told. */
export function newProject(baseUrl: string, validator: Validator) {
  // The provider's process has the environment that the program was given.
  const before = validator === "check" ? `Object.assign(process.env, ${JSON.stringify(otherSettings)});` : "";
  const project = support.newProject(baseUrl, before + program, {
    OBSERVABILITY_API_TOKEN: "",
    OBSERVABILITY_RETRY_BUDGET_SECS: "2",
  });
  const declared = project.file("declared.json");
  const how = ({ env, ...rest }: support.How = {}): support.How => ({ ...rest, env: { DECLARED: declared, ...env } });
  return {
    folders: project.folders,
    file: project.file,
    init: project.init,
    declare: (resources: readonly Declared[]) => writeFileSync(declared, JSON.stringify(resources)),
    run: (args: readonly string[], options?: support.How) => project.run(args, how(options)),
    /** Runs, and kills the provider once `due` holds. */
    async runAndKillProvider(args: readonly string[], due: () => Promise<unknown>) {
      const { child, ended } = project.start(args, how());
      await due();
      await support.killProviders(child);
      return ended;
    },
  };
}

/**
 * An event log without the debug messages of Pulumi's SDK, which hold inputs in clear: a known limit that the README
 * names.
 */
export function eventsIn(file: string): string {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && JSON.parse(line).diagnosticEvent?.severity !== "debug")
    .join("\n");
}

/** What is printed with `--logtostderr`, without the same messages. */
export function withoutDebug(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\{"time":.*"msg":"RegisterResource/.test(line))
    .join("\n");
}
