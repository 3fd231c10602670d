import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sampleOf } from "./service.js";

/** Where what the service rejects is reviewed. */
export const file = join(import.meta.dirname, "problems.snap.md");
export const document = readFileSync(file, "utf8");

/** What a line of the document begins with, if not with a kind: another object than the example of the kind. */
const variants: Readonly<Record<string, object>> = {
  "SLO with timeslices": {
    name: "s",
    definition: { objective: 99 },
    sli: { custom_timeslice_indicator: { query_template: "q", condition: { op: "GT" }, timeslice_size: "S" } },
  },
  "Notifier with email": { name: "n", email: { to: "team@example.com" } },
  "Notifier with oncall_a": { name: "n", oncall_a: { api_key: "k" } },
  "Notifier with oncall_c": { name: "n", oncall_c: { api_key: "k", routing_key: "r" } },
  "Notifier with chat": { name: "n", chat: { api_url: "https://chat.example.com/hook" } },
  "Notifier with webhook": { name: "n", webhook: { url: "https://h" } },
  LogAllocationConfig: { dataset_allocations: [{ dataset_slug: "d0", allocation: { percent_of_license: 40 } }] },
};

/** Changes one place of an object; the place may be missing so far. */
function changed(object: any, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const copy = /^\d+$/.test(step) ? [...(object ?? [])] : { ...object };
  copy[step] = changed(copy[step], rest, value);
  return copy;
}

/**
 * What a line says, as JSON: `Monitor  interval_secs: -1` changes a place, `SLO  {"sli":{}}` fields of the object. No object
 * of JavaScript has the numbers of some lines.
 */
export function readLine(line: string): { readonly kind: string; readonly json: string } {
  const [, object = "", place = "", value = ""] = /^([\w ]+?) {2}(?:([\w.[\]]+): )?(.+)$/.exec(line) ?? [];
  const [kind = ""] = object.split(" ");
  const valid = variants[object] ?? sampleOf(kind).example;
  const hole = "the value of the line";
  const sent = place === "" ? { ...valid, ...JSON.parse(value) } : changed(valid, place.match(/\w+/g) ?? [], hole);
  return { kind, json: JSON.stringify(sent).replace(`"${hole}"`, () => value) };
}

/** The document in lines; a case is what a code block has, except for the answers. */
export function linesIn(text: string): readonly { readonly line: string; readonly sort: "text" | "case" | "answer" }[] {
  let isCode = false;
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const isFence = line.startsWith("```");
      if (isFence) isCode = line !== "```";
      return { line, sort: !isCode || isFence ? "text" : line.startsWith(" ") ? "answer" : "case" };
    });
}
