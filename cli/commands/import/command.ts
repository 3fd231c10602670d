import { existsSync } from "node:fs";
import { join } from "node:path";
import { providerText } from "../../../provider/dynamic/providerText";
import { kinds as allKinds } from "../../../provider/kinds/index.gen";
import { outputsOf } from "../../../provider/lifecycle/objects/record";
import { Target } from "../../../provider/lifecycle/objects/target";
import type { Session } from "../../../provider/lifecycle/session";
import { typePrefixes } from "../../../provider/protocol";
import type { Kind } from "../../../provider/schema/kind";
import { environmentVariable } from "../../../provider/schema/names";
import { entries, parseJson } from "../../../provider/wire/json";
import { factsOf } from "../../../sdk/teams/definition/team";
import { Folder, hold } from "../../program/folder";
import { fileNameFrom, firstFree, Names, variableFor } from "../../program/names";
import { queryProblems } from "../../program/queries";
import { namesFor, type Title } from "../../program/naming";
import { json } from "../../program/project";
import { countByKind, nextSteps, stepsInto, tellNext, tellWritten } from "../../program/tell";
import { writeProject, writeTeams } from "../../program/writeProject";
import { readText } from "../../output/files";
import { CommandError, exitStatus, type Output } from "../../output/output";
import { firstOf } from "../../output/words";
import { startRunOf } from "../../pulumi/service";
import { type DeclaredObject, declarationOf } from "./declaration";
import { type ObjectFilter, type Live, readKinds, unmatched } from "../../program/read";
import { grouped } from "../../../provider/base/grouped";

export interface ImportOptions extends ObjectFilter {
  readonly kind?: readonly Kind[];
  readonly out: string;
  readonly groupBy?: string | undefined;
  readonly stack?: string | undefined;
  /** Write a repository of teams. */
  readonly teams?: boolean | undefined;
  /** The label whose value is an object's team. */
  readonly teamLabel: string;
  /** Adopt the objects with the setting `adopt`, for engines that do not support the import file. */
  readonly adopt?: boolean | undefined;
}

/** An object as the service shows it, and as a program declares it. */
type ImportedObject = Live & DeclaredObject;

/** Writes a program that declares the existing objects, and the file that brings them into state. */
export async function importLive(options: ImportOptions, output: Output): Promise<void> {
  using _ = hold(options.out);
  const folder = new Folder(options.out);
  folder.expectLayout({ isTeams: options.teams === true });
  const { kind: kinds = allKinds } = options;
  const run = await startRunOf(options.stack === undefined ? undefined : { folder: ".", stack: options.stack }, output);
  const read = await readKinds(run, kinds, options, output);
  const gaps = read.flatMap(({ gap }) => gap ?? []);
  const lacking = unmatched(read, options);
  for (const text of [...gaps, ...lacking]) output.warn(text);
  if (gaps.length + lacking.length > 0) process.exitCode = exitStatus.rejected;

  const idOfLive = ({ kind, args }: Live) => `${kind.name}/${kind.slugOf(args)}`;
  const isNew = (live: Live) => ![folder.declared, folder.found].some((all) => Object.hasOwn(all, idOfLive(live)));
  const keys = new Names([...folder.secrets]);
  const { defaultLabels, defaultAnnotations } = run.settings;
  const defaults = { defaultLabels, defaultAnnotations };
  const surroundings = { isMask: run.isMask, keys, defaults, groupBy: options.groupBy };
  const found = read.flatMap(({ objects }) => objects);
  for (const { kind, args, told } of found.filter(isNew)) {
    for (const text of [...told, ...queryProblems(kind, args)])
      output.warn(`${kind.titleOf(kind.slugOf(args))}: ${text}`);
  }
  const known = found.flatMap((live) => {
    const declared = folder.found[idOfLive(live)];
    return declared === undefined ? [] : [{ live, declared }];
  });
  if (known.length > 0) {
    const named = known.map(
      ({ live: { kind, args }, declared }) => `${kind.titleOf(kind.slugOf(args))} in ${declared.file}.ts`,
    );
    output.warn(
      `not written again, because code that no earlier run recorded already declares them: ${firstOf(named).join("; ")}`,
    );
  }
  const noted = Object.fromEntries(known.map(({ live, declared }) => [idOfLive(live), declared]));
  const added = kinds.flatMap((kind) => {
    const lives = found.filter((live) => live.kind === kind && isNew(live));
    const names = namesFor(lives.map(titleFor), namesIn(folder, kind));
    return lives.map((live, i) => ({ ...live, ...declarationOf(kind, live.args, names[i] ?? "", surroundings) }));
  });
  const items = added.map(({ item }) => item);
  const secrets = added.flatMap((each) => each.secrets);
  const counts = countByKind(items, kinds);
  const incomplete = added.flatMap((each) =>
    each.added.length === 0 ? [] : [`${each.added.join(", ")} of ${each.kind.titleOf(each.slug)}`],
  );
  const toldOf = firstOf(incomplete, (left) => `and of ${left} more`).join("; ");
  if (toldOf !== "") output.warn(`the first preview adds defaults of the provider: ${toldOf}`);
  const { out, teams } = options;
  const result = (next: readonly string[]) => {
    tellNext(output, folder, next);
    const [files, missingLines] = [folder.written, folder.missingLines];
    output.result({ command: "import", out, files, counts, missingLines, secrets, gaps, unmatched: lacking, next });
  };
  if (items.length === 0) {
    folder.close(noted, []);
    output.line(found.length === 0 ? "nothing found" : `nothing new: "${out}" declares all ${found.length} objects`);
    return result([]);
  }
  const source = `imported from ${run.client.baseUrl}`;
  const writing: Writing = { ...options, source, noted, secrets: secrets.map(({ key }) => key) };
  const next = (teams ? asTeams : asProgram)(run, folder, added, writing);
  tellWritten(output, folder, counts);
  result(next);
}

