import { cpSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readManifest, root, run } from "../install/manifest.js";
import { ownFolder } from "../support/folders.js";
import { newProject } from "../support/project.js";
import { quickStart } from "../support/quickStart.js";
import { ownService, takeCounts, token } from "../support/service.js";
import { blocksUnder, compile, expectPrinted, follow, inJavascript } from "./pages.js";

const page = "README.md";

const blockIn = (title: string, of: string) =>
  blocksUnder(page, title).find(({ language }) => language === of)?.text ?? "";

test("the commands end with a preview that validates, writes nothing, and fails with the error shown", async () => {
  const program = blockIn("What it looks like", "ts");
  const service = await ownService();
  const project = newProject(service.url, compile(program), {
    OBSERVABILITY_BASE_URL: "",
    OBSERVABILITY_API_TOKEN: "",
  });
  const { version } = readManifest(root);
  const [install, onlyIf, login, init, ...lines] = blockIn("Use it in your own project", "sh").trim().split("\n");
  expect(install).toBe(`npm install ./pulumi-observability-${version}.tgz @pulumi/pulumi`);
  // The tests have their own backend.
  expect([onlyIf, login, init]).toEqual([
    "# only if you have no backend yet",
    "pulumi login --local --non-interactive",
    "pulumi stack init dev",
  ]);
  await project.init();
  const commands = lines.join("\n").replace("https://config.example.com", service.url);
  // A command prompts for the token.
  const printed = await follow(commands, { cwd: project.folders.project, env: project.env, stdin: token });
  expect(printed).toContain("+ 5 to create");
  const overdrawn = program.replace("percentOfLicense: 40", "percentOfLicense: 70");
  expect(overdrawn).not.toBe(program);
  project.write(compile(overdrawn));
  const rejected = await project.run(["preview"]);
  expect(rejected.code).not.toBe(0);
  expectPrinted(rejected.text, blockIn("What it looks like", "text"), "a share of 70 percent");
  const asked = Object.keys(takeCounts(service)).filter((request) => !/^GET |dry$/.test(request));
  expect(asked).toEqual([]);
});

/** The checkout in another folder: folders to which the demo writes are copied, everything else is a link. */
function ownCheckout(): string {
  const copy = ownFolder();
  const copied = ["tools", "examples"];
  const ofADemo = /^(\.demo(\.lock)?|\.git|Pulumi\..+\.yaml)$/;
  for (const name of readdirSync(root).filter((each) => !ofADemo.test(each))) {
    if (copied.includes(name))
      cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true });
    else symlinkSync(join(root, name), join(copy, name));
  }
  return copy;
}

test("the demo shows a stack from the first preview to the destroy, and leaves nothing behind", async () => {
  expect(blocksUnder(page, "Try it in a clone")[0]?.text).toBe("npm run demo\nnpm test\n");
  const [node = "", ...args] = readManifest(root).scripts?.demo?.split(" ") ?? [];
  const checkout = ownCheckout();
  const before = readdirSync(checkout);
  // A compiler would take a second in each operation.
  inJavascript(join(checkout, "examples/quickstart"));
  const printed = await run(checkout, [node, ...args], { ...quickStart, TEST_PROGRAMS: "javascript" });
  const lines = printed
    .replace(/http:\/\/127\.0\.0\.1:\d+/, "<url>")
    // One more if the lists were read before the objects: absence needs a later proof of the URL.
    .replace("5 reads and 8 writes", "4 reads and 8 writes")
    .split("\n")
    .map((line) => line.trim());
  expect(lines.filter((line) => /^(» |Resources:|[+~-]+ \d+ |\d+ unchanged)/.test(line))).toMatchInlineSnapshot(`
    [
      "» a configuration service runs at <url>, and examples/quickstart declares one resource of each kind",
      "» 1. a preview: the service validates every resource, and nothing is written",
      "Resources:",
      "+ 9 to create",
      "» the service saw 8 dry runs, 12 reads and no writes",
      "» 2. the update creates them",
      "Resources:",
      "+ 9 created",
      "» the service saw no dry runs, 4 reads and 8 writes",
      "» 3. another preview: nothing to do",
      "Resources:",
      "9 unchanged",
      "» the service saw no dry runs, 1 read and no writes",
      "» 4. someone edits the monitor outside Pulumi: a higher threshold, a longer interval, a new label",
      "Resources:",
      "~ 1 updated",
      "8 unchanged",
      "Resources:",
      "~ 1 to update",
      "8 unchanged",
      "» the service saw 1 dry run, 10 reads and no writes",
      "» 5. the update reverts the edit",
      "Resources:",
      "~ 1 updated",
      "8 unchanged",
      "» the service saw no dry runs, 1 read and 1 write",
      "» 6. a destroy deletes everything",
      "Resources:",
      "- 9 deleted",
      "» the service saw no dry runs, 8 reads and 8 writes",
      "» what to try next",
    ]
  `);
  expect(printed).toContain("~ intervalSecs    : 300 => 30");
  expect(readdirSync(checkout)).toEqual(before);
});
