import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../support/command.js";
import { newProject } from "../support/project.js";

/** A program that reads two secrets, and its stack. */
async function newProgram() {
  const { folders, at, done, env, init } = newProject("http://127.0.0.1:1", "");
  const notes = { version: 1, files: {}, declared: {}, secrets: ["pagerRoutingKey", "chatApiUrl"] };
  writeFileSync(at("pulumi-observability.json"), JSON.stringify(notes));
  await init();
  const secrets = (args: readonly string[], more: Readonly<Record<string, string>> = {}, input = "") =>
    runCommand(folders.project, ["secrets", ...args], { ...env, ...more }, input);
  const config = async () => JSON.parse(await done("config", "--json", "--show-secrets")) as Config;
  return { folders, secrets, config };
}

type Config = Readonly<Record<string, { readonly value: string; readonly secret: boolean }>>;

test("secrets come from standard input in one step, are stored as secrets, and are not asked for again", async () => {
  const { folders, secrets, config } = await newProgram();
  const first = await secrets(["--json"], {}, JSON.stringify({ pagerRoutingKey: "in clear\n", chatApiUrl: "" }));
  expect(first.code, first.stderr).toBe(3);
  expect(JSON.parse(first.stdout)).toMatchObject({
    set: ["pagerRoutingKey"],
    missing: ["observability:apiToken", "chatApiUrl"],
  });
  expect(first.stderr).toContain("no value for chatApiUrl. Enter one, or set CHAT_API_URL and pass --env.\n");

  const rest = await secrets([], {}, "observability:apiToken=a-token\nchatApiUrl=https://x/?a=b\n");
  expect(rest).toMatchObject({ code: 0, stdout: "set 2 secrets; 1 already set (--all sets all again)\n" });
  expect(await config()).toEqual({
    "observability:apiToken": { value: "a-token", secret: true },
    "project:chatApiUrl": { value: "https://x/?a=b", secret: true },
    "project:pagerRoutingKey": { value: "in clear\n", secret: true },
  });
  for (const name of readdirSync(folders.project)) {
    expect(readFileSync(join(folders.project, name), "utf8"), name).not.toMatch(/in clear|a-token|https:\/\/x/);
  }
  expect(await secrets([])).toMatchObject({
    code: 0,
    stdout: "set 0 secrets; 3 already set (--all sets all again)\n",
    stderr: "",
  });
});

test("a mistake in standard input is reported with its place and never with its text, and a missing variable with its name", async () => {
  const { secrets, config } = await newProgram();
  const line = await secrets([], {}, "hunter2\n");
  expect(line).toMatchObject({ code: 1, stderr: expect.stringContaining("line 1 of standard input must look like") });
  expect(line.stderr).not.toContain("hunter2");
  const broken = await secrets([], {}, '{"pagerRoutingKey": "hunter2"');
  expect(broken).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("starts like a JSON object, but is not valid JSON"),
  });
  expect(broken.stderr).not.toContain("hunter2");
  const unknown = await secrets([], {}, "pagerKey=x\n");
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("contains pagerKey, which the program") });

  const list = await secrets([], {}, '{"pagerRoutingKey": ["hunter2"]}');
  expect(list).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('value of "pagerRoutingKey" on standard input'),
  });
  expect(list.stderr).not.toContain("hunter2");
  expect(await secrets([], {}, '{"pagerRoutingKey": null}')).toMatchObject({ code: 3, stdout: "set 0 secrets\n" });
  const ended = await secrets(["--env"], { CHAT_API_URL: "https://x" });
  expect(ended).toMatchObject({
    code: 3,
    stdout: "set 2 secrets\n",
    stderr: expect.stringContaining("no value for pagerRoutingKey. Set the environment variable PAGER_ROUTING_KEY.\n"),
  });
  expect(Object.keys(await config())).toContain("project:chatApiUrl");
});
