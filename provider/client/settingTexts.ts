import { createHash } from "node:crypto";
import { environmentVariable } from "../schema/names";

/** Answers with the text of a setting, or nothing where it is not set. */
export type SettingTexts = (name: string) => string | undefined;

/**
 * A setting's text from stack config or provider arguments first, then from the environment. An empty one is not set,
 * and is not looked for elsewhere: an empty token must not become another team's.
 */
export function settingTexts(configured: SettingTexts, environment: NodeJS.ProcessEnv): SettingTexts {
  return (name) => {
    const text = configured(name) ?? environment[environmentVariable(name)];
    return text === "" ? undefined : text;
  };
}

/** Equal for two processes where their settings are; the token, which is a secret, is left out. Hexadecimal. */
export function signatureOf(texts: SettingTexts, names: readonly string[]): string {
  const told = names.filter((name) => name !== "apiToken").map((name) => texts(name) ?? null);
  return createHash("sha256").update(JSON.stringify(told)).digest("hex").slice(0, 16);
}
