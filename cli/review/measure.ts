import type { Path } from "../../provider/schema/walk";
import { unknown } from "../../provider/values/unknown";
import { isObject, type JsonObject } from "../../provider/wire/json";
import { type About, type Resources, type Standards, type Violation, violations } from "../../sdk/standards/index";
import { longestSecs } from "../../sdk/standards/standards";
import { hiddenText } from "../meaning/hidden";
import { stepsIn } from "../meaning/parts";
import { cutLine, plainly, quote } from "../output/words";
import type { Change } from "../preview/stackPreview";
import { masked } from "../../sdk/engine/preview";
import type { Broken, ReviewNote, RuleOf } from "./review";

export interface Measured {
  readonly broken: readonly Broken[];
  /** How many violations existed before the change and still do. */
  readonly old: number;
  readonly failures: readonly ReviewNote[];
  /** Rules that read a hidden value. */
  readonly notes: readonly ReviewNote[];
  readonly textLabels: readonly string[];
}

/** The part of a stack's preview that rules are applied to. */
export interface Measurable {
  /** `project/stack` */
  readonly stack: string;
  readonly changes: readonly (Pick<Change, "name" | "op" | "before" | "after"> & {
    readonly kind: { readonly name: string };
    readonly notified?: { readonly before: About["notified"]; readonly after: About["notified"] };
  })[];
}

/**
 * Applies the standards to what the program declares. Rules that were broken before are only counted.
 * @param onRule Called before each rule is applied.
 */
export async function measure(
  { stack, changes }: Measurable,
  standards: Standards,
  onRule: (rule: RuleOf) => Promise<void> = async () => undefined,
): Promise<Measured> {
  const broken: Broken[] = [];
  const failures: ReviewNote[] = [];
  const notes: ReviewNote[] = [];
  let old = 0;
  // A rule that never answers would take its time for each resource.
  const late = new Set<unknown>();
  for (const { kind, name, op, before, after, notified } of changes) {
    if (after === undefined) continue;
    const about = { kind: kind.name, name };
    for (const [rule, check] of Object.entries(standards[kind.name as keyof Resources] ?? {})) {
      // The registry's kinds are those of the generated types, and their inputs were checked by the provider.
      const only = { [kind.name]: { [rule]: check } } as Standards;
      await onRule({ rule, kind: kind.name, name });
      const apply = (inputs: JsonObject, side: "before" | "after") =>
        outcomeOf(only, kind.name as keyof Resources, inputs, name, notified?.[side]);
      if (late.has(check)) continue;
      const start = performance.now();
      const now = await apply(after, "after");
      if (performance.now() - start >= longestSecs * 1_000) late.add(check);
      const words = `the rule ${quote(rule)} of the standards`;
      if (now.hidden !== undefined) {
        // An unchanged resource has no new violations.
        if (op !== "same") notes.push({ ...about, text: cutLine(`${words} was not checked: ${now.hidden}`) });
      } else if (now.found === undefined) continue;
      else if (now.found.isMistake) {
        const rest = late.has(check) ? "; the rule is not applied to other resources" : "";
        failures.push({ ...about, text: cutLine(`${words} ${now.found.message}${rest}`) });
      } else if (op === "same" || (before !== undefined && isBroken(await apply(before, "before")))) old += 1;
      else broken.push({ stack, ...about, rule, message: cutLine(now.found.message) });
    }
  }
  return { broken, old, failures, notes, textLabels: standards.textLabels ?? [] };
}

interface Outcome {
  readonly found?: Violation | undefined;
  /** The hidden value that the rule read: its answer is then unreliable. */
  readonly hidden?: string | undefined;
}

const isBroken = ({ found }: Outcome) => found !== undefined && !found.isMistake;

async function outcomeOf(
  standards: Standards,
  kind: keyof Resources,
  inputs: JsonObject,
  name: string,
  notified: About["notified"],
): Promise<Outcome> {
  const read: string[] = [];
  const view = watched(inputs, (text) => read.push(text)) as Resources[keyof Resources]; // still of that kind
  const [found] = await violations(standards, kind, view, name, notified);
  return read[0] === undefined ? { found } : { hidden: read[0] };
}

/** A copy with words instead of hidden values. Reading one of them is reported. */
function watched(value: unknown, onRead: (text: string) => void, path: Path = []): unknown {
  if (!Array.isArray(value) && !isObject(value)) return value;
  const copy = Array.isArray(value) ? [] : {};
  for (const [key, each] of stepsIn(value)) {
    const place = [...path, key];
    const text = each === masked ? masked : each === unknown ? "(known after the update)" : undefined;
    const get = () => {
      onRead(plainly(hiddenText(place, each)));
      return text;
    };
    const own = text === undefined ? { value: watched(each, onRead, place), writable: true } : { get };
    Object.defineProperty(copy, key, { ...own, enumerable: true, configurable: true });
  }
  return copy;
}
