import type { BothWays } from "./knownService";

/** One page of a list. */
interface Page<Item> {
  readonly items: readonly (readonly [slug: string, item: Item])[];
  /** Empty at the end of the list. */
  readonly nextToken: string;
}

/** The requests that a listing sends. */
interface ListRequests<Item> {
  /** One object by its slug; undefined if there is none. */
  single(slug: string): Promise<Item | undefined>;
  page(token: string): Promise<Page<Item>>;
  /** Whether pages show objects as the single request does. Compares at most once. */
  isWhole(pairs: () => Promise<readonly BothWays<Item>[]>): Promise<boolean>;
}

/** The first look-ups are single requests: for so few, a page costs more. */
const singlesFirst = 16;
/** After those, one page per four look-ups, so that a few objects among 100,000 never cost the whole list. */
const lookUpsPerPage = 4;

/**
 * Looks up many objects of one list, by pages if that saves requests. Reads objects singly that the pages lack:
 * absence from the pages is not certain.
 */
export class Listing<Item> {
  readonly #asked = new Set<string>();
  readonly #held = new Map<string, Item>();
  // Objects read singly, to compare with what the pages show.
  readonly #singles = new Map<string, Item>();
  readonly #tokens = new Set<string>();
  #next: string | undefined = "";
  #page: Promise<void> | undefined;
  #isReadToEnd = false;

  constructor(private readonly requests: ListRequests<Item>) {}

  async read(slug: string): Promise<Item | undefined> {
    const listed = await this.#listed(slug);
    if (listed === undefined) return this.#single(slug);
    if (await this.requests.isWhole(() => this.#pairs(slug))) return listed;
    this.#next = undefined; // Such pages are not used, so no more are read.
    return this.#single(slug);
  }

  /**
   * Whether the list, read to its end, does not have the slug. False also if that is unknown: few slugs were looked
   * up, or a page failed. The pages are older than the answer, so this is not sufficient for a write.
   */
  async lacks(slug: string): Promise<boolean> {
    return (await this.#listed(slug)) === undefined && this.#isReadToEnd;
  }

  async #listed(slug: string): Promise<Item | undefined> {
    this.#asked.add(slug);
    while (!this.#held.has(slug) && this.#isPageDue()) await this.#nextPage();
    return this.#held.get(slug);
  }

  async #single(slug: string): Promise<Item | undefined> {
    const item = await this.requests.single(slug);
    if (item !== undefined) this.#singles.set(slug, item);
    return item;
  }

  /** What was read singly, next to what the pages show; if they have nothing of it, this object. */
  async #pairs(slug: string): Promise<readonly BothWays<Item>[]> {
    if (![...this.#singles.keys()].some((each) => this.#held.has(each))) await this.#single(slug);
    return [...this.#singles].flatMap(([each, single]) => {
      const listed = this.#held.get(each);
      return listed === undefined ? [] : [[single, listed] as const];
    });
  }

  #isPageDue(): boolean {
    if (this.#next === undefined || this.#asked.size <= singlesFirst) return false;
    return this.#page !== undefined || this.#tokens.size < this.#asked.size / lookUpsPerPage;
  }

  /** Reads the next page once for all look-ups that wait for it. */
  #nextPage(): Promise<void> {
    this.#page ??= this.#turn().finally(() => {
      this.#page = undefined;
    });
    return this.#page;
  }

  async #turn(): Promise<void> {
    const token = this.#next;
    if (token === undefined) return;
    this.#tokens.add(token);
    try {
      const { items, nextToken } = await this.requests.page(token);
      for (const [slug, item] of items) this.#held.set(slug, item);
      // A repeated token would turn pages forever.
      this.#next = nextToken === "" || this.#tokens.has(nextToken) ? undefined : nextToken;
      this.#isReadToEnd = nextToken === "";
    } catch {
      // The single request will report the error, for the object that is looked up.
      this.#next = undefined;
    }
  }
}
