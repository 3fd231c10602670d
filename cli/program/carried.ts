import { formatPath, type Path } from "../../provider/schema/walk";
import { secretMark } from "../../provider/values/secrets";
import { unknown } from "../../provider/values/unknown";
import { isObject, type JsonObject } from "../../provider/wire/json";
import { ConfigSecret } from "./item";

/** The part of arguments that Pulumi carries to a provider as it is, and what was left out or changed, each a clause. */
export function carriedPart(args: JsonObject): { readonly args: JsonObject; readonly told: readonly string[] } {
  const told: string[] = [];
  const enter = (value: unknown, path: Path): unknown => {
    if (typeof value === "string") return carriedText(value, path);
    if (Array.isArray(value)) return value.map((each, i) => enter(each, [...path, i]));
    if (!isObject(value) || value instanceof ConfigSecret) return value;
    const kept = Object.entries(value).flatMap(([key, each]) => {
      const inner = [...path, key];
      if (!taken.has(key) && each !== unknown) return [[carriedText(key, inner), enter(each, inner)]];
      told.push(
        `${formatPath(inner)} is left out: Pulumi has a meaning of its own for ${taken.has(key) ? "the key" : "the value"}`,
      );
      return [];
    });
    return Object.fromEntries(kept);
  };
  const carriedText = (text: string, path: Path): string => {
    const whole = text.replace(/\p{Surrogate}/gu, "\uFFFD");
    if (whole !== text) told.push(`${formatPath(path)} holds half a character, which becomes U+FFFD`);
    return whole;
  };
  return { args: enter(args, []) as JsonObject, told }; // An object stays one.
}

/** Keys that do not reach a provider: JavaScript or the engine reads them. */
const taken = new Set(["__proto__", secretMark]);
