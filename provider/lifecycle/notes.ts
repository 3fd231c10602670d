// The engine passes on nothing of a note but its text: events and "pulumi preview --json" have no field for a code. So
// whoever decides by a note reads its words, and words and reading are side by side here alone.

/** What a note says of an object. */
export type NoteKind = "adopts" | "adopts identical" | "gone" | "unknown values" | "not validated";

const [adopts, identical, gone] = ["takes over ", " as it is", " is no longer at the service: "];
const [unknownValues, validate] = [": not validated yet, because these are known only after the update: ", "validate "];

/** @param how Begins with what separates it from the title. */
export const adoptionNote = (title: string, how: string) => `${adopts}${title}${how}`;
export const identicalNote = (title: string) => adoptionNote(title, identical);
export const goneNote = (title: string) => `${title}${gone}the update creates it anew`;
export const unknownNote = (title: string, places: readonly string[]) => `${title}${unknownValues}${places.join(", ")}`;
/** What could not be done, for `explain`. */
export const validating = (title: string) => `${validate}${title}`;

/** What a text says, if it is one of these notes. */
export function noteKindOf(text: string): NoteKind | undefined {
  if (text.startsWith(adopts)) return text.endsWith(identical) ? "adopts identical" : "adopts";
  if (text.startsWith(`unable to ${validate}`)) return "not validated";
  if (text.includes(unknownValues)) return "unknown values";
  return text.includes(gone) ? "gone" : undefined;
}
