import { kinds } from "../../../provider/kinds/index.gen";
import { leaves } from "../../../provider/values/leaves";
import { Folder } from "../../program/folder";
import { countByKind, nextSteps, tellWritten } from "../../program/tell";
import { ConfigSecret, type Item } from "../../program/item";
import { idOf } from "../../program/write";
import { writeProject } from "../../program/writeProject";
import { exitStatus, type Output } from "../../report/output";
import type { Converted } from "./conversion";
import { convert } from "./convert";
import { divide, type KnownItem, originFrom } from "./division";
import { inputsAt } from "./inputs";
import { tellExisting, tellLosses, tellMissing } from "./tell";

export interface ConvertOptions {
  readonly out: string;
  readonly groupBy?: string | undefined;
}

/** Converts files of other tools to a program, or adds to a program what it does not declare yet. */
export function convertFiles(paths: readonly string[], { out, groupBy }: ConvertOptions, output: Output): void {
  const inputs = inputsAt(paths, out);
  const conversion = convert(inputs.files);
  const folder = new Folder(out);
  folder.expectLayout({ isTeams: false });
  const { added, names, ...divided } = divide(conversion, folder);
  const isThere = ({ declared }: KnownItem) => folder.declares(declared);
  const existing = divided.existing.filter(isThere);
  const missing = divided.existing.filter((each) => !isThere(each));
  const rejected = [...inputs.rejected, ...divided.rejected];

  const secrets = secretsOf(added);
  const program = added.length === 0 ? undefined : writeProject(folder, added, { groupBy, secrets });
  keepOrigins(added, existing, folder);

  const files = program?.files ?? [];
  const next = program === undefined ? [] : nextSteps(out, secrets, ["pulumi preview"]);
  if (program !== undefined) tellWritten(output, { out, counts: countByKind(added, kinds), ...program, next });
  else if (existing.length === 0) {
    const isEmpty = inputs.files.length + inputs.rejected.length === 0;
    output.line(`nothing converted${isEmpty ? ": there is no .yml, .yaml, .json or .rules file" : ""}`);
  } else output.line(`nothing new: "${out}" declares all ${existing.length} items`);
  tellExisting(output, existing);
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
      ...existing.map(({ item }) => ({ ...placeOf(item), state: "exists" })),
    ],
    missing: missing.map(({ item }) => placeOf(item)),
    rejected,
    losses,
    secrets,
    next,
  });
  if (rejected.length > 0) process.exitCode = exitStatus.rejected;
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

/** Records the origin of each item, so that the next run recognizes it, even if it was moved or changed since. */
function keepOrigins(added: readonly Converted[], existing: readonly KnownItem[], folder: Folder): void {
  const all = [...added.map((item) => ({ id: idOf(item), item })), ...existing];
  const notes = all.flatMap(({ id, item }) => {
    const declared = folder.declared[id];
    return declared === undefined ? [] : [[id, { ...declared, converted: { origin: originFrom(item, folder) } }]];
  });
  if (notes.length > 0) folder.close(Object.fromEntries(notes), []);
}
