import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as automation from "@pulumi/pulumi/automation/index.js";
import { kindNameIn, typePrefixes } from "../../dist/provider/protocol.js";
import { ownFolder, writeFiles } from "./folders.js";
import { keyService } from "./keys.js";
import { homeIn, quickPlugins, quickStart } from "./quickStart.js";
import { ownService, token } from "./service.js";
import { encrypted, makeStack } from "./stacks.js";

const root = join(import.meta.dirname, "../..");

export interface Outcome {
  /** Everything the engine printed. */
  readonly text: string;
  /** How many resources of ours had each operation: `{ create: 4 }`; the stack itself and providers left out. */
  readonly steps: Readonly<Record<string, number>>;
  /** The places that an update of each resource of ours changes, in the engine's spelling, by the resource's name. */
  readonly changes: Readonly<Record<string, readonly string[]>>;
  /** What the engine said, by severity and, if it is about one, the resource's name. */
  readonly messages: readonly Message[];
  /** True if the operation failed. */
  readonly failed: boolean;
}

export interface Message {
  readonly severity: "error" | "warning" | "info";
  readonly name?: string;
  readonly text: string;
}

/** Where the provider of all stacks runs. */
export const host = process.env.TEST_HOST === "plugin" ? "plugin" : "dynamic";

/** What the type of a resource begins with, and the kind's name ends. */
export const typePrefix = typePrefixes[host];

export type TestStack = Awaited<ReturnType<typeof newStack>>;

export interface State {
  readonly resources: readonly {
    readonly urn: string;
    readonly type: string;
    readonly id?: string;
    readonly inputs?: Record<string, unknown>;
    readonly outputs?: Record<string, unknown>;
    /** Where the program declares it. */
    readonly sourcePosition?: string;
  }[];
}

export type Program = () => unknown;

// Many engines serve one test process, and gRPC remembers for all clients which addresses failed: without a memory of its
// own, a client would give up a new engine on the port of one that has ended.
const { grpcClientOptions } = pulumi.runtime as { grpcClientOptions?: object }; // Internal, so not in the types.
Object.assign(grpcClientOptions ?? {}, { "grpc.use_local_subchannel_pool": 1 });

/** A preview may hold a key between the provider and its classes, which the engine's own display leaves out. */
const isShown = (path: string) => !path.startsWith("__");

// As `PulumiCommand.get` makes it, which would ask the CLI for the version in each test file.
const pulumiCommand = Object.assign(Object.create(automation.PulumiCommand.prototype) as automation.PulumiCommand, {
  command: "pulumi",
  version: process.env.PULUMI_OBSERVABILITY_PULUMI_VERSION,
});

const ofEveryRun = { PULUMI_SKIP_UPDATE_CHECK: "true", ...quickStart, ...(await keyService()) };

/**
 * A new stack on the real engine, whose programs see the service at `baseUrl`: a backend of its own, in a temporary folder
 * that ends with the test file.
 */
