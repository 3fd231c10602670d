import fc from "fast-check";
import { type Client, type KindSample, slugKinds } from "./service.js";

/** One page of a kind's list; the query as it is in the URL. */
export async function list(client: Client, query = "", path = "/notifiers") {
  const { status, body } = await client.get(`${path}?${query}`);
  const items = (Object.values(body).find(Array.isArray) ?? []) as readonly Shown[];
  return { status, body, items, slugs: items.map(({ slug }) => slug), next: String(body.page?.next_token ?? "") };
}

/** The pages from one token to the end, their sizes taken in turn. */
export async function walk(client: Client, path: string, sizes: readonly number[], from = ""): Promise<string[]> {
  const seen: string[] = [];
  let token = from;
  for (let pages = 0; pages === 0 || token !== ""; pages++) {
    const page = await list(client, `page.max_size=${sizes[pages % sizes.length]}&page.token=${token}`, path);
    if (page.status !== 200 || pages > 2_000) throw new Error(`the list does not end: ${JSON.stringify(page.body)}`);
    seen.push(...page.slugs);
    token = page.next;
  }
  return seen;
}

const slugs = ["-", "_", "B", "b", "Ba", "ba", "a-b", "a_b", "aB", "1", "10", "2"].flatMap((slug) =>
  ["", "-1", "_z", "Z"].map((end) => slug + end),
);
const names = ["Red", "red", "Blue", "Blue, dark", "100% blue"];

/** What a list is asked for. */
interface Filters {
  readonly slugs?: readonly string[];
  readonly names?: readonly string[];
  readonly name_contains?: readonly string[];
}

/** One client's walk through a list, and what the others do meanwhile. */
interface Walk {
  readonly sample: KindSample;
  readonly filters: Filters;
  /** Another list, in which the walk's tokens have no meaning. */
  readonly others: Filters;
  /** The sizes of its pages, taken in turn. */
  readonly sizes: readonly number[];
  readonly writers: readonly Writer[];
}

/** What one client writes, one after another, and from the beginning again while the walk lasts. */
type Writer = readonly { readonly at: number; readonly name: string | undefined }[];

const filters: fc.Arbitrary<Filters> = fc.record(
  {
    slugs: fc.subarray(slugs, { minLength: slugs.length / 2 }),
    names: fc.subarray(names, { minLength: 1 }),
    name_contains: fc.subarray(["BLUE", "ed", "%", ", "], { minLength: 1 }),
  },
  { requiredKeys: [] },
);
const writer: fc.Arbitrary<Writer> = fc.array(
  fc.record({ at: fc.nat(), name: fc.option(fc.constantFrom(...names), { nil: undefined, freq: 3 }) }),
  { minLength: 1, maxLength: 20, size: "max" },
);

export const walks: fc.Arbitrary<Walk> = fc
  .record({
    sample: fc.constantFrom(...slugKinds),
    filters,
    others: filters,
    sizes: fc.array(fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.constantFrom(0, 1_000)), {
      minLength: 1,
      maxLength: 4,
    }),
    writers: fc.array(writer, { minLength: 1, maxLength: 4 }),
  })
  .filter(({ filters, others }) => queryOf(filters) !== queryOf(others));

function queryOf(filters: Filters): string {
  const pairs = Object.entries(filters).flatMap(([key, values]) => values.map((value: string) => [key, value]));
  return new URLSearchParams(pairs).toString();
}

/** Whether a list with the filters shows an object of this slug and name. */
const finds = (filters: Filters, slug: string, name: string): boolean =>
  (filters.slugs?.includes(slug) ?? true) &&
  (filters.names?.includes(name) ?? true) &&
  (filters.name_contains?.some((part) => name.toLowerCase().includes(part.toLowerCase())) ?? true);

interface Shown {
  readonly slug: string;
  readonly name: string;
}

/** The objects of one kind, which nobody else writes. */
export class Shelf {
  readonly #client: Client;
  readonly #sample: KindSample;
  /** The names that each slug has had since the walk began, the one before it included; undefined is no object. */
  readonly #held = new Map<string, (string | undefined)[]>(slugs.map((slug) => [slug, [undefined]]));

  constructor(client: Client, sample: KindSample) {
    this.#client = client;
    this.#sample = sample;
  }

  async fill(): Promise<void> {
    const taken = slugs.filter((_, i) => i % 5 !== 0);
    await Promise.all(taken.map((slug, i) => this.#write(slug, names[i % names.length])));
  }

  async #write(slug: string, name: string | undefined): Promise<void> {
    // Noted before it is sent: from now on a page may show it.
    this.#held.get(slug)?.push(name);
    const { path, key, valid } = this.#sample;
    const { status, body } =
      name === undefined
        ? await this.#client.delete(`${path}/${slug}`)
        : await this.#client.put(`${path}/${slug}`, { [key]: { ...valid, name }, create_if_missing: true });
    if (status !== 200 && (status !== 404 || name !== undefined))
      throw new Error(`"${slug}" is not written: ${JSON.stringify(body)}`);
  }

  /** What a walk showed, against what it should have. */
  async walk({ filters, others, sizes, writers }: Walk) {
    for (const held of this.#held.values()) held.splice(0, held.length - 1);
    const shown: Shown[] = [];
    const misunderstood: unknown[] = [];
    const walk = { pages: 0, token: "", isOver: false };

    const paging = async () => {
      do {
        const page = await this.#page(filters, sizes[walk.pages % sizes.length] ?? 0, walk.token);
        if (page.status !== 200) throw new Error(`the walk stops: ${JSON.stringify(page.body)}`);
        shown.push(...page.items);
        walk.pages += 1;
        walk.token = page.next;
        if (walk.token === "" || walk.pages % 3 !== 1) continue;
        const { status, body } = await this.#page(others, 0, walk.token);
        if (status !== 400 || body.code !== 40004) misunderstood.push(body);
        // Each page shows an object further on, so there are not more than slugs.
      } while (walk.token !== "" && walk.pages < slugs.length);
    };
    let writes = 0;
    const writing = writers.map(async (writer, lane) => {
      // Each has slugs of its own, so that the order of writes is known.
      const own = slugs.filter((_, i) => i % writers.length === lane);
      for (let i = 0; !walk.isOver; i++) {
        const { at = 0, name } = writer[i % writer.length] ?? {};
        await this.#write(own[at % own.length] ?? "", name);
        writes += 1;
      }
    });
    await Promise.all([paging().finally(() => (walk.isOver = true)), ...writing]);

    const found = shown.map(({ slug }) => slug);
    const matches = (slug: string, name: string | undefined) => name !== undefined && finds(filters, slug, name);
    const stood = slugs.filter((slug) => this.#held.get(slug)?.every((name) => matches(slug, name)));
    return {
      pages: walk.pages,
      writes,
      // What matched from the walk's beginning to its end, and was not shown.
      missed: stood.filter((slug) => !found.includes(slug)),
      twice: found.filter((slug, i) => found.indexOf(slug) !== i),
      // What never was there in this form, or never matched.
      strange: shown
        .filter(({ slug, name }) => !this.#held.get(slug)?.includes(name) || !matches(slug, name))
        .map(({ slug, name }) => `${slug}: ${name}`),
      isInOrder: found.every((slug, i) => i === 0 || (found[i - 1] ?? "") <= slug),
      ends: walk.token === "",
      // Answers to the walk's tokens in another list that were no refusal.
      misunderstood,
    };
  }

  #page(filters: Filters, size: number, token: string) {
    return list(this.#client, `${queryOf(filters)}&page.max_size=${size}&page.token=${token}`, this.#sample.path);
  }
}
