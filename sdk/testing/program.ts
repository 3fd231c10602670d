import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type * as pulumi from "@pulumi/pulumi";
import { parse } from "yaml";
import { readSettings, type Settings } from "../../provider/client/settings";
import { type SettingTexts, settingTexts } from "../../provider/client/settingTexts";
import { cutBytes } from "../../provider/lifecycle/notes/explain";
import { kindNamed } from "../../provider/lifecycle/session";
import { kindNameIn } from "../../provider/protocol";
import { namespace, slugProblem } from "../../provider/schema/names";
import { doubtsIn } from "../../provider/values/doubts";
import { problemsOf } from "../../provider/values/types";
import { readUtf8 } from "../../provider/base/utf8";
import { isObject, type JsonObject, withoutAbsent } from "../../provider/wire/json";

/** How a program is run under mocks. */
export interface ProgramOptions {
  /** Stack configuration, by full names: `{ "alerts:threshold": "0.05" }`. */
  readonly config?: Readonly<Record<string, string>>;
  /** Default: the name in `Pulumi.yaml` of the current folder, else `project`. */
  readonly project?: string;
  /** Default: `stack`. */
  readonly stack?: string;
  /** Answers functions such as `getNotifier`, by the token `observability:index:getNotifier`. Default: each fails. */
  readonly call?: pulumi.runtime.Mocks["call"];
  /** Answers resources of other packages, and ours that are only read by `get`. Default: their inputs. */
  readonly newResource?: pulumi.runtime.Mocks["newResource"];
}

/** A resource of this package that a program declares. */
export interface DeclaredResource {
  /** The name of its class: `Monitor`. */
  readonly kind: string;
  /** The Pulumi name. */
  readonly name: string;
  /** The plain arguments, with `name` and `slug` filled in and secrets in plain text. */
  readonly args: JsonObject;
}

/** The class of a kind, such as `obs.Monitor`. */
export interface KindClass<Args> {
  readonly name: string;
  new (name: string, args: Args): pulumi.CustomResource;
}

/** The provider would reject a program's arguments. The message lists all problems. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";

  constructor(readonly problems: readonly string[]) {
    super(["the provider would reject the program:", ...problems].join("\n  "));
  }
}

/** The resources that a program declares. */
export class Program {
  constructor(
    readonly resources: readonly DeclaredResource[],
    /** The warnings of a preview: values that are likely a mistake. */
    readonly warnings: readonly string[],
  ) {}

  /**
   * The plain arguments of a resource: `program.args(obs.Monitor, "checkout-errors")`.
   * @throws if the program declares no such resource.
   */
  args<Args>({ name: kind }: KindClass<Args>, name: string): pulumi.Unwrap<Args> {
    const ofKind = this.resources.filter((each) => each.kind === kind);
    const found = ofKind.find((each) => each.name === name);
    if (found !== undefined) return found.args as pulumi.Unwrap<Args>; // What the class was given, with every output resolved.
    const known = ofKind.length === 0 ? "none" : ofKind.map((each) => `"${each.name}"`).join(", ");
    throw new Error(`the program declares no ${kind} "${name}". It declares: ${known}`);
  }
}

// A fixed time, so that a test may compare.
const timestamps = { createdAt: "2026-01-01T00:00:00Z", updatedAt: "2026-01-01T00:00:00Z" };

/**
 * Runs a program under mocks, without engine, provider and service: `await runProgram(() => import("./alerts.js"))`. A
 * module runs only once in a process, so a second call with the same one declares nothing.
 * @throws ProgramError if the provider would reject the program: wrong types, unknown fields, an invalid slug, or a slug
 * that two resources have.
 */
