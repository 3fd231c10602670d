import { createHash } from "node:crypto";
import { environmentVariable } from "../schema/names";

/** Returns the text of a setting; undefined if it is not set. */
export type SettingTexts = (name: string) => string | undefined;

/**
 * Reads a setting from stack config or provider arguments, else from the environment. An empty text counts as not set.
 * It does not fall back on the environment: that token may be another team's.
 */
export function settingTexts(configured: SettingTexts, environment: NodeJS.ProcessEnv): SettingTexts {
  return (name) => {
    const text = configured(name) ?? environment[environmentVariable(name)];
    return text === "" ? undefined : text;
  };
}

/** A hexadecimal digest, equal for two processes with equal settings. Leaves out the token, which is a secret. */
export function signatureOf(texts: SettingTexts, names: readonly string[]): string {
  const told = names.filter((name) => name !== "apiToken").map((name) => texts(name) ?? null);
  return createHash("sha256").update(JSON.stringify(told)).digest("hex").slice(0, 16);
}
