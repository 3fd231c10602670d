import { existsSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Service } from "../../service/dist/server.js";
import { ownFolder } from "../support/folders.js";
import { outputOf, run } from "../support/run.js";

const version = "4.32.5";
const python = process.env.PYTHON ?? "python3";
const venv = join(
  process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
  "pulumi-observability",
  `schemathesis-${version}`,
);
const command = join(venv, "bin", "schemathesis");

/** Why there is no fuzzer here; undefined if there is one. Makes its environment at the first call. */
export async function whyNoFuzzer(): Promise<string | undefined> {
  if (existsSync(command)) return undefined;
  const how = { cwd: ownFolder() };
  try {
    await outputOf(python, ["-c", "import sys, venv; assert sys.version_info >= (3, 10)"], how);
  } catch {
    return `"${python}" is no Python of 3.10 or newer with venv; set PYTHON`;
  }
  try {
    await outputOf(python, ["-m", "venv", venv], how);
    await outputOf(join(venv, "bin", "python"), ["-m", "pip", "install", "--quiet", `schemathesis==${version}`], how);
    return undefined;
  } catch (error) {
    rmSync(venv, { recursive: true, force: true });
    return `schemathesis could not be installed: ${(error as Error).message}`;
  }
}

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export interface Fuzzing {
  /** What the fuzzer says at its end. */
  readonly closing: string;
  readonly failed: boolean;
  readonly output: string;
  readonly exchanges: readonly Exchange[];
}

// What the document allows may still be refused (order, references, a taken slug), and what it does not allow may be
// ignored (nulls, unknown fields).
const excluded = "positive_data_acceptance,negative_data_rejection";

const { FORCE_COLOR: _, ...env } = process.env;
const plain = { ...env, NO_COLOR: "1" };

/** Tries a service by its served document alone. */
export async function fuzz(service: Service, cases: number): Promise<Fuzzing> {
  const cwd = ownFolder();
  const har = join(cwd, "exchanges.har");
  const args = ["run", `${service.url}/openapi.json`, "-H", `API-Token: ${service.token}`];
  args.push("--mode", "all", "-n", String(cases), "--exclude-checks", excluded, "--no-shrink");
  args.push("--continue-on-failure", "--suppress-health-check", "all", "--output-sanitize", "false");
  args.push("--report", "har", "--report-har-path", har);
  const { code, stdout, text } = await run(command, args, { cwd, env: plain });
  const closing = /^=+ ([^=\n]+) =+$/gm.exec(stdout.slice(stdout.lastIndexOf("\n===")))?.[1] ?? "no closing line";
  const counted = /^ {2}\d+ generated.*$/m.exec(stdout)?.[0] ?? "";
  return {
    closing: `${counted.trim()}; ${closing.trim()}`,
    failed: code !== 0,
    output: text,
    exchanges: exchangesIn(har),
  };
}

function exchangesIn(file: string): readonly Exchange[] {
  if (!existsSync(file)) return [];
  const { log } = JSON.parse(readFileSync(file, "utf8")) as {
    log: {
      entries: {
        request: { method: string; url: string; postData?: { text?: string } };
      }[];
    };
  };
  return log.entries.map(({ request }) => ({
    method: request.method,
    path: new URL(request.url).pathname,
    body: request.postData?.text ?? "",
  }));
}

export function jsonOf(text = ""): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
