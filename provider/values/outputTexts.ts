import { namespace } from "../schema/names";
import { formatPath, type Path } from "../schema/walk";
import { isObject } from "../wire/json";

/** What SDKs write for an output that is used as a string or in JSON, where its value is not known. */
const sdkText = /Calling (?:\[to(?:String|JSON)\]|__str__) on an \[?Output\b/;

/**
 * Reports each string that contains the SDK's text instead of an output's value, by path.
 * @param intended Intentional strings: the setting `knownValues`.
 */
export function outputTexts(value: unknown, intended: readonly string[]): string[] {
  return placesIn(value, intended).map(
    (path) =>
      `${formatPath(path)}: contains the SDK's text "Calling … on an Output is not supported" instead of an output's value. ` +
      "An output can't be part of a plain string. Use pulumi.interpolate or .apply, or for JSON pulumi.jsonStringify (in " +
      "Python: pulumi.Output.format, pulumi.Output.json_dumps). " +
      `To allow the text, add it to ${namespace}:knownValues`,
  );
}

function placesIn(value: unknown, intended: readonly string[], path: Path = []): Path[] {
  if (typeof value === "string") return sdkText.test(value) && !intended.includes(value) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((each, i) => placesIn(each, intended, [...path, i]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const isKey = sdkText.test(key) && !intended.includes(key);
    return isKey ? [path] : placesIn(each, intended, [...path, key]);
  });
}
