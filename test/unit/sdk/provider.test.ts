import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { expect, test } from "vitest";

test("a setting that comes out of an output as nothing is not set", async () => {
  let declared: Record<string, unknown> = {};
  await pulumi.runtime.setMocks({
    newResource: ({ inputs }) => {
      declared = inputs as Record<string, unknown>;
      return { id: "id", state: inputs as object };
    },
    call: () => ({}),
  });
  const slugPrefix = pulumi.output(null) as unknown as pulumi.Output<string | undefined>; // as a program without types may
  const { urn } = new obs.Provider("own", { slugPrefix, maxConcurrency: 4 });
  await new Promise((resolve) => urn.apply(resolve));
  expect(declared).toEqual({ "observability:slugPrefix": "", "observability:maxConcurrency": "4" });
});
