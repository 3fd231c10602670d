/** `1,000` */
export const numberText = (number: number) => number.toLocaleString("en-US");

/** `1 page`, `3 pages`, `1,000 pages`. */
export const count = (number: number, one: string, many = `${one}s`) =>
  `${numberText(number)} ${number === 1 ? one : many}`;

/** `a, b and c` */
export const listed = (texts: readonly string[]) =>
  texts.length < 2 ? (texts[0] ?? "") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1) ?? ""}`;
