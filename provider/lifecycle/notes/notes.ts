// The engine passes on only the text of a note: events and "pulumi preview --json" have no field for a code. Code that
// depends on a note therefore parses its words. The words and their parsing are only in this file.

/** The kinds of facts that a note reports about an object. */
export type NoteKind = "adopts" | "adopts identical" | "gone" | "unknown values" | "not validated";

const [adopts, identical, gone] = ["adopts the existing ", " without changes", " no longer exists in the service: "];
const [unknownValues, validate] = [
  " is validated only in the update, because these values are unknown until then: ",
  "validate ",
];

/** @param how Starts with the space or colon after the title. */
export const adoptionNote = (title: string, how: string) => `${adopts}${title}${how}`;
export const identicalNote = (title: string) => adoptionNote(title, identical);
export const goneNote = (title: string) => `${title}${gone}the update recreates it`;
export const unknownNote = (title: string, places: readonly string[]) => `${title}${unknownValues}${places.join(", ")}`;
/** The failed operation, for `explain`. */
export const validating = (title: string) => `${validate}${title}`;

/** The kind of a text, if it is one of these notes. */
export function noteKindOf(text: string): NoteKind | undefined {
  if (text.startsWith(adopts)) return text.endsWith(identical) ? "adopts identical" : "adopts";
  if (text.startsWith(`unable to ${validate}`)) return "not validated";
  if (text.includes(unknownValues)) return "unknown values";
  return text.includes(gone) ? "gone" : undefined;
}
