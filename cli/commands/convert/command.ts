import { kinds } from "../../../provider/kinds/index.gen";
import { Folder, hold } from "../../program/folder";
import { countByKind, nextSteps, tellNext, tellWritten } from "../../program/tell";
import type { ConvertedFrom, Declared } from "../../program/item";
import { declarationText, idOf, kindNameOfId } from "../../program/write";
import { writeProject } from "../../program/writeProject";
import { exitStatus, type Output } from "../../output/output";
import { type Converted, lossesOf } from "./conversion";
import { convert } from "./convert";
import { divide, type Division, type Earlier, type KnownItem, originFrom, secretsOf } from "./division";
import { inputsAt } from "./inputs";
import { changesOf, tellItems, tellLosses, withoutConfigSecrets } from "./tell";

export interface ConvertOptions {
  readonly out: string;
  readonly groupBy?: string | undefined;
  readonly accept?: boolean;
}

/** Converts files of other tools to a program, or adds to a program what it does not declare yet. */
export function convertFiles(
  paths: readonly string[],
  { out, groupBy, accept = false }: ConvertOptions,
  output: Output,
): void {
  const inputs = inputsAt(paths, out);
  const conversion = convert(inputs.files);
  using _ = hold(out);
  const folder = new Folder(out);
  folder.expectLayout({ isTeams: false });
  const { added: free, ...divided } = divide(conversion, folder, paths);
  const isThere = ({ id }: Earlier) => folder.declares(id);
  const { added, found } = withoutFound(free, folder);
  const existing = [...divided.existing.filter(isThere), ...found];
  const missing = divided.existing.filter((each) => !isThere(each));
  const gone = accept ? [] : divided.gone.filter(isThere);
  const copies = accept ? [] : divided.copies.filter(({ isAccepted }) => !isAccepted);
  const changed = accept ? [] : existing.filter((each) => isChanged(each, folder));
  const rejected = [...inputs.rejected, ...divided.rejected];

  const secrets = secretsOf(added);
  const declared = added.length > 0 ? writeProject(folder, added, { groupBy }) : {};
  const asRead = existing.filter((each) => !changed.includes(each));
  const origins = [...added.map((item) => ({ id: idOf(item), item })), ...asRead];
  const known = { ...folder.found, ...folder.declared, ...declared };
  folder.close(
    { ...declared, ...notesOn(origins, accept ? divided : { gone: [], copies: [] }, known, folder) },
    secrets,
  );

  const next = added.length === 0 ? [] : nextSteps(out, secrets, ["pulumi preview"]);
  if (added.length > 0) tellWritten(output, folder, countByKind(added, kinds));
  else if (existing.length === 0) {
    const isEmpty = inputs.files.length + inputs.rejected.length === 0;
    output.line(`nothing converted${isEmpty ? ": there is no .yml, .yaml, .json or .rules file" : ""}`);
  } else output.line(`nothing new: "${out}" declares all ${existing.length} items`);
  tellNext(output, folder, next);
  tellItems(output, { existing, changed, gone, copies, missing });
  const ofFiles = conversion.losses.filter(({ kind }) => kind === undefined);
  // The losses of the others were reported when they were written.
  const told = [...ofFiles, ...lossesOf(added)];
  tellLosses(output, told);
  const others = [...divided.existing, ...divided.copies].map(({ item }) => item);
  for (const { file, line, name, reason } of rejected) {
    const what = name === undefined ? "" : `${JSON.stringify(name)} is `;
    output.reject(`${file}:${line}: ${what}not converted: ${reason}`);
  }
  output.result({
    command: "convert",
    out,
    files: folder.written,
    converted: [
      ...added.map((item) => ({ ...placeOf(item), state: "added" })),
      ...existing.map((each) => ({
        ...placeOf(each.item),
        ...(changed.includes(each) ? { state: "changed", differences: changesOf(each) } : { state: "exists" }),
      })),
    ],
    gone: gone.map(({ id, declared, origin }) => ({ kind: kindNameOfId(id), name: declared.name, file: origin.file })),
    copies: copies.map(({ item, of }) => ({ ...placeOf(item), name: item.source.name, of })),
    missing: missing.map(({ item }) => placeOf(item)),
    missingLines: folder.missingLines,
    rejected,
    losses: [...ofFiles, ...lossesOf([...added, ...others])],
    secrets,
    next,
  });
  if (rejected.length > 0 || told.some(({ hasEffect }) => hasEffect)) process.exitCode = exitStatus.rejected;
  else if (changed.length + gone.length + copies.length > 0) process.exitCode = exitStatus.differs;
}

const placeOf = ({ kind, name, source: { file, line } }: Converted) => ({ kind: kind.name, name, file, line });

/** Separates the items that the program declares although no run has recorded them, by their slugs or names. */
function withoutFound(all: readonly Converted[], folder: Folder) {
  const code = Object.entries(folder.found).map(([id, declared]) => ({ id, declared }));
  const found = all.flatMap((item): readonly KnownItem[] => {
    const own = [idOf(item), `${item.kind.name}/${item.name}`];
    const earlier = code.find(({ id, declared }) =>
      [id, `${kindNameOfId(id)}/${declared.name}`].some((each) => own.includes(each)),
    );
    // Nothing is known of its source, so that only the code tells whether it is the same.
    return earlier === undefined ? [] : [{ ...earlier, item, origin: { ...item.source, said: "" } }];
  });
  return { added: all.filter((item) => !found.some((each) => each.item === item)), found };
}

/** Whether the source has changed since its item was written, and the code has not followed. */
function isChanged({ item, id, origin }: KnownItem, folder: Folder): boolean {
  return (
    item.source.said !== origin.said &&
    !folder.declaresSo(id, declarationText(item, id, { ...folder.found, ...folder.declared }))
  );
}

/**
 * Returns what the next run needs to recognize each item, even if it was moved or changed since.
 * @param origins The items whose origin is now as it was read; the others are differences that are meant.
 */
function notesOn(
  origins: readonly Pick<KnownItem, "id" | "item">[],
  { gone, copies }: Pick<Division, "gone" | "copies">,
  known: Folder["declared"],
  folder: Folder,
): Folder["declared"] {
  const notes: Record<string, Declared> = {};
  const note = (id: string, change: (known: ConvertedFrom | undefined) => ConvertedFrom | undefined) => {
    const declared = notes[id] ?? known[id];
    const converted = change(declared?.converted);
    if (declared !== undefined && converted !== undefined) notes[id] = { ...declared, converted };
  };
  for (const { id, item } of origins) {
    const read = { origin: originFrom(item, folder), args: withoutConfigSecrets(item.args) };
    note(id, (known) => (known?.copies === undefined ? read : { ...read, copies: known.copies }));
  }
  for (const { id } of gone) note(id, (known) => known && { ...known, isGone: true });
  for (const { id = "", file } of copies)
    note(id, (known) => known && { ...known, copies: [...new Set([...(known.copies ?? []), file])] });
  return notes;
}
