import { expect, test } from "vitest";
import { codedNote, noteIn } from "../../../dist/provider/lifecycle/notes/notes.js";

test.each(["adopts", "adopts-identical", "gone", "known-later", "not-validated"] as const)(
  "a note with the code %s is read whatever its words are",
  (code) => {
    expect(noteIn(`${codedNote("any words", code)}\n`)).toEqual({ text: "any words", code });
  },
);

test.each(["unable to create monitor", "the labels are [env]", "the service said: [gone] is a slug"])(
  "a message without a code keeps its text: %s",
  (text) => expect(noteIn(text)).toEqual({ text, code: undefined }),
);
