import { expect, test } from "vitest";
import { misspelledVariables } from "../../../dist/provider/client/misspelled.js";

test("a misspelled variable is told with the right one; a team's token and what is no setting's are not", () => {
  const environment = Object.fromEntries(
    [
      "OBSERVABILITY_BASE_URL",
      "OBSERVABILITY_BASE_ULR",
      "OBSERVABILITY_APITOKEN",
      "OBSERVABILITY_API_TOKEN_QA",
      "OBSERVABILITY_TEAM",
      "OTHER_BASE_ULR",
      "OBSERVABILTY_BASE_URL",
      "OBSERVABLE_BASE_URL",
    ].map((name) => [name, "a-secret"]),
  );
  expect(misspelledVariables(environment)).toEqual([
    'OBSERVABILITY_BASE_ULR is not a known setting. Did you mean "OBSERVABILITY_BASE_URL"?',
    'OBSERVABILITY_APITOKEN is not a known setting. Did you mean "OBSERVABILITY_API_TOKEN"?',
    'OBSERVABILTY_BASE_URL is not a known setting. Did you mean "OBSERVABILITY_BASE_URL"?',
  ]);
});
