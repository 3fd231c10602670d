// The engine passes on only the text of a note: events and "pulumi preview --json" have no field for a code. So the text
// ends with one, which the CLI reads and removes: `… without changes [adopts-identical]`.

const codes = ["adopts", "adopts-identical", "gone", "known-later", "not-validated"] as const;
export type NoteCode = (typeof codes)[number];

export const codedNote = (text: string, code: NoteCode) => `${text} [${code}]`;

/** The text of a message, and the code at its end if it is one of these notes. */
export function noteIn(message: string): { readonly text: string; readonly code: NoteCode | undefined } {
  const [end = "", last] = / \[([a-z-]+)\]\s*$/.exec(message) ?? [];
  const code = codes.find((each) => each === last);
  return { text: code === undefined ? message : message.slice(0, -end.length), code };
}
