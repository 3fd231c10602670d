import { kinds } from "../../../provider/kinds/index.gen";
import { Folder } from "../../program/folder";
import { countByKind, nextSteps, tellWritten } from "../../program/tell";
import type { Declared, Item } from "../../program/item";
import { idOf } from "../../program/write";
import { writeProject } from "../../program/writeProject";
import { exitStatus, type Output } from "../../report/output";
import { type Compared, compare, converted, secretsIn, update } from "./compare";
import type { Converted } from "./conversion";
import { convert } from "./convert";
import { inputsAt } from "./inputs";
import { type Settled, settle } from "./settle";
import { tellChanged, tellLosses, tellMissing, tellRemoved } from "./tell";

export interface ConvertOptions {
  readonly out: string;
  readonly groupBy?: string | undefined;
  /** Write anew what the files say otherwise than before and nobody has edited since. */
  readonly update?: boolean | undefined;
}

/** Writes a program that declares what files of other tools say. */
export function convertFiles(
  paths: readonly string[],
  { out, groupBy, update: isUpdate = false }: ConvertOptions,
  output: Output,
): void {
  const inputs = inputsAt(paths, out);
  const conversion = convert(inputs.files);
  const folder = new Folder(out);
  folder.expectLayout({ isTeams: false });
  const files = inputs.files.map(({ path }) => path);
  const settled = settle(conversion, files, folder);
  const compared = settled.known.map((each) => compare(each, folder));
  const changed = compared.filter(({ state }) => state === "changed");
  const updated = isUpdate ? changed.filter(({ isEdited }) => !isEdited) : [];
  const missing = compared.filter(({ state }) => state === "missing");
  const added = settled.added.map(({ item }) => item);
  const written = [...added, ...updated.map(({ known: { item } }) => item)];

  const secrets = newSecrets(written, folder);
  const program = added.length === 0 ? undefined : writeProject(folder, added, { groupBy, secrets });
  for (const each of updated) update(each, folder);
  keep(settled, compared, updated, folder, program === undefined ? secrets : []);
  const rewritten = updated.map(({ known: { declared } }) => `${declared.file}.ts`);
  const all = [...new Set([...(program?.files ?? []), ...rewritten])];

  const next = written.length === 0 ? [] : nextSteps({ out, secrets }, "pulumi preview");
  const there = compared.length - missing.length;
  if (program !== undefined) {
    tellWritten(output, {
      out,
      counts: countByKind(added, kinds),
      files: all,
      missingLines: program.missingLines,
      next,
    });
  } else if (there === 0) {
    const isEmpty = inputs.files.length + inputs.refused.length === 0;
    output.line(`nothing converted${isEmpty ? ": there is no .yml, .yaml, .json or .rules file" : ""}`);
  } else output.line(`nothing new: "${out}" declares all ${there} items`);
  tellChanged(output, changed, updated);
  const refused = [...inputs.refused, ...settled.refused];
  tellRemoved(output, settled.removed, refused);
  tellMissing(output, missing);
  if (program === undefined && updated.length > 0) output.line(["\nNext:", ...next].join("\n  "));

  const losses = conversion.losses.map((loss) => {
    return { ...loss, item: settled.names.get(`${loss.kind}/${loss.item}`) ?? loss.item };
  });
  // What is written already was told then, and is said above it.
  const isWritten = new Set(written.map(idIn));
  tellLosses(
    output,
    losses.filter(({ kind, item }) => kind === undefined || isWritten.has(`${kind}/${item}`)),
  );
  for (const { file, line, name, reason } of refused) {
    const what = name === undefined ? "" : `${JSON.stringify(name)} is `;
    output.refuse(`${file}:${line}: ${what}not converted: ${reason}`);
  }
  output.result({
    command: "convert",
    out,
    files: all,
    converted: [
      ...added.map((item) => ({ ...placeOf(item), state: "added" })),
      ...compared
        .filter(({ state }) => state !== "missing")
        .map((each) => ({ ...placeOf(each.known.item), state: updated.includes(each) ? "updated" : each.state })),
    ],
    changed: changed.map(({ known: { item, declared }, isEdited, difference }) => {
      return { kind: item.kind.name, name: item.name, program: `${declared.file}.ts`, isEdited, difference };
    }),
    removed: settled.removed.map(({ id, declared, file }) => ({ id, file, program: `${declared.file}.ts` })),
    missing: missing.map(({ known: { item } }) => placeOf(item)),
    refused,
    losses,
    secrets,
    next,
  });
  if (refused.length > 0) process.exitCode = exitStatus.refused;
}

const idIn = ({ kind, name }: Item) => `${kind.name}/${name}`;

const placeOf = ({ kind, name, source: { file, line } }: Converted) => ({ kind: kind.name, name, file, line });

/** The names in stack config that the folder does not have. */
const newSecrets = (items: readonly Item[], { secrets }: Folder): readonly string[] =>
  [...new Set(items.flatMap((item) => Object.values(secretsIn(item))))].filter((key) => !secrets.includes(key));

/** Notes what each item was converted from, so that the next run knows it again. */
function keep(
  { added }: Settled,
  compared: readonly Compared[],
  updated: readonly Compared[],
  folder: Folder,
  secrets: readonly string[],
): void {
  const notes: Record<string, Declared> = {};
  for (const { item, origin } of added) {
    const declared = folder.declared[idOf(item)];
    if (declared !== undefined) notes[idOf(item)] = converted(item, declared, origin, folder);
  }
  for (const each of compared) {
    const { id, item, declared, converted: before, origin } = each.known;
    if (updated.includes(each)) notes[id] = converted(item, declared, origin, folder);
    // It may have moved to another file, and what somebody changed by hand may be what the source says now.
    else if (each.state === "unchanged") notes[id] = { ...declared, converted: { ...before, origin } };
  }
  if (Object.keys(notes).length > 0) folder.close(notes, secrets);
}
