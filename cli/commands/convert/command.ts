import { kinds } from "../../../provider/kinds/index.gen";
import { leaves } from "../../../provider/values/leaves";
import { Folder } from "../../program/folder";
import { countByKind, nextSteps, tellWritten } from "../../program/tell";
import { ConfigSecret, type Item } from "../../program/item";
import { declarationText, idOf, kindNameOfId } from "../../program/write";
import { writeProject } from "../../program/writeProject";
import { exitStatus, type Output } from "../../report/output";
import type { Converted } from "./conversion";
import { convert } from "./convert";
import { divide, type Earlier, type KnownItem, originFrom } from "./division";
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
  const { added, copies, names, ...divided } = divide(conversion, folder, paths);
  const isThere = ({ declared }: Earlier) => folder.declares(declared);
  const existing = divided.existing.filter(isThere);
  const missing = divided.existing.filter((each) => !isThere(each));
  const gone = accept ? [] : divided.gone.filter(isThere);
  const changed = accept ? [] : existing.filter((each) => isChanged(each, folder));
  const rejected = [...inputs.rejected, ...divided.rejected];

  const secrets = secretsOf(added);
  const program = added.length === 0 ? undefined : writeProject(folder, added, { groupBy, secrets });
  const asRead = existing.filter((each) => !changed.includes(each));
  keepOrigins(added, asRead, accept ? divided.gone : [], folder);

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
    copies: copies.map(({ item, of }) => ({ ...placeOf(item), of })),
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

/**
 * Records the origin of each item, so that the next run recognizes it, even if it was moved or changed since.
 * @param forgotten Those of which the source has nothing, and the program should keep them.
 */
function keepOrigins(
  added: readonly Converted[],
  existing: readonly KnownItem[],
  forgotten: readonly Earlier[],
  folder: Folder,
): void {
  const all = [...added.map((item) => ({ id: idOf(item), item })), ...existing];
  const notes = all.flatMap(({ id, item }) => {
    const declared = folder.declared[id];
    const converted = { origin: originFrom(item, folder), args: withoutConfigSecrets(item.args) };
    return declared === undefined ? [] : [[id, { ...declared, converted }]];
  });
  const others = forgotten.map(({ id, declared: { converted: _, ...declared } }) => [id, declared]);
  if (notes.length + others.length > 0) folder.close(Object.fromEntries([...notes, ...others]), []);
}