export async function newStack(
  baseUrl: string,
  { project = "team", env = {} }: { project?: string; env?: Record<string, string> } = {},
) {
  const folder = ownFolder();
  const [home, work] = [homeIn(folder), join(folder, "work")];
  writeFiles(work, {});
  const projectSettings = {
    name: project,
    runtime: "nodejs" as const,
    // The provider's process starts here and finds the package from here.
    main: root,
    backend: { url: `file://${folder}` },
    plugins: { providers: [{ name: "observability", path: join(root, "node_modules/.bin") }, ...quickPlugins] },
  };
  const workspace = await automation.LocalWorkspace.create({
    program: async () => undefined,
    pulumiCommand,
    workDir: work,
    pulumiHome: home,
    projectSettings,
    envVars: {
      ...ofEveryRun,
      OBSERVABILITY_BASE_URL: "",
      OBSERVABILITY_API_TOKEN: "",
      ...env,
    },
  });
  makeStack({ backend: folder, home, project: work }, "dev", { "observability:apiToken": encrypted(token) });
  // What the Automation API asks the CLI for before and after, and no test reads. Each operation names its stack.
  workspace.selectStack = async () => undefined;
  workspace.stackOutputs = async () => ({});
  const stack = await automation.Stack.select("dev", workspace);
  stack.history = async () => [];
  // Into the stack's file: the CLI would take its time.
  const setConfig = async (name: string, value: string, secret = false) => {
    const { config, ...settings } = await workspace.stackSettings("dev");
    await workspace.saveStackSettings("dev", {
      ...settings,
      config: { ...config, [name]: secret ? encrypted(value) : value },
    });
  };
  await setConfig("observability:baseUrl", baseUrl);
  if (host !== "dynamic") await setConfig("observability:host", host);

  const run = async (
    operation: (sinks: {
      onOutput: (text: string) => void;
      onEvent: (event: automation.EngineEvent) => void;
    }) => Promise<unknown>,
  ): Promise<Outcome> => {
    let text = "";
    const steps: Record<string, number> = {};
    const changes: Record<string, readonly string[]> = {};
    const messages: Message[] = [];
    const onOutput = (chunk: string) => {
      text += chunk;
    };
    const count = (metadata: automation.StepEventMetadata | undefined) => {
      if (metadata === undefined || kindNameIn(metadata.type) === undefined) return;
      steps[metadata.op] = (steps[metadata.op] ?? 0) + 1;
      if (metadata.op === "update")
        changes[nameOf(metadata.urn)] = Object.keys(metadata.detailedDiff ?? {}).filter(isShown);
    };
    const onEvent = ({ resourcePreEvent, diagnosticEvent }: automation.EngineEvent) => {
      count(resourcePreEvent?.metadata);
      if (diagnosticEvent !== undefined) messages.push(...messagesOf(diagnosticEvent));
    };
    const seen = { steps, changes, messages };
    try {
      await operation({ onOutput, onEvent });
      return { text, ...seen, failed: false };
    } catch (error) {
      return { text: `${text}\n${String(error)}`, ...seen, failed: true };
    }
  };
  const programOf = (program: Program) => async () => {
    const outputs = await program();
    return typeof outputs === "object" && outputs !== null ? { ...outputs } : {};
  };

  return {
    stack,
    preview: (program: Program, options?: automation.PreviewOptions) =>
      run((sinks) => stack.preview({ ...options, ...sinks, program: programOf(program) })),
    up: (program: Program, options?: automation.UpOptions) =>
      run((sinks) => stack.up({ ...options, ...sinks, program: programOf(program) })),
    refresh: (options?: automation.RefreshOptions) => run((sinks) => stack.refresh({ ...options, ...sinks })),
    destroy: (options?: automation.DestroyOptions) => run((sinks) => stack.destroy({ ...options, ...sinks })),
    setConfig,
    /** The state as the backend holds it, secrets encrypted. */
    // Off the disk: the Automation API exports with secrets in plain text.
    state: async () =>
      JSON.parse(readFileSync(join(folder, ".pulumi/stacks", project, "dev.json"), "utf8")).checkpoint.latest as State,
  };
}

/** A service of its own, and a new stack whose programs see it. */
export async function begin(place?: Parameters<typeof newStack>[1]) {
  const service = await ownService();
  return { service, stack: await newStack(service.url, place) };
}

const nameOf = (urn: string) => urn.split("::").slice(3).join("::");

const levels = { error: "error", warning: "warning", info: "info", "info#err": "info" } as const;

function messagesOf({ severity, urn, message }: automation.DiagnosticEvent): Message[] {
  const level = levels[severity] as Message["severity"] | undefined; // The engine sends "debug" too.
  if (level === undefined) return [];
  return [{ severity: level, ...(urn ? { name: nameOf(urn) } : {}), text: message.trimEnd() }];
}
