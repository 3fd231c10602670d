import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { contextFor } from "../../../dist/sdk/context.js";
import { givenArgs, inputsOf } from "../../../dist/sdk/inputs.js";
import { registrationOptions } from "../../../dist/sdk/options.js";

const facts = {
  kind: "Notifier",
  keys: ["name", "slug", "webhook", "labels"],
  derived: ["name", "slug"],
  secrets: ["webhook.token"],
  defaultsFrom: {},
};

function inputs(args: object, opts: pulumi.CustomResourceOptions = {}) {
  const given = givenArgs('Notifier "pager"', facts, args, opts);
  const context = { name: "pager" };
  return inputsOf({ facts, name: "pager", given, opts, context, resultsIn: undefined, provider: () => undefined });
}

describe("the inputs of a registration", () => {
  test("declare the outputs that get a value: of given, derived and ignored arguments, and the timestamps", () => {
    const all = ["name", "slug", "labels", "createdAt", "updatedAt", "__ctx", "__provider"];
    expect(Object.keys(inputs({ labels: { a: "b" }, webhook: undefined })).sort()).toEqual(all.sort());
    const ignored = inputs({}, { ignoreChanges: ["webhook.url"] });
    expect(ignored).toHaveProperty("webhook", undefined);
    expect(ignored).not.toHaveProperty("labels");
    expect(Object.keys(inputs({}, { ignoreChanges: ["*"] }))).toEqual(expect.arrayContaining(facts.keys));
  });

  test("have no context of a resource that is only read, because no check would remove it", () => {
    expect(inputs({})).toHaveProperty("__ctx", { name: "pager" });
    const read = inputs({}, { id: "pager" });
    expect(read).not.toHaveProperty("__ctx");
    expect(Object.keys(read)).toEqual(expect.arrayContaining(facts.keys));
  });

  test("have each secret as a Pulumi secret, and its path in the context", async () => {
    const { webhook, __ctx } = inputs({ webhook: { url: "https://hook.example.com", token: "secret-1" } });
    expect(webhook.url).toBe("https://hook.example.com");
    expect(await pulumi.isSecret(webhook.token)).toBe(true);
    expect(await __ctx.secrets).toEqual([["webhook", "token"]]);
  });
});

test("the places of a resource are those under the dynamic host, also of its parents and its aliases; its check gets the paths in options", () => {
  const parent = { __pulumiType: "observability:index:Monitor" } as unknown as pulumi.Resource; // all that a place takes
  const aliases = ["urn:pulumi:dev::shop::observability:index:Notifier::old"];
  const type = "pulumi-nodejs:dynamic/observability:";
  const paths = { ignoreChanges: ["a"], replaceOnChanges: ["b"], hideDiffs: ["c"] };
  const options = { parent, aliases, ...paths, additionalSecretOutputs: ["d"] };
  expect(contextFor("Notifier", "pager", options, undefined)).toMatchObject({
    ...paths,
    secretOutputs: ["d"],
    qualifiedName: `${type}Monitor$${type}Notifier::pager`,
    formerNames: [`${type}Notifier::old`],
  });
});

describe("the options of a registration", () => {
  const aliases = [{ type: "observability:index:Notifier" }];
  test.each<[string, pulumi.CustomResourceOptions, boolean, object]>([
    ["have an alias for the other host", {}, false, { aliases }],
    ["encrypt the record where an argument may be secret", {}, true, { additionalSecretOutputs: ["__observability"] }],
    [
      "encrypt the record where an output is secret",
      { additionalSecretOutputs: ["webhook"] },
      false,
      { additionalSecretOutputs: ["webhook", "__observability"] },
    ],
    [
      "encrypt the record where a transformation may add a secret",
      { transformations: [() => undefined] },
      false,
      { additionalSecretOutputs: ["__observability"] },
    ],
  ])("%s", (_, opts, mayHaveSecret, expected) => {
    expect(registrationOptions("Notifier", opts, mayHaveSecret)).toMatchObject(expected);
  });

  test("leave the record plain where nothing is secret, and add no alias to a resource that is only read", () => {
    expect(registrationOptions("Notifier", {}, false)).not.toHaveProperty("additionalSecretOutputs");
    expect(registrationOptions("Notifier", { id: "pager" }, false)).not.toHaveProperty("aliases");
  });
});
