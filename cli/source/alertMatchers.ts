import { RE2JS } from "re2js";
import { tried } from "../../provider/wire/json";
import { nameWritten } from "../promql/literals";

/** A matcher of Alertmanager, such as `team="search"`. */
export interface AlertMatcher {
  readonly name: string;
  /** Whether it matches a value of the label. Without the label, the value is empty. */
  readonly matches: (value: string) => boolean;
}

/** @throws if the pattern is invalid */
export function alertMatcher(name: string, sign: string, text: string): AlertMatcher {
  const isNot = sign.startsWith("!");
  if (!sign.endsWith("~")) return { name, matches: (value) => (value === text) !== isNot };
  const pattern = tried(() => RE2JS.compile(`^(?:${text})$`));
  if (pattern === undefined) throw new Error(`${JSON.stringify(text)} is not a valid regular expression`);
  return { name, matches: (value) => pattern.matcher(value).find() !== isNot };
}

/**
 * The matchers of a text, such as `team="search", env!=dev`. Alertmanager reads the form without UTF-8 first, by default:
 * https://github.com/prometheus/alertmanager/blob/main/matcher/compat/parse.go
 * @throws if it is invalid in both forms
 */
export function alertMatchersIn(text: string): readonly AlertMatcher[] {
  const newer = tried(() => newerMatchers(text));
  return newer === undefined ? classicMatchers(text) : (tried(() => classicMatchers(text)) ?? newer);
}

const blank = String.raw`[\t\n\f\r ]*`;
const classic = new RegExp(`^${blank}([A-Za-z_:][\\w:]*)${blank}(=~|!=|!~|=)${blank}([^]*?)${blank}$`);

function classicMatchers(text: string): readonly AlertMatcher[] {
  const parts = [""];
  let [isQuoted, isEscaped] = [false, false];
  for (const letter of text.replace(/^\{/, "").replace(/\}$/, "")) {
    if (letter === "," && !isQuoted) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${letter}`);
    if (letter === '"' && !isEscaped) isQuoted = !isQuoted;
    // As in Alertmanager, a comma leaves the next quote escaped.
    if (letter !== ",") isEscaped = letter === "\\" && !isEscaped;
  }
  const last = parts.pop()?.trim() ?? "";
  return [...parts, ...(last === "" ? [] : [last])].map((part) => {
    const [, name = "", sign = "", written = ""] = classic.exec(part) ?? [];
    const [, quoted] = /^"((?:[^"\\]|\\[^])*)"$/.exec(written) ?? [];
    if (name === "" || (quoted === undefined && !/^(?:[^"\\]|\\[^]|\\$)*$/.test(written)))
      throw new Error(
        `${JSON.stringify(part.trim())} is not a valid matcher, such as team="search" or env=~"dev|test"`,
      );
    const value = (quoted ?? written).replace(/\\([n"\\])/g, (_, code) => (code === "n" ? "\n" : code));
    return alertMatcher(name, sign, value);
  });
}

const space = String.raw`\p{White_Space}*`;
const word = String.raw`"(?:[^"\\]|\\[^])*"|[^\p{White_Space}{}!=~,\\"'\x60]+`;
const newer = `${space}(${word})${space}(=~|!=|!~|=)${space}(${word})${space}(?:,|$)`;

/** Names and values in UTF-8, each in quotes or without reserved characters. */
function newerMatchers(text: string): readonly AlertMatcher[] {
  const [, inBraces, bare = inBraces ?? ""] = /^\s*(?:\{([^]*)\}|([^]*?))\s*$/.exec(text) ?? [];
  if (!new RegExp(`^(?:${newer})*${space}$`, "u").test(bare)) throw new Error("reserved characters need quotes");
  return [...bare.matchAll(new RegExp(newer, "gu"))].map(([, ...parts]) => {
    const [name, sign = "", value] = [nameWritten(parts[0] ?? ""), parts[1], nameWritten(parts[2] ?? "")];
    if (name === undefined || value === undefined) throw new Error("an escape is invalid");
    return alertMatcher(name, sign, value);
  });
}
