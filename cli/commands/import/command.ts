import { slugOf, titleOf } from "../../../provider/lifecycle/run";
import type { Kind } from "../../../provider/schema/kind";
import { Folder } from "../../program/folder";
import { facetsOf } from "../../program/facets";
import { Names } from "../../program/names";
import { namesFor, type Title } from "../../program/naming";
import { json } from "../../program/project";
import { countByKind, nextSteps, tellWritten } from "../../program/tell";
import { writeProject } from "../../program/writeProject";
import { exitStatus, type Output } from "../../report/output";
import { connect } from "./connect";
import { declarationOf } from "./declaration";
import { type Existing, importFile } from "./importFile";
import { type Filter, type Live, readKind, unmatched } from "./read";

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
  const lacking = unmatched(read, options);
  for (const text of [...gaps, ...lacking]) output.warn(text);
  if (gaps.length + lacking.length > 0) process.exitCode = exitStatus.refused;

  const isNew = ({ kind, args }: Live) => !Object.hasOwn(folder.declared, `${kind.name}/${slugOf(kind, args)}`);
  const keys = new Names([...folder.secrets]);
  const { defaultLabels, defaultAnnotations } = run.settings;
  const defaults = { defaultLabels, defaultAnnotations };
  const surroundings = { isMask: run.isMask, keys, defaults, groupBy: options.groupBy };
  const found = read.flatMap(({ objects }) => objects);
  const added = options.kinds.flatMap((kind) => {
    const lives = found.filter((live) => live.kind === kind && isNew(live));
    const names = namesFor(lives.map(titleFor), namesIn(folder, kind));
    return lives.map((live, i): Existing => {
      return { live, declaration: declarationOf(kind, live.args, names[i] ?? "", surroundings) };
    });
  });
  const items = added.map(({ declaration }) => declaration.item);
  const secrets = added.flatMap(({ declaration }) => declaration.secrets);
  const counts = countByKind(items, options.kinds);
  const incomplete = added.filter(({ declaration }) => declaration.added.length > 0);
  if (incomplete.length > 0) output.warn(`the first preview adds defaults of the provider: ${toldOf(incomplete)}`);
  if (items.length === 0) {
    output.line(
      found.length === 0 ? "nothing found" : `nothing new: "${options.out}" declares all ${found.length} objects`,
    );
    output.result({
      command: "import",
      out: options.out,
      files: [],
      counts,
      secrets: [],
      gaps,
      unmatched: lacking,
      next: [],
    });
    return;
  }
  const file = options.adopt ? undefined : freeName(folder);
  if (file !== undefined) folder.write(file, json(importFile(run, added)));
  const { files, missingLines } = writeProject(folder, items, {
    groupBy: options.groupBy,
    source: `imported from ${run.client.baseUrl}`,
    secrets: secrets.map(({ key }) => key),
  });
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
  output.result({ command: "import", out: options.out, files: all, counts, secrets, gaps, unmatched: lacking, next });
}

const titleFor = ({ kind, args }: Live): Title => {
  const slug = slugOf(kind, args);
  const isNamed = typeof args.name === "string" && /[A-Za-z0-9]/.test(args.name);
  return {
    text: kind.isSingleton ? kind.title : isNamed ? String(args.name) : /[A-Za-z0-9]/.test(slug) ? slug : kind.title,
    facets: facetsOf(kind, args),
    slug,
  };
};

/** The Pulumi names that earlier runs have given. */
const namesIn = ({ declared }: Folder, kind: Kind): readonly string[] =>
  Object.entries(declared).flatMap(([id, { name }]) =>
    id.startsWith(`${kind.name}/`) ? [name ?? id.slice(kind.name.length + 1)] : [],
  );

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
