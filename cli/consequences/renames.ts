import { equivalenceKey } from "../../provider/values/equal";
import { tried } from "../../provider/wire/json";
import { samenessWithin } from "../../sdk/engine/objects";
import { legible } from "../meaning/comparable";
import { holdsHidden } from "../meaning/hidden";
import { normalForm } from "../meaning/normalForm";
import { quote } from "../output/words";
import type { Change, StackPreview } from "../preview/stackPreview";
import { rulesOf } from "./kinds/index";
import { matched } from "./kinds/rules";
import type { Finding } from "./risk";

interface Renames {
  /** The change that deletes the object under its earlier name, by the one that creates it under another name. */
  readonly from: ReadonlyMap<Change, Change>;
  readonly gone: ReadonlySet<Change>;
}

const found = new WeakMap<StackPreview, Renames>();

/** The deletes and creates that are renames: of equal declarations, or else of equal queries and conditions. */
export function renamesIn(preview: StackPreview): Renames {
  const known = found.get(preview);
  if (known !== undefined) return known;
  const { changes, messages } = preview;
  const objects = changes.flatMap((each) => (each.op === "delete" ? [] : (each.objects.new ?? [])));
  const isLeft = ({ objects: { old } }: Change) =>
    old !== undefined && objects.every((each) => samenessWithin(old, each) === "other");
  const adopting = new Set(messages.filter(({ code }) => code?.startsWith("adopts")).map(({ about }) => about?.urn));
  const created = changes.filter(({ op, isImported, urn }) => op === "create" && !isImported && !adopting.has(urn));
  // What can't be read is reported by its own change.
  const deleted = changes.filter(
    (each) => created.length > 0 && each.op === "delete" && !each.isRetained && tried(() => isLeft(each)),
  );
  const keys = new Map([...deleted, ...created].map((each) => [each, tried(() => keysOf(each))]));
  const pairs = matched(
    deleted,
    created,
    (each) => keys.get(each)?.whole ?? each.urn,
    (each) => keys.get(each)?.alerting ?? each.urn,
  ).pairs.filter(([old, now]) => old.name !== now.name);
  const renames = { from: new Map(pairs.map(([old, now]) => [now, old])), gone: new Set(pairs.map(([old]) => old)) };
  found.set(preview, renames);
  return renames;
}

/** What two resources have in common if one is the other under another name. */
function keysOf({ kind, before, after, objects }: Change) {
  const { slug: _, name: __, ...declared } = after ?? before ?? {};
  const normal = normalForm(kind.root, declared);
  const about = [kind.name, (objects.new ?? objects.old)?.service ?? ""];
  // What is hidden may differ.
  const alerting = holdsHidden(declared)
    ? undefined
    : rulesOf(kind.name).alerting?.(legible(kind.root, normal), declared);
  const isQuery = alerting !== undefined && alerting.queries.length > 0;
  return {
    whole: JSON.stringify([...about, equivalenceKey(kind.root, normal)]),
    alerting: isQuery ? JSON.stringify([...about, alerting.queries, alerting.conditions]) : undefined,
  };
}

export function renameFinding({ kind }: Change, { name, before }: Change): Finding {
  const end = rulesOf(kind.name).alerting ? "its history and open alerts end" : "references to the old object end";
  // By default the slug is that of the name.
  const slug = String(before?.slug ?? name);
  const keep = slug.endsWith(name) ? "" : ` and keep slug: ${quote(slug)}`;
  const text = `renamed from ${quote(name)}: the ${kind.title} is replaced, so ${end}. To keep it, add aliases: [{ name: ${quote(name)} }]${keep}`;
  return { class: "replaced", direction: "unclear", text };
}
