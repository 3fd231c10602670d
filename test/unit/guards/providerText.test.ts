import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { providerText } from "../../../dist/provider/dynamic/providerText.js";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";

// What states out there hold, letter for letter. It never changes; a v2 would stand beside it, and v1 work on.
const golden = (kind: string) =>
  'exports.handler=()=>{const r=require,c=process.cwd();return r(r.resolve("pulumi-observability/provider",{paths:[c,c+"/node_modules/.pnpm/node_modules"]})).v1("' +
  kind +
  '")};';

// The very function with which Pulumi's host makes a provider of the text.
const host = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider"));
const requireFromString: (text: string) => { handler(): Record<string, unknown> } = host("require-from-string");

it.each(kinds.map(({ name }) => name))("the text that states record for %s never changes", (name) => {
  expect(providerText(name), "provider/dynamic/providerText.ts is frozen: add a v2 beside it").toBe(golden(name));
  expect(Buffer.byteLength(golden(name))).toBeLessThan(300);
});

it.each(kinds.map(({ name }) => name))("the recorded text for %s, run as the host runs it, answers", (name) => {
  const provider = requireFromString(golden(name)).handler();
  const functions = Object.keys(provider).filter((key) => typeof provider[key] === "function");
  expect(functions.sort()).toEqual(["check", "configure", "create", "delete", "diff", "read", "update"]);
});

it("the recorded text of a kind that this version does not know says which package to install", () => {
  expect(() => requireFromString(golden("FromTheFuture")).handler()).toThrow(
    /doesn't support the kind "FromTheFuture".*newer/,
  );
});
