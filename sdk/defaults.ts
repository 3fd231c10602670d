import * as pulumi from "@pulumi/pulumi";
import { defaultsDigest, mapWords, readMap, settingTexts } from "../provider/client/settingTexts";
import { isEncrypted } from "./internals";
import { isLater, plainArgs } from "./plainArgs";
import { mapSettings, namespace } from "./providerArgs.gen";

/** The settings of one provider that are maps, such as `defaultLabels`. */
export interface ProviderDefaults {
  /** The text that the provider's process has of each; undefined if it is not set. */
  readonly texts: Readonly<Record<string, string | undefined>>;
  /** The entries of each. The program may give any of them as an output. */
  readonly entries: Readonly<Record<string, unknown>>;
  /** A digest, by which `check` compares the settings of class and provider; undefined if there are none. */
  readonly defaultsDigest: string | undefined;
}

/**
 * The defaults that the program gives a provider; what it leaves out is taken from stack config, then from the environment.
 * @param name The Pulumi name of the provider; empty for the one that is not explicit.
 * @throws if a text is not a map.
 */
export function defaultsGiven(given: Readonly<Record<string, unknown>>, name: string): ProviderDefaults {
  const config = new pulumi.Config(namespace);
  for (const setting of mapSettings) assertMap(name, setting, given[setting]);
  // Given entries do not go to the provider: while one of them is unknown, the engine would not ask it about anything.
  const textOf = (setting: string) =>
    isAbsent(given[setting]) ? config.get(setting) : `given by the program to Provider "${name}"`;
  const text = settingTexts(textOf, process.env);
  const entriesOf = (setting: string) => given[setting] ?? readEntries(config, setting, text(setting));
  return {
    texts: Object.fromEntries(mapSettings.map((setting) => [setting, textOf(setting)])),
    entries: Object.fromEntries(mapSettings.map((setting) => [setting, entriesOf(setting)])),
    defaultsDigest: defaultsDigest(text, mapSettings),
  };
}

function assertMap(name: string, setting: string, given: unknown): void {
  if (isAbsent(given) || isLater(given) || isMap(given)) return;
  throw new pulumi.RunError(`Provider "${name}": ${setting} must be an object whose values are strings or outputs`);
}

function readEntries(config: pulumi.Config, setting: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const entries = readMap(text);
  if (entries === undefined) throw new pulumi.RunError(`${namespace}:${setting} must be ${mapWords}`);
  if (config.get(setting) === undefined || isEncrypted(setting) !== true) return entries;
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, pulumi.secret(value)]));
}

/**
 * The arguments with their defaults. A key that the resource gives wins.
 * @param settings The setting of each argument that has defaults.
 */
export function argsWithDefaults(
  title: string,
  args: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, string>>,
  { entries }: ProviderDefaults,
): Record<string, unknown> {
  const added = Object.entries(settings).map(([name, setting]) => [name, merged(args[name], entries[setting])]);
  return plainArgs(title, { ...args, ...Object.fromEntries(added) });
}

/** Keeps entries apart where possible: an unknown entry must not make the others unknown. */
function merged(own: unknown, defaults: unknown): unknown {
  if (isAbsent(defaults)) return own;
  if (isLater(own)) return onceKnown(own, (known) => merged(known, defaults));
  if (isLater(defaults)) return onceKnown(defaults, (known) => merged(own, known));
  if (isAbsent(own)) return defaults;
  // A wrong type is left to `check`.
  if (!isMap(own)) return own;
  if (!isMap(defaults)) return defaults;
  const added = Object.entries(defaults).flatMap(([key, value]) => {
    const given = Object.hasOwn(own, key) ? own[key] : undefined;
    if (isAbsent(given)) return [[key, value] as const];
    // It may come out as nothing.
    return isLater(given) ? [[key, onceKnown(given, (known) => known ?? value)] as const] : [];
  });
  return { ...own, ...Object.fromEntries(added) };
}

const onceKnown = (value: unknown, then: (known: unknown) => unknown): pulumi.Output<unknown> =>
  pulumi.all([value]).apply(([known]) => pulumi.output(then(known)));

type Entries = Readonly<Record<string, unknown>>;

export const isAbsent = (value: unknown) => value === undefined || value === null;

const isMap = (value: unknown): value is Entries =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isLater(value);
