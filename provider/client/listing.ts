/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly (readonly [slug: string, item: Item])[];
  /** Empty at the end of the list. */
  readonly nextToken: string;
}

/** The requests that a listing sends. */
export interface ListRequests<Item> {
  /** One object by its slug; undefined if the list does not have it. */
  single(slug: string): Promise<Item | undefined>;
  page(token: string): Promise<Page<Item>>;
}

/** The first look-ups are single requests: for so few, a page costs more. */
const singlesFirst = 16;
/** After those, one page per four look-ups, so that a few objects among 100,000 never cost the whole list. */
const lookUpsPerPage = 4;

/**
 * Looks up many objects of one list, by pages if that saves requests. Asks singly for objects that the pages lack:
 * absence from the pages proves nothing.
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
      const { items, nextToken } = await this.#requests.page(token);
      for (const [slug, item] of items) this.#held.set(slug, item);
      // A repeated token would turn pages forever.
      this.#next = nextToken === "" || this.#tokens.has(nextToken) ? undefined : nextToken;
    } catch {
      // The single request will report the error, for the object that is looked up.
      this.#next = undefined;
    }
  }
}
