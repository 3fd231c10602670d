type Child = Node | string | false | undefined;
type Props = Readonly<Record<string, string | boolean | undefined | ((event: Event) => void)>>;

/** Creates an element. Children that are strings become text, never markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "string") element.setAttribute(name, value);
    else if (value === true) element.setAttribute(name, "");
  }
  for (const child of children) if (child !== undefined && child !== false) element.append(child);
  return element;
}

export const badge = (text: string, color = "plain") => h("span", { class: `badge ${color}` }, text);

/** A link to the rows that a filter selects. */
export const filterLink = (name: string, value: string, ...children: readonly Child[]) =>
  h("a", { href: `#${new URLSearchParams({ [name]: value }).toString()}` }, ...children);

/** A link to the entry of a change. */
export const entryLink = (change: number, ...children: readonly Child[]) =>
  h("a", { href: `#change-${change}` }, ...children);

/** Opens what an element is folded in. */
export function unfold(element: Element): void {
  for (let each = element.closest("details"); each; each = each.parentElement?.closest("details") ?? null)
    each.open = true;
}

/** Lines, with those of before struck through where they differ. */
export function compared(before: readonly string[] | undefined, now: readonly string[]): readonly Node[] {
  const removed = (before ?? []).filter((line) => !now.includes(line)).map((line) => h("del", { class: "line" }, line));
  const lines = now.map((line) => {
    const isNew = before !== undefined && !before.includes(line);
    return h(isNew ? "ins" : "span", { class: "line" }, line);
  });
  return [...removed, ...lines];
}
