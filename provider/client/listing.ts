/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly (readonly [slug: string, item: Item])[];
  /** Empty at the end of the list. */
  readonly nextToken: string;
}

/** How a list is asked. */
export interface ListRequests<Item> {
  /** One object by its slug; nothing where the list does not have it. */
  single(slug: string): Promise<Item | undefined>;
  page(token: string): Promise<Page<Item>>;
}

/** So many are looked up one by one before a page is worth its weight. */
const singlesFirst = 16;
/** From then on one page for so many look-ups, so that few among a hundred thousand never cost the whole list. */
const lookUpsPerPage = 4;

/**
 * Looks up many objects of one list, by pages where that saves requests. What the pages do not have is asked for singly:
 * absence from a list of everything proves nothing.
 */
export class Listing<Item> {
  readonly #requests: ListRequests<Item>;
  readonly #asked = new Set<string>();
  readonly #held = new Map<string, Item>();
  readonly #tokens = new Set<string>();
  #next: string | undefined = "";
  #page: Promise<void> | undefined;

  constructor(requests: ListRequests<Item>) {
    this.#requests = requests;
  }

  async find(slug: string): Promise<Item | undefined> {
    this.#asked.add(slug);
    while (!this.#held.has(slug) && this.#isPageDue()) await this.#nextPage();
    return this.#held.get(slug) ?? this.#requests.single(slug);
  }

  #isPageDue(): boolean {
    if (this.#next === undefined || this.#asked.size <= singlesFirst) return false;
    return this.#page !== undefined || this.#tokens.size < this.#asked.size / lookUpsPerPage;
  }

  /** The next page, which all wait for that need one. */
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
      const { items, nextToken } = await this.#requests.page(token);
      for (const [slug, item] of items) this.#held.set(slug, item);
      // A token that came before would turn the pages for ever.
      this.#next = nextToken === "" || this.#tokens.has(nextToken) ? undefined : nextToken;
    } catch {
      // Whatever is wrong with it, the single request says it of the object that is looked up.
      this.#next = undefined;
    }
  }
}
