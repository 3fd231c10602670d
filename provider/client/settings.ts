import type { Field } from "../schema/field";
import { environmentVariable, namespace } from "../schema/names";
import { mapSettings, settings as schema, type SettingValues } from "../schema/settings";
import { parseJsonTexts } from "../wire/json";
import { ConfigurationError } from "./errors";
import { addressOf, isText, defaultsDigest, mapWords, readMap, type SettingTexts } from "./settingTexts";

/** The provider's configuration. */
export interface Settings extends SettingValues {
  /** A digest of the settings that are maps; see `defaultsDigest`. */
  readonly defaultsDigest: string | undefined;
}

/** Whether a create adopts an existing object: never, only if it is identical, or always. */
export type Adopt = Settings["adopt"];

/** Reads and checks each setting only when it is used: a preview that sends no request needs no token. */
export function readSettings(text: SettingTexts): Settings {
  const settings = {} as Settings; // The lines below give it every property.
  for (const [name, field] of Object.entries(schema.fields)) {
    define(settings, name, () => {
      const given = text(name);
      if (given === undefined) return field.options.required === undefined ? field.options.defaultValue : missing(text);
      return rules[name]?.(given, settings) ?? valueOf(name, field, given);
    });
  }
  define(settings, "defaultsDigest", () => defaultsDigest(text, mapSettings));
  return settings;
}

/**
 * Reads all settings but the maps, which the classes read: a program may give those in another form.
 * @throws {ConfigurationError} if one is wrong, even if only a later update or delete uses it.
 */
export function assertReadable(settings: Settings): void {
  for (const name of Object.keys(schema.fields)) if (!mapSettings.includes(name)) Reflect.get(settings, name);
}

/** Reads a property at its first use and keeps it: every verb reads some settings. */
function define(object: object, name: string, read: () => unknown): void {
  const get = () => {
    const value = read();
    Object.defineProperty(object, name, { value });
    return value;
  };
  Object.defineProperty(object, name, { get, enumerable: true, configurable: true });
}

/** Names all required settings that are missing, with the commands that set them. */
function missing(text: SettingTexts): never {
  const fields = Object.entries(schema.fields).filter(
    ([name, { options }]) => options.required !== undefined && text(name) === undefined,
  );
  const each = (words: (name: string, field: Field) => string) => fields.map((field) => words(...field)).join(" and ");
  const commands = each(
    (name, { options }) =>
      `"pulumi config set ${options.secret === undefined ? "" : "--secret "}${namespace}:${name} …"`,
  );
  throw new ConfigurationError(
    `${each((name) => `${namespace}:${name}`)} ${fields.length === 1 ? "is" : "are"} not set. ` +
      `Run ${commands}, or set ${each(environmentVariable)}`,
  );
}

const valueOf = (name: string, field: Field, text: string): unknown =>
  field.visit<unknown>({
    scalar: ({ type, options: { values = type === "boolean" ? [true, false] : undefined } }) => {
      if (values !== undefined) return readChoice(name, values, text);
      return type === "integer" ? readWholeNumber(name, text) : text;
    },
    list: () => readList(name, text),
    map: () => readEntries(name, text),
    object: () => text,
  });

function readChoice(name: string, values: readonly unknown[], text: string): unknown {
  const found = values.find((each) => String(each) === text);
  if (found === undefined) throw mustBe(name, `one of ${values.map((each) => `"${String(each)}"`).join(", ")}`);
  return found;
}

function readWholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw mustBe(name, "a whole number of at least 1");
  return value;
}

/** Rules that a setting's type does not express. */
const rules: Readonly<Record<string, (text: string, settings: Settings) => string>> = {
  baseUrl: (text, { allowInsecure }) => readBaseUrl(text, allowInsecure),
  apiToken(text) {
    // Other characters cannot be sent in a header: the HTTP client would fail with a message that quotes the token.
    if (!/^[\x21-\x7e]+$/.test(text)) throw mustBe("apiToken", "printable ASCII without spaces or line breaks");
    return text;
  },
};

function readBaseUrl(text: string, allowInsecure: boolean): string {
  if (!URL.canParse(text)) throw mustBe("baseUrl", "a URL like https://config.example.com");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw mustBe("baseUrl", "an https or http URL");
  if (url.username !== "" || url.password !== "") {
    throw mustBe("baseUrl", `a URL without credentials. Set the token in ${namespace}:apiToken`);
  }
  if (url.search !== "" || url.hash !== "") throw mustBe("baseUrl", "a URL without a query or fragment");
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !allowInsecure) {
    throw new ConfigurationError(
      `${namespace}:baseUrl "${text}" would send the API token unencrypted. Use https, or set ${namespace}:allowInsecure to true`,
    );
  }
  return addressOf(url);
}

/** Whether the host is this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

function readList(name: string, text: string): readonly string[] {
  // Structured stack config and provider arguments arrive as JSON.
  const value = parseJsonTexts(text);
  if (value === undefined || isText(value)) {
    // An environment file may keep its quotation marks.
    return (typeof value === "string" ? value : text).split(",").map((each) => each.trim());
  }
  if (!Array.isArray(value) || !value.every(isText))
    throw mustBe(name, "a list of strings, separated by commas or as a JSON array");
  return value.map(String);
}

function readEntries(name: string, text: string): Readonly<Record<string, string>> {
  const value = readMap(text);
  if (value === undefined) throw mustBe(name, mapWords);
  return value;
}

// Does not quote the value: it may be a secret in the wrong place.
function mustBe(name: string, expected: string): ConfigurationError {
  return new ConfigurationError(`${namespace}:${name} must be ${expected}`);
}
