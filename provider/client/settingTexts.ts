import { hash } from "node:crypto";
import { environmentVariable } from "../schema/names";
import { isObject, parseJsonTexts } from "../wire/json";

/** Returns the text of a setting; undefined if it is not set. */
export type SettingTexts = (name: string) => string | undefined;

/**
 * Reads a setting from stack config or provider arguments, else from the environment. An empty text counts as not set.
 * An empty configured text does not fall back on the environment: that token may be another team's.
 */
export function settingTexts(configured: SettingTexts, environment: NodeJS.ProcessEnv): SettingTexts {
  return (name) => {
    const text = configured(name) ?? environment[environmentVariable(name)];
    return text === "" ? undefined : text;
  };
}

/** The normalized URL of a service: without credentials, and without a slash at its end. */
export function addressOf(url: URL): string {
  const bare = new URL(url);
  bare.username = "";
  bare.password = "";
  return bare.href.replace(/\/+$/, "");
}

/** The same of a setting; `""` if it is not a URL, such as a secret or unknown value. */
export const addressIn = (text: unknown): string =>
  typeof text === "string" && URL.canParse(text) ? addressOf(new URL(text)) : "";

/** The form that a map setting must have, for messages. */
export const mapWords = 'a JSON object of strings, like {"team":"checkout"}';

/** Whether the value was a string. `pulumi config set --path` turns some strings into numbers and booleans. */
export const isText = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

/** The entries of a setting that is a map; undefined if the text is not a map. */
export function readMap(text: string): Readonly<Record<string, string>> | undefined {
  const value = parseJsonTexts(text);
  if (!isObject(value) || !Object.values(value).every(isText)) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each)]));
}

/** A digest of the settings that are maps, equal for two processes with equal ones; undefined if none of them is set. */
export function defaultsDigest(texts: SettingTexts, maps: readonly string[]): string | undefined {
  const values = maps.map((name) => texts(name) ?? null);
  return values.every((value) => value === null) ? undefined : hash("sha256", JSON.stringify(values)).slice(0, 16);
}
