import { expect, test } from "vitest";
import {
  adoptionNote,
  goneNote,
  identicalNote,
  noteKindOf,
  unknownNote,
  validating,
} from "../../../dist/provider/lifecycle/notes/notes.js";

const title = 'monitor "errors"';

test.each([
  [adoptionNote(title, ": another client created it at the same time"), "adopts"],
  [adoptionNote(title, ', changes: name "a" → "b"'), "adopts"],
  [identicalNote(title), "adopts identical"],
  [goneNote(title), "gone"],
  [unknownNote(title, ["labels.id"]), "unknown values"],
  [`unable to ${validating(title)}: it is wrong`, "not validated"],
  ["unable to create monitor", undefined],
])("%j is read as %s", (text, kind) => expect(noteKindOf(text)).toBe(kind));
