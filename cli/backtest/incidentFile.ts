import { timeIn } from "../../provider/base/durations";
import { entries, isObject, type JsonObject } from "../../provider/wire/json";
import type { Labels } from "../../sdk/behavior/signals";
import { fileLabel, readText } from "../output/files";
import { CommandError } from "../output/output";
import { firstOf, quote } from "../output/words";
import type { Incident } from "./incidents";

/** What an incident has in a file, and where. */
type Entry = readonly [place: string, fields: JsonObject];

/**
 * Reads incidents from CSV with a header, or from a JSON array of objects.
 * @throws {CommandError} that names the file and its first mistakes
 */
export function readIncidents(file: string): readonly Incident[] {
  const text = readText(file);
  const problems: string[] = [];
  const found = /^\s*[[{]/.test(text) ? entriesInJson(text, problems) : entriesInCsv(text, problems);
  const seen = new Set<string>();
  const incidents = found.flatMap(([place, fields]) => {
    const own: string[] = [];
    const incident = incidentIn(fields, own);
    const key = JSON.stringify([incident.name, incident.start]);
    if (seen.has(key)) own.push(`${quote(incident.name)} is listed twice with this start`);
    seen.add(key);
    problems.push(...own.map((problem) => `${place}: ${problem}`));
    return incident;
  });
  if (problems.length === 0) return incidents;
  throw new CommandError(`${fileLabel(file)} isn't a list of incidents: ${firstOf(problems).join("; ")}`);
}

function incidentIn({ start, end, name, labels }: JsonObject, problems: string[]): Incident {
  const timeOf = (field: string, value: unknown) => {
    const time = typeof value === "string" ? timeIn(value.trim()) : undefined;
    if (time !== undefined) return time;
    const isMissing = value === undefined || value === "";
    const wrong = `${field} ${quoted(value)} isn't a time such as 2026-11-01T08:00:00Z, with its zone`;
    problems.push(isMissing ? `it has no ${field}` : wrong);
    return Number.NaN;
  };
  const known = { name: typeof name === "string" ? name.trim() : "", start: timeOf("start", start) };
  if (known.name === "") problems.push("it has no name");
  const isOpen = end === null || end === "";
  if (end === undefined) problems.push("it has no end. Leave the end empty, in JSON null, if it has not ended");
  const until = isOpen || end === undefined ? undefined : timeOf("end", end);
  if (until !== undefined && until < known.start) problems.push("its end is before its start");
  const pairs = labelsIn(labels ?? "");
  const form = typeof labels === "string" ? "service=checkout,region=eu" : '{"service":"checkout"}';
  if (pairs === undefined) problems.push(`labels ${quoted(labels)} aren't like ${form}`);
  return { ...known, ...(until !== undefined && { end: until }), ...(pairs && { labels: pairs }) };
}

const quoted = (value: unknown) => quote(typeof value === "string" ? value : String(JSON.stringify(value)));

/** What looks like a label, but not like a matcher of PromQL, whose value would be another one. */
const pair = /^([^={}!]+)=(?!\s*[~"'])(.*)$/s;

/** The labels of `service=checkout,region=eu`, or of an object; undefined if there are others, or one twice. */
function labelsIn(value: unknown): Labels | undefined {
  const pairs =
    typeof value === "string"
      ? value.split(",").flatMap((text) => (text.trim() === "" ? [] : [pair.exec(text)?.slice(1) ?? []]))
      : Object.entries(isObject(value) ? value : { "": value });
  const read = pairs.map(([label, each]) => [String(label ?? "").trim(), each] as const);
  const labels = Object.fromEntries(read.map(([label, each]) => [label, typeof each === "string" ? each.trim() : ""]));
  // An empty label is no label, so nothing has it.
  if (Object.entries(labels).flat().includes("")) return undefined;
  return Object.keys(labels).length === read.length ? labels : undefined;
}

const noArray = "expected an array of objects";

function entriesInJson(text: string, problems: string[]): readonly Entry[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value.map((each: unknown, i) => [`[${i}]`, entries(each)]);
    problems.push(noArray);
  } catch (error) {
    // JSON.parse throws nothing else. An object may be the first of many lines.
    problems.push(text.trimStart().startsWith("{") ? noArray : (error as Error).message);
  }
  return [];
}

/** The columns of CSV, of which the last one is optional. */
const fields = ["start", "end", "name", "labels"];

/** Reads CSV with a header. Other columns than those of an incident are ignored. */
function entriesInCsv(text: string, problems: string[]): readonly Entry[] {
  const [separator = ","] = /[,;\t]/.exec(text.trimStart().split(/[\r\n]/, 1)[0] ?? "") ?? [];
  const rows = rowsOf(text, separator, problems);
  const [header, ...others] = rows.filter(([, cells]) => cells.some((cell) => cell !== ""));
  const names = (header?.[1] ?? []).map((name) => name.toLowerCase());
  const missing = fields.slice(0, 3).filter((name) => !names.includes(name));
  const twice = fields.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (header === undefined) problems.push("it is empty");
  else if (missing.length > 0) problems.push(`its header has no ${missing.join(" and no ")}`);
  else if (twice !== undefined) problems.push(`its header has ${twice} twice`);
  if (problems.length > 0) return [];
  return others.map(([line, cells]) => {
    const more = `${cells.length} values, and the header has ${names.length}`;
    if (cells.length > names.length)
      problems.push(`line ${line} has ${more}: put a value with ${quote(separator)} in quotation marks`);
    return [`line ${line}`, Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ""]))];
  });
}

/** The rows of CSV, https://www.rfc-editor.org/rfc/rfc4180#section-2, each with the number of its first line. */
function rowsOf(text: string, separator: string, problems: string[]) {
  const pattern = new RegExp(` *(?:"((?:[^"]|"")*)" *|([^"${separator}\r\n]*))(${separator}|\r\n|\r|\n|$)`, "y");
  const rows: (readonly [line: number, cells: readonly string[]])[] = [];
  let [line, first, cells] = [1, 1, [] as string[]];
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const [all, inQuotes, plain = "", end] = pattern.exec(text) ?? [];
    if (all === undefined) {
      problems.push(`line ${line}: a quotation mark is out of place`);
      break;
    }
    cells.push((inQuotes?.replaceAll('""', '"') ?? plain).trim());
    line += all.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end === separator) continue;
    rows.push([first, cells]);
    [first, cells] = [line, []];
  }
  return rows;
}
