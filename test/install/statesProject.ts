import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { State } from "../support/engine.js";
import { newProject, type Place } from "../support/project.js";
import { outputOf } from "../support/run.js";
import { token } from "../support/service.js";
import { encrypted } from "../support/stacks.js";
import { writeFiles } from "../support/folders.js";
import type { Declarations } from "./declarations.js";

const program = readFileSync(join(import.meta.dirname, "statesProgram.cjs"), "utf8");
const settings = {
  // The kept states of 0.1.0 are encrypted with it.
  PULUMI_CONFIG_PASSPHRASE: "tests",
  PULUMI_DEBUG_COMMANDS: "true", // Without it, the CLI knows no --event-log.
  OBSERVABILITY_API_TOKEN: "",
};

export interface Outcome {
  /** Everything the engine printed. */
  readonly text: string;
  /** What became of the resources of ours: `{ same: 7, update: 1 }`; of a refresh, what it found. */
  readonly steps: Readonly<Record<string, number>>;
}

export type Resource = State["resources"][number];

/** What `pulumi stack export` answers. */
export interface Export {
  readonly version: number;
  /** `resources` is absent if there are none. */
  readonly deployment: { readonly resources?: readonly Resource[] };
}

const typePrefix = "pulumi-nodejs:dynamic/observability:";

/** A project whose stack has its settings in its config. Every step rejects with what was printed if it fails. */
export class Project {
  readonly #project: ReturnType<typeof newProject>;

  constructor(place: Place = {}) {
    this.#project = newProject("", program, settings, { name: "team", ...place });
  }

  async #pulumi(...args: readonly string[]): Promise<string> {
    const { code, stdout, text } = await this.#project.run(args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} exited with status ${code}\n${text}`);
    return stdout;
  }

  /** A new stack, whose programs see the service at `baseUrl`; its token stands in stack config, encrypted or in plain text. */
  async start(baseUrl: string, { tokenAs = "secret" }: { tokenAs?: "secret" | "plaintext" } = {}): Promise<void> {
    const apiToken = tokenAs === "secret" ? encrypted(token) : token;
    await this.#project.init("dev", { "observability:baseUrl": baseUrl, "observability:apiToken": apiToken });
  }

  /** What the program declares from now on. */
  declare(declarations: Declarations): void {
    writeFiles(this.#project.folders.project, { "declarations.json": JSON.stringify(declarations) });
  }

  async run(operation: "preview" | "up" | "refresh" | "destroy"): Promise<Outcome> {
    const log = this.#project.file("events.json");
    rmSync(log, { force: true });
    const options = operation === "preview" ? [] : ["--yes", "--skip-preview"];
    const text = await this.#pulumi(operation, ...options, "--event-log", log);
    return { text, steps: stepsIn(readFileSync(log, "utf8")) };
  }

  /** The resources of ours in the state as it stands on disk. */
  resources(): readonly Resource[] {
    return oursIn({ deployment: this.#project.state() });
  }

  /** The state, with secrets encrypted or in plain text. */
  async export({ showSecrets = false } = {}): Promise<Export> {
    return JSON.parse(await this.#pulumi("stack", "export", ...(showSecrets ? ["--show-secrets"] : [])));
  }

  async import(state: Export): Promise<void> {
    writeFiles(this.#project.folders.project, { "import.json": JSON.stringify(state) });
    await this.#pulumi("stack", "import", "--file", "import.json");
  }

  /** The versions that are at work here. */
  async versions(): Promise<{ readonly sdk: string; readonly cli: string; readonly node: string }> {
    const { folders, env } = this.#project;
    const node = (...args: readonly string[]) => outputOf("node", args, { cwd: folders.project, env });
    const [sdk, cli, version] = await Promise.all([
      node("-p", 'require("@pulumi/pulumi/package.json").version'),
      this.#pulumi("version"),
      node("-p", "process.versions.node"),
    ]);
    return { sdk: sdk.trim(), cli: cli.trim().replace(/^v/, ""), node: version.trim() };
  }
}

/** The resources of ours in a state. */
export const oursIn = ({ deployment }: Pick<Export, "deployment">): readonly Resource[] =>
  (deployment.resources ?? []).filter(({ type }) => type.startsWith(typePrefix));

/** The kind of a resource of ours. */
export const kindOf = ({ type }: Resource): string => type.slice(typePrefix.length);

/** Counts the outcomes that an event log tells. */
function stepsIn(log: string): Outcome["steps"] {
  const steps: Record<string, number> = {};
  for (const line of log.split("\n").filter((text) => text !== "")) {
    const { metadata } = JSON.parse(line).resOutputsEvent ?? {};
    if (metadata?.type.startsWith(typePrefix)) steps[metadata.op] = (steps[metadata.op] ?? 0) + 1;
  }
  return steps;
}
