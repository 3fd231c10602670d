import { isMissingOperation } from "../../provider/client/failures";
import { addressOf } from "../../provider/client/settingTexts";
import { kinds } from "../../provider/kinds/index.gen";
import { explain } from "../../provider/lifecycle/notes/explain";
import type { Session } from "../../provider/lifecycle/session";
import { Target } from "../../provider/lifecycle/objects/target";
import type { Kind } from "../../provider/schema/kind";
import type { JsonObject } from "../../provider/wire/json";
import { holdersIn } from "../../sdk/engine/ownedObjects";
import { doubtText, sameness } from "../../sdk/engine/objects";
import { type Output, reasonOf } from "../output/output";
import { quote } from "../output/words";
import { objectUnder, startRunOf } from "../pulumi/service";
import type { ListingGap, Review, StackReview, Unmanaged, UnmanagedObject } from "./review";
import type { Source } from "./sources";

/** Lists the objects in the services of the stacks, once per service and token. {@link unmanagedIn} removes those that stacks declare. */
export async function listServices(sources: readonly Source[], output: Output): Promise<Review> {
  const objects: UnmanagedObject[] = [];
  const gaps: ListingGap[] = [];
  const asked = new Set<string>();
  const listed = new Set<string>();
  for (const { preview, target } of sources) {
    let run: Session;
    try {
      run = await startRunOf(target, output);
    } catch (error) {
      const text = `can't list objects with the settings of the stack ${quote(preview.stack)}: ${reasonOf(error)}`;
      gaps.push({ where: preview.stack, text });
      continue;
    }
    const { baseUrl, apiToken } = run.settings;
    const key = JSON.stringify([baseUrl, apiToken]);
    if (asked.has(key)) continue;
    asked.add(key);
    const service = addressOf(new URL(baseUrl));
    listed.add(service);
    const onPage = (count: number) => output.progress(`listed ${count} objects in ${service}`);
    const found = await Promise.all(kinds.map((kind) => listKind(run, kind, onPage)));
    objects.push(...found.flatMap((each) => each.objects.map((object) => ({ ...object, service }))));
    for (const { kind, gap } of found)
      if (gap !== undefined) gaps.push({ where: service, kind, text: `${service}: ${gap}` });
  }
  const declared = new Set(sources.flatMap(({ preview }) => Object.keys(preview.ownedObjects?.declared ?? {})));
  for (const service of declared) {
    if (listed.has(service)) continue;
    const place = service === "" ? "a service whose URL is missing from the preview" : service;
    const text = `${place} was not listed: the stack's settings have a different service URL, or none`;
    gaps.push({ where: service, text });
  }
  return { command: "drift", stacks: [], risks: [], violations: [], unmanaged: { objects, gaps } };
}

/** The listed objects that no stack declares or has. */
export function unmanagedIn(stacks: readonly StackReview[], listings: readonly Unmanaged[]): Unmanaged {
  const gaps = listings.flatMap((each) => each.gaps);
  for (const { stack, isFailed, ownedObjects } of stacks) {
    if (!isFailed && ownedObjects !== undefined) continue;
    const why = isFailed ? "its preview failed" : "it was previewed without --unmanaged";
    const text = `no objects are listed, because the declarations of the stack ${quote(stack)} are unknown: ${why}`;
    gaps.push({ where: stack, text });
  }
  if (stacks.some(({ isFailed, ownedObjects }) => isFailed || ownedObjects === undefined))
    return { objects: [], gaps: inOrder(gaps, gapKey) };
  const holders = holdersIn(stacks);
  const objects = listings.flatMap((each) =>
    each.objects.flatMap((object): readonly UnmanagedObject[] => {
      const { doubt: _, ...plain } = object;
      const known = holders(object).map((held) => ({ ...held, same: sameness(object, held.object) }));
      if (known.some(({ same }) => same === "same")) return [];
      const unsure = known.find(({ same }) => same === "unknown");
      if (unsure === undefined) return [plain];
      const why = doubtText(object, unsure.object);
      return [{ ...plain, doubt: `the stack ${quote(unsure.stack.stack)} has an object with this slug: ${why}` }];
    }),
  );
  return { objects: inOrder(objects, objectKey), gaps: inOrder(gaps, gapKey) };
}

const objectKey = ({ kind, slug, service, createdAt = "" }: UnmanagedObject) =>
  `${kind} ${slug} ${service} ${createdAt}`;
/** Several jobs may report the same gap, in words that differ by the request. */
const gapKey = ({ where, kind, text }: ListingGap) => `${where} ${kind ?? text}`;

/** Each once, by its key. */
const inOrder = <T>(all: readonly T[], keyOf: (each: T) => string): readonly T[] =>
  [...new Map(all.map((each) => [keyOf(each), each]))].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);

/** The objects of a kind, and the gap if these are not all. */
async function listKind(run: Session, kind: Kind, onPage: (count: number) => void) {
  const objects: Omit<UnmanagedObject, "service">[] = [];
  const listed = { kind: kind.name, objects, gap: undefined };
  const doing = kind.isSingleton ? `read ${kind.titleOf("")}` : `list ${kind.manyTitle}`;
  try {
    const pages = kind.isSingleton ? [await objectUnder(run, kind, kind.singletonId)] : run.client.reader.pages(kind);
    for await (const page of pages) {
      objects.push(...page.map(({ object }) => listedObject(kind, object)));
      onPage(objects.length);
    }
    return listed;
  } catch (error) {
    if (isMissingOperation(error)) return { ...listed, gap: `this service doesn't support: ${doing}` };
    return { ...listed, gap: reasonOf(explain(doing, error, new Target(run, kind, {}, ""))) };
  }
}

function listedObject({ name: kind, isSingleton }: Kind, { slug, name, created_at }: JsonObject) {
  const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
  const [nameText, createdAt] = [textOf(name), textOf(created_at)];
  return {
    kind,
    slug: isSingleton ? "" : String(slug),
    ...(nameText === undefined ? {} : { name: nameText }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
}
