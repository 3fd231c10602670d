import { kinds } from "../../../provider/kinds/index.gen";
import { Folder, hold } from "../../program/folder";
import { countByKind, nextSteps, tellNext, tellWritten } from "../../program/tell";
import type { ConvertedFrom, Declared } from "../../program/item";
import { idOf, kindNameOfId } from "../../program/write";
import { writeProject } from "../../program/writeProject";
import { exitStatus, type Output } from "../../output/output";
import { count } from "../../output/words";
import { readPreview } from "../../pulumi/previews";
import { fieldChangeOf, type ComparedItem, compareItem, PreviewedProgram, recordOf, wantedOf } from "./comparison";
import { type Converted, lossesOf } from "./conversion";
import { convert } from "./convert";
import { divide, type Division, type Earlier, type KnownItem, secretsOf } from "./division";
import { inputsAt } from "./inputs";
import { tellItems, tellLosses } from "./tell";

export interface ConvertOptions {
  readonly out: string;
  readonly groupBy?: string | undefined;
  readonly accept?: boolean;
  readonly stack?: string | undefined;
  readonly from?: string | undefined;
}

/** Converts files of other tools to a program, or adds to a program what it does not declare yet. */
export async function convertFiles(
  paths: readonly string[],
  { out, groupBy, accept = false, stack, from }: ConvertOptions,
  output: Output,
): Promise<void> {
  const inputs = inputsAt(paths, out);
  const conversion = convert(inputs.files);
  const shown = stack === undefined && from === undefined ? undefined : await readPreview({ folder: out, stack, from });
  using _ = hold(out);
  const folder = new Folder(out);
  folder.expectLayout({ isTeams: false });
  const preview = shown && new PreviewedProgram(shown, { ...folder.found, ...folder.declared });
  const declares = (id: string) => (preview ?? folder).declares(id);
  const all = { ...conversion, rejected: [...inputs.rejected, ...conversion.rejected] };
  const { added: free, rejected, ...divided } = divide(all, folder, paths, declares);
  // The program may have followed a rename in the files: what they no longer have is looked for last.
  preview?.release(divided.gone.map(({ id }) => id));
  const found = foundIn(free, folder, preview);
  preview?.lookFor(divided.gone.map(({ id, declared }) => wantedOf([id, declared])));
  const added = free.filter((item) => !found.some((each) => each.item === item));
  const known = [...divided.existing, ...found].map((each) => compareItem(each, folder, preview));
  const changed = accept ? [] : known.filter(({ isChanged }) => isChanged);
  const existing = known.filter(({ isThere }) => isThere);
  const missing = known.filter(({ isThere }) => !isThere);
  // Without a preview, code that can't be recognized may still declare it.
  const isLeft = ({ id }: Earlier) => preview === undefined || declares(id);
  const gone = accept ? [] : divided.gone.filter(isLeft);
  const copies = accept ? [] : divided.copies.filter(({ isAccepted }) => !isAccepted);

  const secrets = secretsOf(added);
  const declared = added.length > 0 ? writeProject(folder, added, { groupBy }) : {};
  const settled = {
    known: known.filter((each) => !changed.includes(each)),
    gone: divided.gone.filter((each) => !gone.includes(each)),
    copies: accept ? divided.copies : [],
  };
  const noted = Object.fromEntries(found.map((each) => [each.id, each.declared]));
  folder.close(
    { ...declared, ...notesOn(added, settled, { ...noted, ...folder.declared, ...declared }, folder) },
    secrets,
  );

  const next = added.length === 0 ? [] : nextSteps(out, secrets, ["pulumi preview"]);
  const reported = changed.length + gone.length + copies.length;
  if (added.length > 0) tellWritten(output, folder, countByKind(added, kinds));
  else if (known.length === 0) {
    const isEmpty = inputs.files.length + inputs.rejected.length === 0;
    output.line(`nothing converted${isEmpty ? ": there is no .yml, .yaml, .json or .rules file" : ""}`);
  } else if (preview !== undefined && reported === 0) {
    const accepted = known.filter((each) => each.accepted !== undefined).length;
    const except = accepted === 0 ? "" : `, except for ${count(accepted, "item")} with accepted differences`;
    output.line(`nothing differs: compared ${count(known.length, "item")} with ${preview.stack}${except}`);
  } else if (existing.length === known.length)
    output.line(`nothing new: "${out}" declares all ${existing.length} items`);
  else output.line(`nothing new: earlier runs converted all ${known.length} items`);
  tellNext(output, folder, next);
  const lacking = preview === undefined ? missing : changed.filter((each) => !each.isThere);
  tellItems(
    output,
    { added, existing, changed, gone, copies, missing: lacking },
    { out, stack: preview?.stack, declares },
  );
  const ofFiles = conversion.losses.filter(({ kind }) => kind === undefined);
  // The losses of the others were reported when they were written.
  const told = [...ofFiles, ...lossesOf(added)];
  tellLosses(output, told);
  for (const { file, line, name, reason } of rejected) {
    const what = name === undefined ? "" : `${JSON.stringify(name)} is `;
    output.reject(`${file}:${line}: ${what}not converted: ${reason}`);
  }
  output.result({
    command: "convert",
    out,
    ...(preview && { stack: preview.stack }),
    files: folder.written,
    converted: [
      ...added.map((item) => ({ ...placeOf(item), state: "added" })),
      ...known.flatMap((each) => stateOf(each, changed.includes(each))),
    ],
    gone: gone.map(({ id, declared, origin }) => ({ kind: kindNameOfId(id), name: declared.name, file: origin.file })),
    copies: copies.map(({ item, of }) => ({ ...placeOf(item), name: item.source.name, of })),
    missing: missing.map(({ item }) => placeOf(item)),
    missingLines: folder.missingLines,
    rejected,
    losses: [...ofFiles, ...lossesOf([...added, ...[...divided.existing, ...divided.copies].map(({ item }) => item)])],
    secrets,
    next,
  });
  if (rejected.length > 0 || told.some(({ hasEffect }) => hasEffect)) process.exitCode = exitStatus.rejected;
  else if (reported > 0) process.exitCode = exitStatus.differs;
}

