import * as pulumi from "@pulumi/pulumi";
import { providerText } from "../provider/dynamic/providerText";
import { type Context, contextKey, textDigest } from "../provider/protocol";
import { textsIn } from "../provider/wire/json";
import { argsWithDefaults } from "./defaults";
import { host } from "./host";
import { isMocked, type ReadableOutput } from "./internals";
import { nameAndSlug } from "./mocks";
import { isOnlyRead, mayBeTransformed, type ResourceFacts } from "./options";
import { plainArgs, secretPaths, withSchemaSecrets } from "./plainArgs";
import { defaultsOf, providerOf } from "./provider";

/** The arguments of a resource, before transformations and transforms. */
interface GivenArgs {
  /** Plain, with the provider's defaults, and with every secret as a Pulumi secret. Each one is defined. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The paths of secrets among them; undefined without an output or promise. */
  readonly marks: ReturnType<typeof secretPaths>;
  /** The digest of the defaults; undefined if there are none. */
  readonly defaultsDigest: string | undefined;
}

/** @throws if an argument cannot be sent. */
export function givenArgs(
  title: string,
  facts: ResourceFacts,
  args: object,
  opts: pulumi.CustomResourceOptions,
): GivenArgs {
  const own = plainArgs(title, args);
  // Nothing is added to what is only read, and a transformation cannot have changed the provider yet.
  const hasDefaults = !isOnlyRead(opts) && Object.keys(facts.defaultsFrom).length > 0;
  const defaults = hasDefaults ? defaultsOf(providerOf(opts)) : undefined;
  const plain =
    defaults?.defaultsDigest === undefined ? own : argsWithDefaults(title, own, facts.defaultsFrom, defaults);
  const marked = Object.entries(withSchemaSecrets(plain, facts.secrets));
  const values = Object.fromEntries(marked.filter(([, value]) => value !== undefined));
  return { values, marks: secretPaths(values), defaultsDigest: defaults?.defaultsDigest };
}

/** The digests of all texts in values, which may be outputs. */
async function digestsOf(values: unknown): Promise<string> {
  const { promise } = pulumi.output(values) as unknown as ReadableOutput;
  const known = await promise(true).catch(() => []); // The SDK reports a failed argument.
  return textsIn(known).map(textDigest).join(" ");
}

/** Everything that the inputs of a registration are made of. */
interface RegistrationParts {
  readonly facts: ResourceFacts;
  readonly name: string;
  readonly given: GivenArgs;
  readonly opts: pulumi.CustomResourceOptions;
  readonly context: Context;
  /** The run's folder, if the class reports the result of the validation. */
  readonly resultsIn: string | undefined;
  /** Returns the provider of the resource, which it has only after its construction. */
  readonly provider: () => pulumi.ProviderResource | undefined;
}

/** The inputs of a registration: the outputs that it declares, the arguments, and what only the provider's process reads. */
export function inputsOf({ facts, name, given, opts, context, resultsIn, provider }: RegistrationParts): pulumi.Inputs {
  const isRead = isOnlyRead(opts);
  const isUnderMocks = isMocked();
  // Each declared output costs time. Declared are the arguments with a value, and those that the provider, a transform or
  // state may give one.
  const mayGetAny = isRead || isUnderMocks || mayBeTransformed(opts);
  const declared = mayGetAny ? facts.keys : [...facts.derived, ...ignoredBy(facts, opts)];
  const outputs = Object.fromEntries([...declared, "createdAt", "updatedAt"].map((key) => [key, undefined]));
  const inputs: pulumi.Inputs = { ...outputs, ...given.values };
  if (isUnderMocks)
    return isRead || facts.derived.length === 0 ? inputs : { ...inputs, ...nameAndSlug(name, inputs, provider) };
  const { marks } = given;
  const sent = mayBeTransformed(opts) && host() === "dynamic" && { sent: digestsOf([name, given.values]) };
  return {
    ...inputs,
    // A resource that is only read is never checked, so nothing would remove the context, and state would record it.
    ...(isRead
      ? {}
      : { [contextKey]: { ...context, ...sent, ...(marks && { secrets: marks }), ...(resultsIn && { resultsIn }) } }),
    __provider: providerText(facts.kind),
  };
}

/** The arguments in `ignoreChanges`: the engine may take their values from state. */
const ignoredBy = ({ keys }: ResourceFacts, { ignoreChanges = [] }: pulumi.CustomResourceOptions) =>
  ignoreChanges.includes("*") ? keys : ignoreChanges.flatMap((path) => /[A-Za-z]\w*/.exec(path)?.[0] ?? []);
