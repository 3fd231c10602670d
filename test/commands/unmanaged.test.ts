import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import { newProject } from "../support/project.js";
import { failing, ownProxy } from "../support/faults.js";
import { ownService, put } from "../support/service.js";

const monitor = (name: string, options = "") =>
  `new obs.Monitor("${name}", { labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } } }${options});`;

test("drift --unmanaged lists what no stack declares, and names what it cannot list", async () => {
  const [service, other] = [await ownService(), await ownService()];
  // Notes stand in the order of their addresses, and this one stands last whatever its port.
  const elsewhere = other.url.replace("127.0.0.1", "localhost");
  // This token may not list datasets.
  const proxy = await ownProxy(service.url);
  proxy.use(({ method, path }) => {
    if (method !== "GET") return undefined;
    if (path.endsWith("/datasets")) return failing(403, { code: 7, message: "this token may not do that" });
    // What is not found here may be anywhere: that is no empty list.
    return path.endsWith("/trace-metrics-rules") ? failing(404, { code: 5, message: "nothing is here" }) : undefined;
  });
  const program = `
    const pulumi = require("@pulumi/pulumi");
    const obs = require("pulumi-observability");
    const stack = pulumi.getStack();
    if (stack === "throws") throw new Error("it breaks");
    if (stack === "one") { ${monitor("first")} } else { ${monitor("second")} }
    if (stack === "two") {
      const provider = new obs.Provider("elsewhere", { baseUrl: "${elsewhere}" });
      ${monitor("elsewhere", ", { provider }")}
    }
  `;
  // Wide enough that ports of any length break no line.
  const { at, command, create, init } = newProject(proxy.url, program, { COLUMNS: "300" });
  for (const stack of ["one", "two"]) await create(stack);
  const drift = async (...args: readonly string[]) => {
    const ended = await command("drift", ...args);
    return {
      ...ended,
      text: ended.stdout
        .replaceAll(proxy.url, "<service>")
        .replaceAll(elsewhere, "<other>")
        .replace(/request\s+[-\w]+/g, "request <id>"),
    };
  };

  for (const slug of ["by-hand", "also-by-hand"]) await put(service, "Monitor", slug, { name: `Made "by" ${slug}` });
  // One job of two cannot know what the stacks of the other one declare; the job that merges them does.
  for (const stack of ["one", "two"]) {
    const { stdout } = await drift("--stack", stack, "--unmanaged", "--json");
    const { unmanaged } = JSON.parse(stdout) as Review;
    expect(unmanaged?.objects.map(({ slug }) => slug)).toEqual([
      "also-by-hand",
      "by-hand",
      stack === "one" ? "second" : "first",
    ]);
    writeFileSync(at(`${stack}.json`), stdout);
  }
  const found = await drift("--from", "one.json", "two.json", "--markdown", "drift.md");
  expect(found).toMatchObject({ code: 3 });
  expect(found.text.replace(/created\s+\S+Z/g, "created <time>")).toMatchInlineSnapshot(`
    "Observability drift: none in 2 stacks; 2 objects that no stack declares

    project/one: nothing changes

    project/two: nothing changes

    Objects that no stack declares: 2
      ? Monitor also-by-hand ("Made \\"by\\" also-by-hand", created <time>, in <service>)
      ? Monitor by-hand ("Made \\"by\\" by-hand", created <time>, in <service>)
      note  <service>: unable to list datasets: GET /api/v1/config/datasets answered 403: this token may not do that. Use a token that has this permission, or grant it to this token (request <id>)
      note  <service>: unable to list trace metrics rules: GET /api/v1/config/trace-metrics-rules answered 404: nothing is here (request <id>)
      note  <other> was not listed: the stack's settings have a different service URL, or none
    "
  `);
  expect(readFileSync(at("drift.md"), "utf8")).toContain('- Monitor `by-hand` `Made \\"by\\" by-hand`, created ');

  await init("throws");
  const failed = await drift("--stack", "throws", "--unmanaged");
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.text).toContain("objects that no stack declares: unknown");
  expect(failed.text.replace(/\s+/g, " ")).toContain(
    'no objects are listed, because the declarations of the stack "project/throws" are unknown: its preview failed',
  );
});
