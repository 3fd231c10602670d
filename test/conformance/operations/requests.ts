import type { Service } from "@pulumi-observability/service";
import { expect } from "vitest";
import { ask } from "../../support/service.js";
import { masked } from "../../witness/witnesses.js";
import { isSingleton, type Json, type Kind, kindNamed, type ListedKind, listedKinds } from "./interface.js";

export const pathOf = ({ path }: Pick<Kind, "path">, slug: string) => path.replace("{slug}", slug);

/** The kind's example under another slug; the singleton has none. */
export const objectOf = (kind: Kind, slug: string, changes: Json = {}): Json =>
  isSingleton(kind) ? { ...kind.example, ...changes } : { ...kind.example, slug, ...changes };

/** Sees to it that an object stands under the slug, and is the example with the changes. */
export async function place(service: Service, kind: Kind, slug: string, changes: Json = {}): Promise<void> {
  const body = { create_if_missing: true, [kind.one]: objectOf(kind, slug, changes) };
  const { status, body: answer } = await ask(service, "PUT", pathOf(kind, slug), body);
  if (status !== 200) throw new Error(`${kind.name} "${slug}" cannot be placed: ${JSON.stringify(answer)}`);
}

/** Sees to it that nothing stands under the slug. */
export const remove = (service: Service, kind: Kind, slug: string) => ask(service, "DELETE", pathOf(kind, slug));

/** The log allocation's example refers to the dataset's. */
export const placeExampleDataset = (service: Service) => place(service, kindNamed("Dataset"), "checkout-logs");

// As many as the service works through without its queue growing.
const batch = 50;

export async function placeAll(service: Service, kind: Kind, objects: readonly (readonly [string, Json])[]) {
  for (let from = 0; from < objects.length; from += batch) {
    await Promise.all(objects.slice(from, from + batch).map(([slug, changes]) => place(service, kind, slug, changes)));
  }
}

export interface Page {
  readonly status: number;
  readonly body: Json;
  readonly slugs: readonly string[];
  /** Empty on the last page. */
  readonly next: string;
}

/** One page of a kind's list; the query as it stands in the URL. */
export async function list(service: Service, { listPath, many }: ListedKind, query = ""): Promise<Page> {
  const { status, body } = await ask(service, "GET", `${listPath}?${query}`);
  // Untyped on purpose: tests read it as a client of any language would.
  const objects = (body[many] ?? []) as readonly { readonly slug: string }[];
  const page = (body.page ?? {}) as { readonly next_token?: string };
  return { status, body, slugs: objects.map(({ slug }) => slug), next: page.next_token ?? "" };
}

/** The pages from one token to the end, their sizes taken in turn. */
export async function walk(service: Service, kind: ListedKind, sizes: readonly number[], from = ""): Promise<string[]> {
  const seen: string[] = [];
  let token = from;
  for (let pages = 0; pages === 0 || token !== ""; pages++) {
    const page = await list(service, kind, `page.max_size=${sizes[pages % sizes.length]}&page.token=${token}`);
    if (page.status !== 200 || pages > 2_000) throw new Error(`the list does not end: ${JSON.stringify(page.body)}`);
    seen.push(...page.slugs);
    token = page.next;
  }
  return seen;
}

/** The object under the slug, or nothing. */
export async function standing(service: Service, kind: Kind, slug: string): Promise<Json | undefined> {
  const { status, body } = await ask(service, "GET", pathOf(kind, slug));
  return status === 404 ? undefined : (body[kind.one] as Json); // the envelope holds an object
}

/** All objects of a kind, to compare before and after. */
export async function everything(service: Service, kind: Kind): Promise<unknown> {
  const listed = listedKinds.find(({ name }) => name === kind.name);
  return listed === undefined ? standing(service, kind, "") : (await list(service, listed)).body;
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What was sent, as the service answers it: secrets masked, and the timestamps added. */
export const asAnswered = ({ name }: Kind, object: Json): Json => ({
  ...(masked(name, object) as Json),
  created_at: expect.stringMatching(timestamp),
  updated_at: expect.stringMatching(timestamp),
});
