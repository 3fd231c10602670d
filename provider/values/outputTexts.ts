import { namespace } from "../schema/names";
import { formatPath, type Path } from "../schema/walk";
import { isObject } from "../wire/json";

/** What the SDKs write for an output that is used as a string, where its value is not known, and what to use instead. */
const sdkTexts = [
  {
    pattern: /Calling \[to(?:String|JSON)\] on an \[Output<T>\]/,
    text: "Calling [toString] on an [Output<T>] is not supported",
    remedy: "Use pulumi.interpolate or .apply instead of a template string, and pulumi.jsonStringify for JSON",
  },
  {
    pattern: /Calling __str__ on an Output\[T\]/,
    text: "Calling __str__ on an Output[T] is not supported",
    remedy: "Use pulumi.Output.format or .apply instead of an f-string, and pulumi.Output.json_dumps for JSON",
  },
];

/**
 * Reports each string that contains an SDK's text instead of an output's value, by path.
 * @param intended Intentional strings: the setting `knownValues`.
 */
export function outputTexts(value: unknown, intended: readonly string[]): string[] {
  return sdkTexts.flatMap(({ pattern, text, remedy }) => {
    const isSdkText = (each: string) => pattern.test(each) && !intended.includes(each);
    return placesOf(value, isSdkText).map(
      (path) =>
        `${formatPath(path)}: contains the SDK's text "${text}" instead of an output's value. ${remedy}. To allow the text, ` +
        `add it to ${namespace}:knownValues`,
    );
  });
}

function placesOf(value: unknown, isSdkText: (text: string) => boolean, path: Path = []): Path[] {
  if (typeof value === "string") return isSdkText(value) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((each, i) => placesOf(each, isSdkText, [...path, i]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    isSdkText(key) ? [path] : placesOf(each, isSdkText, [...path, key]),
  );
}