export async function runProgram(load: () => unknown, options: ProgramOptions = {}): Promise<Program> {
  // Loaded late, because that takes long, and not by an import expression, which jest does not support.
  const { runtime } = require("@pulumi/pulumi") as typeof pulumi;
  const { config, project = projectName(), stack, call = noFunction, newResource = echo } = options;
  const resources: (DeclaredResource & { readonly provider: string })[] = [];
  const configured = new Map<string, SettingTexts>();
  const settingsOf = ({ provider }: { readonly provider: string }) => {
    // A reference to a provider is its URN, which ends with its name, and its id.
    const texts = configured.get(provider.split("::").at(-2) ?? "") ?? ((name) => config?.[`${namespace}:${name}`]);
    return readSettings(settingTexts(texts, process.env));
  };
  const mocks: pulumi.runtime.Mocks = {
    call,
    newResource: (resource) => {
      if (resource.type === "pulumi:providers:pulumi-nodejs") {
        const inputs = inClear(resource.inputs, runtime.unwrapRpcSecret) as JsonObject; // Inputs are an object.
        configured.set(resource.name, (name) => inputs[`${namespace}:${name}`] as string | undefined); // What sdk/provider.ts writes.
      }
      const kind = kindNameIn(resource.type);
      if (kind === undefined || resource.id) return newResource(resource);
      const args = withoutAbsent(inClear(resource.inputs, runtime.unwrapRpcSecret) as JsonObject); // Inputs are an object.
      resources.push({ kind, name: resource.name, args, provider: resource.provider ?? "" });
      return { id: kindNamed(kind).slugOf(args), state: { ...(resource.inputs as object), ...timestamps } };
    },
  };
  await runtime.setMocks(mocks, project, stack);
  runtime.setAllConfig({ ...config });
  await load();
  // Resolves when everything is registered, even resources that are created inside of an output.
  await runtime.disconnect();
  const problems = [...resources.flatMap((each) => rejectionsOf(each, settingsOf(each))), ...clashes(resources)];
  if (problems.length > 0) throw new ProgramError(problems);
  return new Program(
    resources.map(({ kind, name, args }) => ({ kind, name, args })),
    resources.flatMap((each) => warningsOf(each, settingsOf(each).knownValues)),
  );
}

/** The project's name, by which a program reads its own config. */
function projectName(): string | undefined {
  const file = resolve("Pulumi.yaml");
  if (!existsSync(file)) return undefined;
  const project: unknown = parse(readUtf8(file));
  return isObject(project) && typeof project.name === "string" ? project.name : undefined;
}

const echo: pulumi.runtime.Mocks["newResource"] = ({ name, id, inputs }) => ({
  id: id || `${name}-id`,
  state: inputs as Record<string, unknown>, // An object: a resource's inputs.
});

function noFunction({ token }: pulumi.runtime.MockCallArgs): never {
  throw new Error(`the program calls ${token}. Pass the option call to runProgram to answer it`);
}

/** A value without the marks of secrets, at any depth. */
function inClear(value: unknown, unwrap: (value: unknown) => unknown): unknown {
  const plain = unwrap(value);
  if (Array.isArray(plain)) return plain.map((each) => inClear(each, unwrap));
  if (!isObject(plain)) return plain;
  return Object.fromEntries(Object.entries(plain).map(([key, each]) => [key, inClear(each, unwrap)]));
}

function rejectionsOf({ kind: kindName, name, args }: DeclaredResource, settings: Settings): readonly string[] {
  const kind = kindNamed(kindName);
  const slug = kind.isSingleton ? undefined : slugProblem(cutBytes(name, 80), String(args.slug ?? ""));
  const problems = [...(slug === undefined ? [] : [slug]), ...problemsOf(kind.root, args, settings)];
  return problems.map((problem) => `${kindName} "${name}": ${problem}`);
}

/** Two resources of one provider that declare one object. */
function clashes(resources: readonly (DeclaredResource & { readonly provider: string })[]): readonly string[] {
  const first = new Map<string, string>();
  return resources.flatMap(({ kind: kindName, name, args, provider }) => {
    const kind = kindNamed(kindName);
    const title = kind.titleOf(kind.slugOf(args));
    const key = `${provider} ${title}`;
    const rival = first.get(key);
    if (rival === undefined) {
      first.set(key, name);
      return [];
    }
    const end = kind.isSingleton
      ? ", but a service has only one. Remove one of them"
      : ". Set another slug on one of them";
    return [`${kindName} "${name}": "${rival}" also declares ${title}${end}`];
  });
}

const warningsOf = ({ kind, name, args }: DeclaredResource, knownValues: readonly string[]): readonly string[] =>
  doubtsIn(kindNamed(kind).root, args, { knownValues }).map(
    ({ why, places }) => `${kind} "${name}": ${places}: ${why}`,
  );
