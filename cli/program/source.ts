import { dirname, relative, sep } from "node:path";
import { grouped } from "../../provider/values/grouped";
import { commentLines, type Declaration, width } from "./declaration";
import type { Declared } from "./item";
import { firstOf, listed } from "../output/words";

export interface ProgramLayout {
  /** Where each declaration is, by its key. */
  readonly places: ReadonlyMap<string, Pick<Declared, "file" | "variable">>;
  readonly isTeam: boolean;
  /** Where the items come from, for the headings: `imported from https://config.example.com`. */
  readonly source: string | undefined;
}

/** The text of a file: a heading, what it imports, and what it declares. */
export function sourceOf(file: string, own: readonly Declaration[], { places, isTeam, source }: ProgramLayout): string {
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
