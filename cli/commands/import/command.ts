import { slugOf, titleOf } from "../../../provider/lifecycle/run";
import type { Kind } from "../../../provider/schema/kind";
import { Folder } from "../../program/folder";
import { Names } from "../../program/names";
import { json } from "../../program/project";
import { countByKind, nextSteps, tellWritten } from "../../program/tell";
import { writeProject } from "../../program/writeProject";
import type { Output } from "../../report/output";
import { connect } from "./connect";
import { declarationOf } from "./declaration";
import { type Existing, importFile } from "./importFile";
import { type Filter, type Live, readKind } from "./read";

export interface ImportOptions extends Filter {
  readonly kinds: readonly Kind[];
  readonly out: string;
  readonly groupBy?: string | undefined;
  readonly stack?: string | undefined;
  /** Take the objects over by the setting `adopt`, for engines that know no import file. */
  readonly adopt?: boolean | undefined;
}

/** Writes a program that declares the existing objects, and the file that brings them into state. */
export async function importLive(options: ImportOptions, output: Output): Promise<void> {
  const run = await connect(output, options.stack);
  const folder = new Folder(options.out);
  let count = 0;
  const onPage = (more: number) => output.progress(`reading: ${(count += more)} objects`);
  const read = await Promise.all(options.kinds.map((kind) => readKind(run, kind, options, onPage)));
  const gaps = read.flatMap(({ gap }) => gap ?? []);
  for (const gap of gaps) output.warn(gap);

  const isNew = ({ kind, args }: Live) => !Object.hasOwn(folder.declared, `${kind.name}/${slugOf(kind, args)}`);
  const keys = new Names([...folder.secrets]);
  const { slugPrefix, defaultLabels, defaultAnnotations } = run.settings;
  const defaults = { defaultLabels, defaultAnnotations };
  const surroundings = { isMask: run.isMask, keys, hasPrefix: slugPrefix !== "", defaults, groupBy: options.groupBy };
  const found = read.flatMap(({ objects }) => objects);
  for (const { kind, args, told } of found.filter(isNew)) {
    for (const text of told) output.warn(`${titleOf(kind, slugOf(kind, args))}: ${text}`);
  }
  const added = found
    .filter(isNew)
    .map((live): Existing => ({ live, declaration: declarationOf(live.kind, live.args, surroundings) }));
  const items = added.map(({ declaration }) => declaration.item);
  const secrets = added.flatMap(({ declaration }) => declaration.secrets);
  const counts = countByKind(items, options.kinds);
  const incomplete = added.filter(({ declaration }) => declaration.added.length > 0);
  if (incomplete.length > 0) output.warn(`the first preview adds defaults of the provider: ${toldOf(incomplete)}`);
  if (items.length === 0) {
    output.line(
      found.length === 0 ? "nothing found" : `nothing new: "${options.out}" declares all ${found.length} objects`,
    );
    output.result({ command: "import", out: options.out, files: [], counts, secrets: [], gaps, next: [] });
    return;
  }
  const file = options.adopt ? undefined : freeName(folder);
  if (file !== undefined) folder.write(file, json(importFile(run, added)));
  const { files, missingLines } = writeProject(folder, items, { ...options, secrets: secrets.map(({ key }) => key) });
  const next = nextSteps(
    options.out,
    secrets.map(({ key }) => key),
    file === undefined
      ? "OBSERVABILITY_ADOPT=identical pulumi up"
      : `pulumi import --file ${file} --generate-code=false --protect=false --yes`,
    "pulumi preview",
  );
  const all = file === undefined ? files : [file, ...files];
  tellWritten(output, { out: options.out, counts, files: all, missingLines, next });
  output.result({ command: "import", out: options.out, files: all, counts, secrets, gaps, next });
}

/** At most ten of them, with what each lacks. */
function toldOf(incomplete: readonly Existing[]): string {
  const told = incomplete.slice(0, mostTold).map(({ live: { kind }, declaration: { slug, added } }) => {
    return `${added.join(", ")} of ${titleOf(kind, slug)}`;
  });
  const more = incomplete.length - told.length;
  return more === 0 ? told.join("; ") : `${told.join("; ")}; and those of ${more} more`;
}

const mostTold = 10;

/** An earlier import file may still be needed. */
function freeName(folder: Folder): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? "import.json" : `import-${count}.json`;
    if (!folder.has(name)) return name;
  }
}
