/** A way in which a service, or something on the way to it, says a text again. */
export interface Spelling {
  readonly name: string;
  readonly of: (text: string) => string;
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const unicode = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
const escaped = (text: string, letters: RegExp) => inJson(text).replace(letters, unicode);
const entity = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" } as const;

export const spellings: readonly Spelling[] = [
  { name: "in clear", of: (text) => text },
  { name: "on one line", of: (text) => text.replace(/\s+/g, " ") },
  { name: "in capitals", of: (text) => text.toUpperCase() },
  { name: "as JSON", of: inJson },
  { name: "as JSON in JSON", of: (text) => inJson(inJson(text)) },
  { name: "as JSON of Go, which escapes angles", of: (text) => escaped(text, /[<>&]/g) },
  { name: "as JSON in ASCII", of: (text) => escaped(text, /[^ -~]/g) },
  { name: "as JSON with escaped slashes", of: (text) => inJson(text).replaceAll("/", "\\/") },
  { name: "in a URL", of: encodeURIComponent },
  {
    name: "in a URL in lower case",
    of: (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  },
  { name: "as a form", of: (text) => new URLSearchParams([["", text]]).toString().slice(1) },
  { name: "in HTML", of: (text) => text.replace(/[&<>"']/g, (letter) => entity[letter as keyof typeof entity]) },
  { name: "in HTML by number", of: (text) => text.replace(/[^\w ]/g, (letter) => `&#${letter.charCodeAt(0)};`) },
  { name: "in base64", of: (text) => Buffer.from(text).toString("base64") },
  { name: "in base64 for URLs", of: (text) => Buffer.from(text).toString("base64url") },
  { name: "behind a user's name in base64", of: (text) => Buffer.from(`user:${text}`).toString("base64") },
  {
    name: "in a whole body in base64",
    of: (text) => Buffer.from(JSON.stringify({ notifier: { secret: text } })).toString("base64"),
  },
  { name: "cut by three dots", of: (text) => `${text.slice(0, text.length - 15)}...` },
  { name: "cut by an ellipsis", of: (text) => `${text.slice(0, 30)}…` },
];
