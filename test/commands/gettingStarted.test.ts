import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { minimumVersion, pulumiEnv } from "../../tools/pulumi.mjs";
import { ownEnvironment, readManifest, root } from "../install/manifest.js";
import { deepTest } from "../support/figures.js";
import { atEnd } from "../support/ends.js";
import { until } from "../support/faults.js";
import { ownFolder } from "../support/folders.js";
import { homeIn, quickStart } from "../support/quickStart.js";
import { start } from "../support/run.js";
import { blocksIn, expectPrinted, inJavascript } from "./pages.js";

const page = "docs/getting-started.md";
const { engines, scripts = {}, version } = readManifest(root);
const tarball = `pulumi-observability-${version}.tgz`;
const shownHost = "127.0.0.1:8787";

/** A shell as a reader uses it: it keeps exported variables. */
function terminal(cwd: string, env: NodeJS.ProcessEnv) {
  const shell = spawn("bash", { cwd, env });
  const ended = once(shell, "close").then(() => false);
  atEnd(() => shell.kill("SIGKILL"));
  let text = "";
  shell.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  /** Runs a command to its end. @returns its exit status and output. */
  return async (command: string): Promise<{ readonly status: number; readonly printed: string }> => {
    text = "";
    shell.stdin.write(`{\n${command}\n} </dev/null 2>&1\necho "<exit status $?>"\n`);
    const signal = AbortSignal.timeout(60_000);
    for (;;) {
      const [, printed = "", status] = /^([^]*)<exit status (\d+)>\n$/.exec(text) ?? [];
      if (status !== undefined) return { status: Number(status), printed };
      const more = once(shell.stdout, "data", { signal }).then(
        () => true,
        () => false,
      );
      if (!(await Promise.race([more, ended]))) throw new Error(`${command}\ndoes not end:\n${text}`);
    }
  };
}

/** Starts the service with the page's command on any free port. @returns its output and host. */
async function serve(command: string) {
  const [npm, args = ""] = command.trim().split("npm run serve -- ");
  expect(npm).toBe("");
  const [node = "", ...script] = scripts.serve?.split(" ") ?? [];
  const { text } = start(node, [...script, ...args.split(" "), "--port", "0"], { cwd: root });
  await until(() => text().includes("OBSERVABILITY_API_TOKEN"), "the start of the service");
  return { printed: text(), host: /127\.0\.0\.1:\d+/.exec(text())?.[0] ?? "" };
}

/** Applies a diff to a file: replaces the lines with - by those with +. */
function changed(text: string, diff: string): string {
  let now = text;
  for (const [, from = "", to = ""] of diff.matchAll(/((?:^-.*\n)+)((?:^\+.*\n)+)/gm)) {
    const [old, next] = [from, to].map((lines) => lines.replace(/^[-+]/gm, "")) as [string, string];
    expect(now).toContain(old);
    now = now.replace(old, next);
  }
  return now;
}

/** The commands of a block. A command can have several lines. */
const commandsIn = (text: string): readonly string[] => text.trim().split(/(?<![\\|])\n/);

// Twelve runs of the engine. readme.test.ts follows README in every run.
deepTest("every step of the page does what the page shows", async () => {
  const folder = ownFolder();
  const [clone, project] = [join(folder, "clone"), join(folder, "alerts")];
  mkdirSync(clone);
  const ofVitest = /^(NODE_ENV|TEST|VITEST.*)$/;
  const env = Object.fromEntries(Object.entries(ownEnvironment()).filter(([name]) => !ofVitest.test(name)));
  const run = terminal(clone, {
    ...pulumiEnv({ home: homeIn(folder), backend: join(folder, "state"), env }),
    // A compiler would take a second in each operation.
    ...quickStart,
    TEST_PROGRAMS: "javascript",
    NO_COLOR: "1",
  });
  let host = "";

  /** Runs a command of the page. @returns its output, with the page's port. */
  async function follow(command: string, fails: boolean): Promise<string> {
    if (command.startsWith("npm run serve ")) {
      const service = await serve(command);
      ({ host } = service);
      return service.printed.replaceAll(host, shownHost);
    }
    // test/install packs and installs the package. The tests have their own backend.
    if (command === "npm pack --pack-destination ../alerts") return `${tarball}\n`;
    if (command === `npm install ./${tarball} @pulumi/pulumi`) {
      symlinkSync(join(root, "node_modules"), join(project, "node_modules"), "dir");
      return "";
    }
    if (["npm install --save-dev vitest@3", "pulumi login --local --non-interactive"].includes(command)) return "";
    const { status, printed } = await run(command.replaceAll(shownHost, host));
    expect(status !== 0, `${command}\nended with exit status ${status}:\n${printed}`).toBe(fails);
    return printed.replaceAll(host, shownHost);
  }

  const blocks = blocksIn(page);
  for (const [i, { file, language, text }] of blocks.entries()) {
    if (language === "sh") {
      const { language: of = "", file: next, text: after = "" } = blocks[i + 1] ?? {};
      const shown = next === undefined && ["text", "json"].includes(of) ? after : "";
      let printed = "";
      for (const command of commandsIn(text)) printed += await follow(command, /error:/i.test(shown));
      expectPrinted(printed, shown, text);
    } else if (file !== undefined) {
      const path = join(project, file);
      writeFileSync(path, language === "diff" ? changed(readFileSync(path, "utf8"), text) : text);
      if (existsSync(join(project, "index.ts"))) inJavascript(project);
    }
  }
});

test("the page names the same versions of Node.js and of the Pulumi CLI as the tools", () => {
  const text = readFileSync(join(root, page), "utf8");
  expect(text).toContain(`Pulumi CLI ${minimumVersion} or newer`);
  expect(text).toContain(`Node.js ${engines.node.replace(">=", "")} or newer`);
});
