import { dirname, relative, sep } from "node:path";
import { grouped } from "../../provider/base/grouped";
import { slugFrom } from "../../provider/schema/names";
import { constantsOf } from "./constants";
import { commentLines, type Declaration, resource, width } from "./declaration";
import type { Declared, Item } from "./item";
import { layoutOf } from "./layout";
import { Names, variableOf } from "./names";
import { firstOf, listed } from "../output/words";

export interface Layout {
  /** The label whose value tells an item's file. Without one, each kind has its file. */
  readonly groupBy?: string | undefined;
  /** Whether secrets are read from the environment, as a team's file does, instead of stack config. */
  readonly isTeam?: boolean;
  /** Where the items come from, for the headings: `imported from https://config.example.com`. */
  readonly source?: string | undefined;
  /** The resources that an earlier run has declared, by `idOf`. */
  readonly known: Readonly<Record<string, Declared>>;
  /** The files that exist, without `.ts`. */
  readonly taken: readonly string[];
}

interface Program {
  /** The text of each file, by its name without `.ts`. */
  readonly files: ReadonlyMap<string, string>;
  /** Where each of the items is declared, by `idOf`. */
  readonly declared: Readonly<Record<string, Declared>>;
}

type Place = Pick<Declared, "file" | "variable">;

/** The id of an item among all: `Monitor/checkout-errors`. */
export const idOf = ({ kind, name, args }: Pick<Item, "kind" | "name" | "args">) =>
  `${kind.name}/${kind.isSingleton ? kind.singletonId : String(args.slug ?? slugFrom("", name))}`;

export const kindNameOfId = (id: string) => id.slice(0, id.indexOf("/"));

/** The TypeScript files that declare the items. A file refers to another one by an import, never in a circle. */
export function programOf(items: readonly Item[], layout: Layout): Program {
  const { groupBy, isTeam = false, known, taken } = layout;
  const declarations = inOrder(declarationsOf(items, known, isTeam));
  const files = layoutOf(declarations, groupBy, taken);
  const placed = [...files].flatMap(([file, own]) => own.map((each) => ({ ...each, file })));
  const places = new Map<string, Place>([...Object.entries(known), ...placed.map((each) => [each.key, each] as const)]);
  const declared = placed.flatMap(({ key, file, variable, item }) =>
    item === undefined ? [] : [[key, { file, variable, name: item.name }] as const],
  );
  return {
    files: new Map([...files].map(([file, own]) => [file, sourceOf(file, own, places, layout)])),
    declared: Object.fromEntries(declared),
  };
}

/** The statement of an item that is declared already, as it would be written today. */
export function declarationText(item: Item, id: string, known: Layout["known"]): string {
  const variables = new Map(Object.entries(known).map(([each, { variable }]) => [each, variable]));
  const { text } = resource(item, id, { variables, isTeam: false });
  return text.slice(text.indexOf("export const"));
}

/** The resources, and the constants that they share, each under a variable that no other has. */
function declarationsOf(items: readonly Item[], known: Layout["known"], isTeam: boolean): readonly Declaration[] {
  const variables = new Map(Object.entries(known).map(([id, { variable }]) => [id, variable]));
  const names = new Names(["config", ...variables.values()]);
  for (const item of items) {
    const variable = variableOf(item.name, item.kind.name);
    variables.set(idOf(item), names.free(variable, variable + item.kind.name));
  }
  const constants = constantsOf(items, names);
  for (const { key, variable } of constants) variables.set(key, variable);
  return [...constants, ...items.map((item) => resource(item, idOf(item), { variables, isTeam }))];
}

/** Sorts the declarations: a constant comes before those that use it. */
function inOrder(all: readonly Declaration[]): readonly Declaration[] {
  const byKey = new Map(all.map((each) => [each.key, each]));
  const done = new Set<Declaration>();
  const enter = (each: Declaration): void => {
    if (done.has(each)) return;
    for (const key of each.uses) if (byKey.has(key)) enter(byKey.get(key) as Declaration); // It has the key.
    done.add(each);
  };
  all.forEach(enter);
  return [...done];
}

/** The text of a file: a heading, what it imports, and what it declares. Each declaration has its place by its key. */
function sourceOf(
  file: string,
  own: readonly Declaration[],
  places: ReadonlyMap<string, Place>,
  { isTeam, source }: Layout,
): string {
  const readsSecrets = own.some((each) => each.readsSecrets);
  const used = new Set(own.flatMap(({ uses }) => [...uses]));
  const others = [...used].flatMap((key) => places.get(key) ?? []).filter((place) => place.file !== file);
  const imports = [...grouped(others, (place) => pathTo(place.file, file))].sort(([a], [b]) => (a < b ? -1 : 1));
  const head = [
    ...(readsSecrets && !isTeam ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
    'import * as obs from "pulumi-observability";',
    ...(readsSecrets && isTeam ? ['import { secretFrom } from "pulumi-observability/teams";'] : []),
    ...imports.map(([path, all]) => importOf(path, all.map(({ variable }) => variable).sort())),
    ...(readsSecrets && !isTeam ? ["", "const config = new pulumi.Config();"] : []),
  ].join("\n");
  return `${[...headingOf(own, source), head, ...own.map(({ text }) => text)].join("\n\n")}\n`;
}

/** The first line of a file, if its source is known: `// 3 Monitor, 1 SLO, imported from …` */
function headingOf(own: readonly Declaration[], source: string | undefined): readonly string[] {
  const files = [...new Set(own.flatMap(({ item }) => item?.source?.file ?? []))];
  const from = source ?? (files.length === 0 ? undefined : `converted from ${listed(firstOf(files))}`);
  if (from === undefined) return [];
  const counts = [...grouped(own, ({ type }) => type)].map(([type, all]) => `${all.length} ${type}`);
  return [commentLines(`${counts.join(", ")}, ${from}.`).join("\n")];
}

/** `datasets` from `checkout/payments` → `../datasets`. */
export function pathTo(file: string, from: string): string {
  const path = relative(dirname(from), file).split(sep).join("/");
  return path.startsWith(".") ? path : `./${path}`;
}

function importOf(path: string, variables: readonly string[]): string {
  const flat = `import { ${variables.join(", ")} } from "${path}";`;
  return flat.length <= width ? flat : `import {\n${variables.map((each) => `  ${each},\n`).join("")}} from "${path}";`;
}
