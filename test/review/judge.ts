import type { Risk } from "../../dist/cli/stacks/risk.js";
import type { Named, Trial } from "./trials/trial.js";

/** A trial with the Pulumi name of its resource. */
export interface NamedTrial extends Trial {
  readonly name: string;
}

export const faults = [
  "miss",
  "false alarm",
  "wrong class",
  "wrong direction",
  "lacks its word",
  "unchanged named",
] as const;
export type Fault = (typeof faults)[number];

export interface Failure {
  readonly trial: NamedTrial;
  readonly fault: Fault;
  /** What was expected, or what should not be there. */
  readonly detail: string;
  readonly said: readonly string[];
}

/** @param risks What the review said of all resources. */
export function failuresOf(trial: NamedTrial, risks: readonly Risk[]): readonly Failure[] {
  const own = risks
    .filter(({ kind, name }) => kind === trial.kind && trial.name === name)
    .map(({ name, sentence, ...risk }) => ({ ...risk, words: sentence.replace(`${name}: `, "") }));
  const said = own.map((risk) => `${risk.class}, ${risk.direction}: ${risk.words}`);
  const failure = (fault: Fault, detail: string): Failure => ({ trial, fault, detail, said });
  const isAllowed = (risk: (typeof own)[number], { classes, directions }: Named) =>
    (classes.includes(risk.class) || (risk.class === "stricter" && directions.includes("stricter"))) &&
    directions.includes(risk.direction);

  const missing = trial.named.flatMap((named): Failure[] => {
    const { classes, directions, words, isOptional = false } = named;
    // Beside a risk that has to be named, it only widens what may be said.
    if (isOptional && (own.length === 0 || !trial.named.every((each) => each.isOptional))) return [];
    if (own.length === 0) return [failure("miss", shown(named))];
    const ofClass = own.filter((risk) => classes.includes(risk.class) || risk.class === "stricter");
    if (ofClass.length === 0) return [failure("wrong class", shown(named))];
    const allowed = ofClass.filter((risk) => isAllowed(risk, named));
    if (allowed.length === 0) {
      const isOther = !ofClass.some((risk) => classes.includes(risk.class)) && !directions.includes("stricter");
      return [failure(isOther ? "wrong class" : "wrong direction", shown(named))];
    }
    const lacking = (text: string) => words.filter((word) => !has(text, word));
    const fewest = allowed.map((risk) => lacking(risk.words)).sort((a, b) => a.length - b.length)[0] ?? [];
    return fewest.length === 0 ? [] : [failure("lacks its word", `${shown(named)}; lacks ${fewest.join(", ")}`)];
  });

  const unexpected = own.filter(({ class: riskClass }) => riskClass !== "unvalidated");
  if (trial.named.length === 0 && unexpected.length > 0) return [failure("false alarm", "nothing")];
  const directions = trial.named.flatMap((named) => named.directions);
  const contrary = unexpected.filter(({ direction }) => direction !== "unclear" && !directions.includes(direction));
  const unchanged = (trial.hidden ?? []).filter((word) => own.some(({ words }) => has(words, word)));
  return [
    ...missing,
    ...(missing.length === 0 && contrary.length > 0
      ? [failure("wrong direction", `no risk that is ${contrary.map(({ direction }) => direction).join(", ")}`)]
      : []),
    ...(unchanged.length > 0 ? [failure("unchanged named", `nothing of ${unchanged.join(", ")}`)] : []),
  ];
}

const shown = ({ classes, directions, words }: Named) =>
  `${classes.join(" or ")}, ${directions.join(" or ")}${words.length === 0 ? "" : `, with ${words.join(", ")}`}`;

/** Whether a text has a word, also as a part of a field's name, and no longer number in its place. */
export function has(text: string, word: string): boolean {
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // 0.1 is not in 0.15, and 5 neither in 0.5 nor in -5.
  const before = /^\d/.test(word) ? "(?<![\\w.-])" : /^\w/.test(word) ? "(?<!\\w)" : "";
  const after = /\w$/.test(word) ? "(?!\\w|\\.\\d)" : "";
  if (new RegExp(before + escaped + after, "i").test(text)) return true;
  if (!/^[a-z]{4,}$/.test(word)) return false;
  // "resolve" is in "resolved", and in "skipResolved".
  const capitalised = word.replace(/^./, (letter) => letter.toUpperCase());
  const ending = word.length > 4 ? "" : "(?![a-z])";
  return new RegExp(`(?<!\\w)(?:${word}|${capitalised})${ending}|(?<=[a-z])${capitalised}${ending}`).test(text);
}

/** The failures as lines to read, grouped by fault. */
export const report = (failures: readonly Failure[]): string =>
  faults
    .flatMap((fault) => {
      const all = failures.filter((each) => each.fault === fault);
      if (all.length === 0) return [];
      return [`${fault}: ${all.length}`, ...all.map(({ trial, detail, said }) => entry(trial, detail, said)), ""];
    })
    .join("\n");

const entry = (trial: NamedTrial, detail: string, said: readonly string[]) =>
  [
    `  ${trial.kind}: ${trial.title}`,
    `    expected: ${detail}`,
    ...(said.length === 0 ? ["    said: nothing"] : said.map((line) => `    said: ${line}`)),
  ].join("\n");
