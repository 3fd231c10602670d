import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { run } from "../package/project.js";
import { writeFiles } from "../support/folders.js";
import { homeIn, quickStart } from "../support/quickStart.js";
import { token } from "../support/service.js";
import type { Declarations } from "./declarations.js";

/** Known, so that states that were encrypted with it can be opened by every later version. */
const passphrase = "tests";

export interface Outcome {
  /** Everything the engine printed. */
  readonly text: string;
  /** What became of the resources of ours: `{ same: 7, update: 1 }`; of a refresh, what it found. */
  readonly steps: Readonly<Record<string, number>>;
}

/** A resource as `pulumi stack export` answers it. */
export interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** What `pulumi stack export` answers. */
export interface Export {
  readonly version: number;
  /** `resources` is absent if there are none. */
  readonly deployment: { readonly resources?: readonly Resource[] };
}

export type Operation = "preview" | "up" | "refresh" | "destroy";

const typePrefix = "pulumi-nodejs:dynamic/observability:";

/**
 * A project as a user has it: a folder with a program, in a folder where its packages are installed, driven by the
 * CLI. The stack and its backend are in the folder. Every step rejects with what was printed if it fails.
 */
export class Project {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;

  /** @param bins folders that come first on PATH: the CLI's and Node's, if they are not those of the tests */
  constructor(folder: string, bins: readonly string[] = []) {
    this.#folder = folder;
    writeFiles(folder, {
      "Pulumi.yaml": "name: team\nruntime: nodejs\n",
      "package.json": JSON.stringify({ name: "team", private: true, main: "program.cjs" }),
    });
    writeFiles(join(folder, "backend"), {});
    copyFileSync(join(import.meta.dirname, "program.cjs"), join(folder, "program.cjs"));
    this.#env = {
      PATH: [...bins, process.env.PATH ?? ""].join(delimiter),
      PULUMI_HOME: homeIn(folder),
      PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
      PULUMI_CONFIG_PASSPHRASE: passphrase,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DEBUG_COMMANDS: "true", // Without it, the CLI knows no --event-log.
      // Other versions of the SDK start as they are.
      ...(bins.length === 0 ? quickStart : {}),
      OBSERVABILITY_BASE_URL: "",
      OBSERVABILITY_API_TOKEN: "",
    };
  }

  #pulumi(...args: readonly string[]): Promise<string> {
    return run(this.#folder, ["pulumi", ...args, "--non-interactive", "--color", "never"], this.#env);
  }

  /** A new stack, whose programs see the service at `baseUrl`; its token stands in stack config, encrypted or in clear. */
  async start(baseUrl: string, { tokenAs = "secret" }: { tokenAs?: "secret" | "plaintext" } = {}): Promise<void> {
    await this.#pulumi("stack", "init", "dev");
    const config = [
      "--plaintext",
      `observability:baseUrl=${baseUrl}`,
      `--${tokenAs}`,
      `observability:apiToken=${token}`,
    ];
    await this.#pulumi("config", "set-all", ...config);
  }

  /** What the program declares from now on. */
  declare(declarations: Declarations): void {
    writeFiles(this.#folder, { "declarations.json": JSON.stringify(declarations) });
  }

  async run(operation: Operation): Promise<Outcome> {
    const log = join(this.#folder, "events.json");
    rmSync(log, { force: true });
    const options = operation === "preview" ? [] : ["--yes", "--skip-preview"];
    const text = await this.#pulumi(operation, ...options, "--event-log", log);
    return { text, steps: stepsIn(readFileSync(log, "utf8")) };
  }

  /** The resources of ours in the state as it stands on disk. */
  resources(): readonly Resource[] {
    const file = join(this.#folder, "backend/.pulumi/stacks/team/dev.json");
    return oursIn({ deployment: JSON.parse(readFileSync(file, "utf8")).checkpoint.latest });
  }

  /** The state, with secrets encrypted or in clear. */
  async export({ showSecrets = false } = {}): Promise<Export> {
    return JSON.parse(await this.#pulumi("stack", "export", ...(showSecrets ? ["--show-secrets"] : [])));
  }

  async import(state: Export): Promise<void> {
    writeFiles(this.#folder, { "import.json": JSON.stringify(state) });
    await this.#pulumi("stack", "import", "--file", join(this.#folder, "import.json"));
  }

  /** The versions that are at work here. */
  async versions(): Promise<{ readonly sdk: string; readonly cli: string; readonly node: string }> {
    const sdk = 'console.log(require("@pulumi/pulumi/package.json").version)';
    const commands = [
      ["node", "-e", sdk],
      ["pulumi", "version"],
      ["node", "--version"],
    ] as const;
    const answers = await Promise.all(commands.map((command) => run(this.#folder, command, this.#env)));
    const [sdkVersion = "", cli = "", node = ""] = answers.map((answer) => answer.trim().replace(/^v/, ""));
    return { sdk: sdkVersion, cli, node };
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