interface Writing extends ImportOptions {
  readonly source: string;
  readonly secrets: readonly string[];
  /** Resources of earlier code. */
  readonly noted: Folder["declared"];
}

/** Writes one program, and the file that brings its objects into state. Returns the next commands. */
function asProgram(
  run: Session,
  folder: Folder,
  added: readonly ImportedObject[],
  options: Writing,
): readonly string[] {
  const { adopt, out, groupBy, source, noted, secrets } = options;
  // An earlier import file may still be needed.
  const nameOf = (count: number) => (count === 1 ? "import.json" : `import-${count}.json`);
  const file = adopt ? undefined : firstFree((name) => !folder.has(name), nameOf);
  if (file !== undefined) folder.write(file, json({ resources: importFile(run, added) }));
  const items = added.map(({ item }) => item);
  folder.close({ ...noted, ...writeProject(folder, items, { groupBy, source }) }, secrets);
  const step =
    file === undefined
      ? "OBSERVABILITY_ADOPT=identical pulumi up"
      : `pulumi import --file ${file} --generate-code=false --protect=false --yes`;
  return nextSteps(out, secrets, [step, "pulumi preview"], run.client.baseUrl);
}

/** The same for a team for each value of the label. */
function asTeams(run: Session, folder: Folder, added: readonly ImportedObject[], options: Writing): readonly string[] {
  const { out, teamLabel, source, noted, secrets } = options;
  const byTeam = grouped(
    added,
    ({ args }) => fileNameFrom(entries(args.labels)[teamLabel]).replace(/^[_-]+/, "") || unowned,
  );
  const files = [...byTeam].map(([team, all]) => {
    const path = `imports/${team}.json`;
    // Keep the objects of earlier runs: Pulumi imports only those that are not in state.
    const known = importFileIn(folder, path);
    return [path, json({ ...known, resources: [...known.resources, ...importFile(run, all)] })] as const;
  });
  for (const [path, text] of files) folder.replace(path, text);
  const teams = new Map([...byTeam].map(([team, all]) => [team, all.map(({ item }) => item)]));
  folder.close({ ...noted, ...writeTeams(folder, teams, { source }) }, secrets);
  const tokens = [...byTeam.keys()].map((team) => factsOf(team, { declare: () => undefined }).tokenVariable);
  return [
    ...stepsInto(out),
    "npm install",
    `export ${environmentVariable("baseUrl")}=${run.client.baseUrl}`,
    // With read -s a value is not shown and not in the shell's history.
    ...[...tokens, ...secrets.map(variableFor)].sort().map((name) => `read -rs ${name} && export ${name}`),
    "npx pulumi-observability teams import",
    "npx pulumi-observability teams preview",
  ];
}

/**
 * The file for `pulumi import --file`. It brings the objects into state as if an update had written them. It contains no
 * secrets, only digests of those that the service shows.
 */
const importFile = (run: Session, all: readonly ImportedObject[]): readonly object[] =>
  all.map(({ item: { kind, name }, slug, recorded, object, args }) => {
    const __provider = providerText(kind.name);
    const type = typePrefixes.dynamic + kind.name;
    return {
      type,
      name,
      id: slug,
      inputs: { ...recorded, __provider },
      outputs: {
        ...outputsOf(new Target(run, kind, recorded), object, { owner: `${type}::${name}`, answered: args }),
        __provider,
      },
    };
  });

/** The team of objects without the label. */
const unowned = "shared";

/** The import file of earlier runs; an empty one if there is none. */
function importFileIn(folder: Folder, path: string): { readonly resources: readonly unknown[] } {
  const file = join(folder.path, path);
  const { resources, ...more } = existsSync(file) ? entries(parseJson(readText(file))) : { resources: [] };
  if (Array.isArray(resources)) return { ...more, resources };
  throw new CommandError(`"${file}" is not an import file. Restore it from version control, or move it.`);
}

const titleFor = ({ kind, args }: Live): Title => {
  const slug = kind.slugOf(args);
  const isNamed = typeof args.name === "string" && /[A-Za-z0-9]/.test(args.name);
  return {
    text: kind.isSingleton ? kind.title : isNamed ? String(args.name) : /[A-Za-z0-9]/.test(slug) ? slug : kind.title,
    labels: entries(args.labels),
    slug,
  };
};

/** The Pulumi names that the program has. */
const namesIn = ({ declared, found }: Folder, kind: Kind): readonly string[] =>
  [...Object.entries(declared), ...Object.entries(found)].flatMap(([id, { name }]) =>
    id.startsWith(`${kind.name}/`) ? [name] : [],
  );
