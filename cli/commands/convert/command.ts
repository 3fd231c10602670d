import { kinds } from "../../../provider/kinds/index.gen";
import { leaves } from "../../../provider/values/leaves";
import { Folder } from "../../program/folder";
import { countByKind, nextSteps, tellWritten } from "../../program/tell";
import { ConfigSecret, type ConvertedFrom, type Declared, type Item } from "../../program/item";
import { declarationText, idOf, kindNameOfId } from "../../program/write";
import { writeProject } from "../../program/writeProject";
import { exitStatus, type Output } from "../../output/output";
import type { Converted } from "./conversion";
import { convert } from "./convert";
import { type Copy, divide, type Earlier, type KnownItem, originFrom } from "./division";
import { inputsAt } from "./inputs";
import { changesOf, tellChanged, tellExisting, tellLosses, tellMissing, withoutConfigSecrets } from "./tell";

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
  const folder = new Folder(out);
  folder.expectLayout({ isTeams: false });
  const { added, names, ...divided } = divide(conversion, folder, paths);
  const isThere = ({ declared }: Earlier) => folder.declares(declared);
  const existing = divided.existing.filter(isThere);
  const missing = divided.existing.filter((each) => !isThere(each));
  const gone = accept ? [] : divided.gone.filter(isThere);
  const copies = accept ? [] : divided.copies.filter(({ isAccepted }) => !isAccepted);
  const changed = accept ? [] : existing.filter((each) => isChanged(each, folder));
  const rejected = [...inputs.rejected, ...divided.rejected];

  const secrets = secretsOf(added);
  const program = added.length === 0 ? undefined : writeProject(folder, added, { groupBy, secrets });
  const asRead = existing.filter((each) => !changed.includes(each));
  keepOrigins(added, asRead, folder);
  if (accept) keepAccepted(divided.gone, divided.copies, folder);

  const files = program?.files ?? [];
  const next = program === undefined ? [] : nextSteps(out, secrets, ["pulumi preview"]);
  if (program !== undefined) tellWritten(output, { out, counts: countByKind(added, kinds), ...program, next });
  else if (existing.length === 0) {
    const isEmpty = inputs.files.length + inputs.rejected.length === 0;
    output.line(`nothing converted${isEmpty ? ": there is no .yml, .yaml, .json or .rules file" : ""}`);
  } else output.line(`nothing new: "${out}" declares all ${existing.length} items`);
  tellExisting(output, existing);
  tellChanged(output, { changed, gone, copies });
  tellMissing(output, missing);

  const losses = conversion.losses.map((loss) => {
    return { ...loss, item: names.get(`${loss.kind}/${loss.item}`) ?? loss.item };
  });
  // The losses of the others were reported when they were written.
  const isAdded = new Set(added.map(({ kind, name }) => `${kind.name}/${name}`));
  tellLosses(
    output,
    losses.filter(({ kind, item }) => kind === undefined || isAdded.has(`${kind}/${item}`)),
  );
  for (const { file, line, name, reason } of rejected) {
    const what = name === undefined ? "" : `${JSON.stringify(name)} is `;
    output.reject(`${file}:${line}: ${what}not converted: ${reason}`);
  }
  output.result({
    command: "convert",
    out,
    files,
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
    rejected,
    losses,
    secrets,
    next,
  });
  if (rejected.length > 0) process.exitCode = exitStatus.rejected;
  else if (changed.length + gone.length + copies.length > 0) process.exitCode = exitStatus.differs;
}

const placeOf = ({ kind, name, source: { file, line } }: Converted) => ({ kind: kind.name, name, file, line });

/** The names in stack config of the items' secrets. */
const secretsOf = (items: readonly Item[]): readonly string[] => [
  ...new Set(
    items.flatMap(({ kind, args }) =>
      leaves(kind.root, args).flatMap(({ value }) => (value instanceof ConfigSecret ? [value.key] : [])),
    ),
  ),
];

/** Whether the source has changed since its item was written, and the code has not followed. */
function isChanged({ item, id, origin }: KnownItem, folder: Folder): boolean {
  return item.source.said !== origin.said && !folder.declaresSo(id, declarationText(item, id, folder.declared));
}

/** Records the origin of each item, so that the next run recognizes it, even if it was moved or changed since. */
function keepOrigins(added: readonly Converted[], existing: readonly KnownItem[], folder: Folder): void {
  const all = [...added.map((item) => ({ id: idOf(item), item })), ...existing];
  const notes = all.flatMap(({ id, item }) => {
    const declared = folder.declared[id];
    const { copies } = declared?.converted ?? {};
    const own = { origin: originFrom(item, folder), args: withoutConfigSecrets(item.args) };
    const converted = copies === undefined ? own : { ...own, copies };
    return declared === undefined ? [] : [[id, { ...declared, converted }]];
  });
  if (notes.length > 0) folder.close(Object.fromEntries(notes), []);
}

/** Records which differences are meant. */
function keepAccepted(gone: readonly Earlier[], copies: readonly Copy[], folder: Folder): void {
  const notes = new Map<string, Declared>();
  const add = (id: string, more: (known: ConvertedFrom) => Partial<ConvertedFrom>) => {
    const declared = notes.get(id) ?? folder.declared[id];
    const { converted } = declared ?? {};
    if (declared !== undefined && converted !== undefined)
      notes.set(id, { ...declared, converted: { ...converted, ...more(converted) } });
  };
  for (const { id } of gone) add(id, () => ({ isGone: true }));
  for (const { id = "", file } of copies)
    add(id, ({ copies: known = [] }) => ({ copies: [...new Set([...known, file])] }));
  if (notes.size > 0) folder.close(Object.fromEntries(notes), []);
}
