import { grouped } from "../../provider/base/grouped";
import { count, firstOf, listed, plainly } from "../output/words";
import type { PreviewMessage } from "../preview/stackPreview";
import type { ReviewNote } from "./review";

export const noteOfMessage = ({ about, text }: PreviewMessage): ReviewNote =>
  about === undefined ? { text } : { kind: about.kind.name, name: about.name, text };

export const noteText = ({ kind = "", name, text }: ReviewNote) =>
  name === undefined ? text : `${kind} ${plainly(name)}: ${text}`;

export const uniqueNotes = (told: readonly ReviewNote[]) =>
  [...new Map(told.map((each) => [JSON.stringify(each), each])).values()].sort(byName);

/** One failure for all with the same cause, if URL or token may be wrong: then each request fails. */
export const byCause = (failures: readonly ReviewNote[]): readonly ReviewNote[] =>
  [...grouped(failures, causeOf).values()].flatMap(([first, ...others]) => {
    const names = others.map(({ kind, name, text }) =>
      kind && name ? `${kind} ${plainly(name)}` : text.replace(requestFails, "$1"),
    );
    const more = listed(firstOf(names, (left) => count(left, "other")));
    if (first === undefined || others.length === 0) return first ?? [];
    return { ...first, text: `${first.text}\n${count(others.length, "more error")} with this cause: ${more}` };
  });

/** `unable to validate monitor "x": GET /api/v1/config/monitors/x answered 401 …` */
const requestFails = /^unable to (.*?): [A-Z]+ \/[^]*$/;

/** The text of a failure of the settings without the object and the request; any other failure has its own cause. */
const causeOf = (failure: ReviewNote) =>
  requestFails.test(failure.text) && /\bbaseUrl\b|\btoken\b/.test(failure.text)
    ? failure.text.replace(/^.*?: |\b[A-Z]+ \/\S+| Gave up after .*? s\.| \(request [^)]*\)$/g, "")
    : failure;

/** The engine's order differs from run to run. Notes without a resource come first. */
export function byName(a: { readonly kind?: string; readonly name?: string }, b: typeof a): number {
  const [left, right] = [a, b].map(({ kind = "", name = "" }) => `${kind} ${name}`) as [string, string]; // of two
  return left < right ? -1 : left > right ? 1 : 0;
}
