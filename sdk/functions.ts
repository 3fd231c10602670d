import * as pulumi from "@pulumi/pulumi";
import { type SettingTexts, settingTexts } from "../provider/client/settingTexts";
import type { Shown } from "../provider/lifecycle/verbs/functions";
import { engineAddress, isInline, isMocked, type ReadableOutput } from "./internals";
import { plainCopy } from "./plainArgs";
import { providerOf, settingsOf } from "./provider";
import { namespace } from "./providerArgs.gen";

/** Facts about a function that its generated code passes on. */
export interface FunctionFacts {
  /** `getNotifiers` */
  readonly name: string;
  readonly kind: string;
  /** The arguments and the type of each. */
  readonly args: Readonly<Record<string, "text" | "texts">>;
  /** The name of the list in the result; absent if the result is one object. */
  readonly many?: string;
}

type Values = Readonly<Record<string, unknown>>;

/** Asks the service. The program itself asks, as the provider would: a dynamic provider serves no functions. */
export async function call<Result>(
  facts: FunctionFacts,
  args: object = {},
  opts: pulumi.InvokeOptions = {},
): Promise<Result> {
  const place = placeOf(call);
  const sent = plainCopy(facts.name, args) as pulumi.Inputs; // the copy of an object
  if (isMocked()) return (await pulumi.runtime.invoke(tokenOf(facts), sent, opts)) as Result; // the mocks' own answer
  // Outputs are awaited as the SDK does, though only a program without types can pass any.
  const { isKnown, promise } = pulumi.output(sent) as unknown as ReadableOutput;
  const given = await promise();
  if (!(await isKnown)) throw new pulumi.RunError(`${facts.name}: ${unknownYet(facts, "an argument is")}`);
  return (await ask(facts, given as Values, providerOf(opts), place)).value as Result; // the schema's types
}

/**
 * The answer as an output: unknown if an argument is, or if a resource that the arguments come from does not exist yet;
 * secret if an argument is, or if the service shows an unmasked secret.
 */
export function callOutput<Result>(
  facts: FunctionFacts,
  args: object = {},
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<Result> {
  const sent = plainCopy(facts.name, args) as pulumi.Inputs; // the copy of an object
  if (isMocked()) {
    return pulumi.runtime.invokeOutput<Result>(tokenOf(facts), sent, opts);
  }
  const place = placeOf(callOutput);
  const given = pulumi.output(sent);
  const provider = providerOf(opts);
  const answer = pulumi.all([given, created(given, opts.dependsOn), known(provider)]).apply(async ([values]) => {
    const { value, isSecret } = await ask(facts, values as Values, provider, place);
    return isSecret ? pulumi.secret(value) : pulumi.output(value);
  });
  return answer as unknown as pulumi.Output<Result>; // The schema's types, and `apply` unwraps what it returns.
}

const tokenOf = ({ name }: FunctionFacts) => `${namespace}:index:${name}`;

const unknownYet = ({ name }: FunctionFacts, what: string) =>
  `${what} known only after the update. Call ${name}Output instead`;

/** Known if all settings of an explicit provider are. Not secret, although the token is: the answer does not contain it. */
const known = (provider: pulumi.ProviderResource | undefined): pulumi.Output<unknown> =>
  pulumi.all(((provider && settingsOf(provider)) ?? []).map(([, text]) => pulumi.unsecret(text)));

/** Known if all resources exist that the arguments come from, and those that the option names. */
function created(given: pulumi.Output<unknown>, dependsOn: pulumi.InvokeOutputOptions["dependsOn"]) {
  const ids = async () => {
    const [from, named] = await Promise.all([
      (given as unknown as Dependent).allResources(),
      (pulumi.output(dependsOn) as unknown as ReadableOutput).promise(),
    ]);
    const resources = [...from, ...[named ?? []].flat()] as pulumi.Resource[]; // as in the option's type
    return [...withChildren(resources, new Set())].map((each) => (each as Partial<pulumi.CustomResource>).id);
  };
  return pulumi.output(ids());
}

/** An output, with a member that the SDK's typings leave out. */
interface Dependent {
  allResources(): Promise<Iterable<pulumi.Resource>>;
}

/** A component, with a member that the SDK's typings leave out. */
interface Parent {
  readonly __childResources?: Iterable<pulumi.Resource>;
}

/** A component exists when its children do. */
function withChildren(resources: Iterable<pulumi.Resource>, found: Set<pulumi.Resource>): Set<pulumi.Resource> {
  for (const each of resources) {
    if (found.has(each)) continue;
    found.add(each);
    if (pulumi.ComponentResource.isInstance(each)) withChildren((each as Parent).__childResources ?? [], found);
  }
  return found;
}

/** Where the program calls: the frames above the generated function, formatted only if they are needed. */
function placeOf(called: (...args: never[]) => unknown): () => readonly string[] {
  const here: { stack?: string } = {};
  Error.captureStackTrace(here, called);
  return () => (here.stack ?? "").split("\n").slice(2);
}

async function ask(
  facts: FunctionFacts,
  given: Values,
  provider: pulumi.ProviderResource | undefined,
  place: ReturnType<typeof placeOf>,
): Promise<Shown> {
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    const problem = problemIn(facts, given);
    if (problem !== undefined) throw new pulumi.RunError(`${facts.name}: ${problem}`);
    const reader = await readerFor(facts, provider);
    return await reader(facts, given);
  } catch (error) {
    const { message } = error as Error; // only errors are thrown
    throw Object.assign(new pulumi.RunError(message), { stack: [message, ...place()].join("\n") });
  } finally {
    done();
  }
}

