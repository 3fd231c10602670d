import { namespace } from "../schema/names";
import { formatPath } from "../schema/walk";
import { isObject } from "../wire/json";
import { pathsWhere } from "./unknown";

/** What SDKs write for an output that is used as a string or in JSON, where its value is not known. */
const sdkText = /Calling (?:\[to(?:String|JSON)\]|__str__) on an \[?Output\b/;

/**
 * Reports each string that contains the SDK's text instead of an output's value, by path.
 * @param intended Intentional strings: the setting `knownValues`.
 */
export function outputTexts(value: unknown, intended: readonly string[]): string[] {
  const isWrong = (text: unknown) => typeof text === "string" && sdkText.test(text) && !intended.includes(text);
  const hasWrongKey = (each: unknown) => isObject(each) && Object.keys(each).some(isWrong);
  return [...pathsWhere(value, isWrong), ...pathsWhere(value, hasWrongKey)].map(
    (path) =>
      `${formatPath(path)}: contains the SDK's text "Calling … on an Output is not supported" instead of an output's value. ` +
      "An output can't be part of a plain string. Use pulumi.interpolate or .apply, or for JSON pulumi.jsonStringify (in " +
      "Python: pulumi.Output.format, pulumi.Output.json_dumps). " +
      `To allow the text, add it to ${namespace}:knownValues`,
  );
}
