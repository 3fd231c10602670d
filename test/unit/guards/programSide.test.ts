import { expect, it } from "vitest";
import { node, root } from "./repository.js";

const program = `
const pulumi = require("@pulumi/pulumi");
const obs = require("pulumi-observability");
pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "id", state: inputs }), call: () => ({}) });
new obs.Provider("team", { apiToken: "token" });
new obs.Notifier("pager", { webhook: { url: "https://hook.example.com" } });
obs.Dataset.get("logs", "logs");
const loads = Object.values(require.cache).flatMap((by) => by.children.map((what) => [by.filename, what.filename]));
console.log(JSON.stringify(loads));
`;

const light =
  /^(dist\/sdk\/|dist\/provider\/(dynamic\/providerText|client\/settingTexts|schema\/names|wire\/json|protocol)\.js$|node_modules\/@pulumi\/pulumi\/)/;
const rule =
  "a program loads the classes, the frozen text and the settings' names; the rest is for the provider's process, or for a preview that has something to validate";

it("a program loads neither the provider nor what only the provider depends on", async () => {
  const { code, text } = await node(root, "-e", program);
  expect(code, text).toBe(0);
  const loads = (JSON.parse(text) as [string, string][]).map((paths) =>
    paths.map((path) => path.slice(root.length + 1).replaceAll("\\", "/")),
  );
  const byUs = loads.filter(([by = ""]) => by.startsWith("dist/"));
  expect(byUs).toContainEqual(["dist/sdk/inputs.js", "dist/provider/dynamic/providerText.js"]);
  const heavy = byUs.filter(([, what = ""]) => !light.test(what)).map(([by, what]) => `${by} loads ${what}: ${rule}`);
  expect(heavy).toEqual([]);
});