const placeOf = ({ kind, name, source: { file, line } }: Converted) => ({ kind: kind.name, name, file, line });

/** An item for JSON. Those that are only missing have a list of their own. */
function stateOf({ item, isThere, differences, lost, hidden }: ComparedItem, isChanged: boolean): readonly object[] {
  const state = isChanged
    ? { state: "changed", differences: differences.map(fieldChangeOf), lost }
    : { state: "exists" };
  return isThere || isChanged ? [{ ...placeOf(item), ...state, ...(hidden.length > 0 && { hidden }) }] : [];
}

/** The items that the program declares although no run has recorded them, by their slugs or names. */
function foundIn(
  all: readonly Converted[],
  folder: Folder,
  preview: PreviewedProgram | undefined,
): readonly KnownItem[] {
  preview?.lookFor(all.map((item) => ({ id: idOf(item), name: item.name, title: item.args.name ?? item.name })));
  const code = Object.entries(folder.found).map(([id, declared]) => ({ id, declared }));
  return all.flatMap((item): readonly KnownItem[] => {
    const own = [idOf(item), `${item.kind.name}/${item.name}`];
    const shown = { id: idOf(item), declared: { file: "", variable: "", name: item.name } };
    const earlier = code.find(({ id, declared }) =>
      [id, `${kindNameOfId(id)}/${declared.name}`].some((each) => own.includes(each)),
    );
    const found = earlier ?? (preview?.declares(shown.id) ? shown : undefined);
    // Nothing is known of its source, so that only the program tells whether it is the same.
    return found === undefined ? [] : [{ ...found, item, origin: { ...item.source, said: "" } }];
  });
}

interface Settled extends Pick<Division, "gone" | "copies"> {
  readonly known: readonly ComparedItem[];
}

/** Returns what the next run needs to recognize and compare each item. Reported differences are not recorded. */
function notesOn(
  added: readonly Converted[],
  { known, gone, copies }: Settled,
  declared: Folder["declared"],
  folder: Folder,
): Folder["declared"] {
  const notes: Record<string, Declared> = {};
  const note = (id: string, change: (old: ConvertedFrom | undefined) => ConvertedFrom | undefined) => {
    const old = notes[id] ?? declared[id];
    const converted = change(old?.converted);
    if (old !== undefined && converted !== undefined) notes[id] = { ...old, converted };
  };
  for (const item of added) note(idOf(item), () => recordOf(item, folder));
  for (const { id, item, accepted } of known)
    note(id, (old) => ({ ...old, ...recordOf(item, folder), isGone: undefined, accepted }));
  for (const { id } of gone) note(id, (old) => old && { ...old, isGone: true });
  for (const { id = "", file } of copies)
    note(id, (old) => old && { ...old, copies: [...new Set([...(old.copies ?? []), file])] });
  return notes;
}
