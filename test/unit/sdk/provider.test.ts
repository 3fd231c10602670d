import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { expect, test } from "vitest";
import { mocks, valueOf } from "../../support/mocks.js";

test("a provider is declared as one of dynamic resources, with its token as a secret, without what an output left empty", async () => {
  const { declared } = await mocks();
  const slugPrefix = pulumi.output(null) as unknown as pulumi.Output<string | undefined>; // as a program without types may
  await valueOf(
    new obs.Provider("own", { apiToken: "token", secretMasks: ["***"], slugPrefix, maxConcurrency: 4 }).urn,
  );
  expect(declared.map(({ type }) => type)).toEqual(["pulumi:providers:pulumi-nodejs"]);
  expect(declared[0]?.inputs).toEqual({
    // Mocks get a secret wrapped.
    "observability:apiToken": expect.objectContaining({ value: "token" }),
    "observability:secretMasks": '["***"]',
    "observability:slugPrefix": "",
    "observability:maxConcurrency": "4",
  });
});
