import { shape, string } from "../../schema/field";

/** A label by name and value. */
export const labelMatcher = shape("LabelMatcher", "Matches series by the value of one label.", {
  name: string("The label's name.", { required: "always" }),
  type: string("How the value is compared.", { suggestions: ["EXACT", "REGEX"] }),
  value: string("The text or pattern that the label's value is compared with.", {
    patternIf: ["type", ["REGEX"]],
  }),
});