/** The problem of the arguments, if there is one. A misspelled filter must not list everything. */
function problemIn({ args }: FunctionFacts, given: Values): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    if (args[name] === "texts" && value === undefined) continue;
    const isText = typeof value === "string" && value !== "";
    const isTexts = Array.isArray(value) && value.every((each) => typeof each === "string");
    if (args[name] === undefined) return `unknown argument "${name}". Known arguments: ${Object.keys(args).join(", ")}`;
    if (args[name] === "text" && !isText) return `${name} must be a string that is not empty`;
    if (args[name] === "texts" && !isTexts) return `${name} must be an array of strings`;
  }
  const missing = Object.keys(args).find((name) => args[name] === "text" && !(name in given));
  return missing === undefined ? undefined : `${missing} is missing`;
}

type Reader = (facts: FunctionFacts, given: Values) => Promise<Shown>;

// By provider, or by stack: several inline programs may share a process.
const readers = new WeakMap<object, Promise<Reader>>();
const noStack = {};

function readerFor(facts: FunctionFacts, provider: pulumi.ProviderResource | undefined): Promise<Reader> {
  const parent = provider ?? pulumi.runtime.getStackResource() ?? noStack;
  const known = readers.get(parent);
  if (known !== undefined) return known;
  const reader = newReader(facts, provider);
  readers.set(parent, reader);
  // The error names the function that failed; another one has its own.
  reader.catch(() => readers.delete(parent));
  return reader;
}

async function newReader(facts: FunctionFacts, provider: pulumi.ProviderResource | undefined): Promise<Reader> {
  const settings = provider && settingsOf(provider);
  if (provider !== undefined && settings === undefined) {
    throw new pulumi.RunError(`${facts.name}: its provider is not an obs.Provider. Pass an obs.Provider`);
  }
  const texts = await textsOf(settings);
  if (texts === undefined)
    throw new pulumi.RunError(`${facts.name}: ${unknownYet(facts, "its provider's settings are")}`);
  if (isInline() && (texts("baseUrl") === undefined || texts("apiToken") === undefined)) {
    throw new pulumi.RunError(
      `${facts.name}: an inline program can't read the environment variables of its stack. Set ${namespace}:baseUrl and ` +
        `${namespace}:apiToken in stack config, or pass an obs.Provider that has both`,
    );
  }
  // Loaded late: most programs call no function.
  const [{ showMany, showOne, startSession }, { Claims }] = await Promise.all([
    import("../provider/lifecycle/verbs/functions.js"),
    import("../provider/lifecycle/objects/claims.js"),
  ]);
  // Nothing is declared here, so nothing is written to the run's folder. It tells what the resources mark.
  const session = startSession(texts, (text) => void pulumi.log.info(text), Claims.of(engineAddress() ?? ""));
  return ({ kind, many }, { slug, ...filters }) =>
    many === undefined ? showOne(session, kind, slug as string | undefined) : showMany(session, kind, many, filters);
}

/** The environment variables; for an inline program without URL and token: the host may be another team's. */
function environment(): NodeJS.ProcessEnv {
  if (!isInline()) return process.env;
  const { OBSERVABILITY_BASE_URL: _baseUrl, OBSERVABILITY_API_TOKEN: _apiToken, ...others } = process.env;
  return others;
}

/** The settings of an explicit provider, or of stack config; undefined if one is not known yet. */
async function textsOf(settings: ReturnType<typeof settingsOf>): Promise<SettingTexts | undefined> {
  const config = new pulumi.Config(namespace);
  if (settings === undefined) return settingTexts((name) => config.get(name), environment());
  const texts = new Map<string, string | undefined>();
  for (const [name, output] of settings) {
    const { isKnown, promise } = output as unknown as ReadableOutput;
    if (!(await isKnown)) return undefined;
    texts.set(name, (await promise()) as string | undefined); // an output of a string
  }
  return settingTexts((name) => texts.get(name), environment());
}
