import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Service } from "../../service/dist/server.js";

const run = promisify(execFile);
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
  try {
    await run(python, ["-c", "import sys, venv; assert sys.version_info >= (3, 10)"]);
  } catch {
    return `"${python}" is no Python of 3.10 or newer with venv; set PYTHON`;
  }
  try {
    await run(python, ["-m", "venv", venv]);
    await run(join(venv, "bin", "python"), ["-m", "pip", "install", "--quiet", `schemathesis==${version}`]);
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
  readonly status: number;
  /** The service's own number of a refusal. */
  readonly code: number | undefined;
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
export async function fuzz(
  service: Service,
  { cases, mode }: { readonly cases: number; readonly mode: "positive" | "all" },
): Promise<Fuzzing> {
  const folder = mkdtempSync(join(tmpdir(), "observability-fuzz-"));
  try {
    const har = join(folder, "exchanges.har");
    const phases = mode === "positive" ? "fuzzing" : "examples,coverage,fuzzing,stateful";
    const args = ["run", `${service.url}/openapi.json`, "-H", `API-Token: ${service.token}`];
    args.push("--phases", phases, "--mode", mode, "-n", String(cases), "--exclude-checks", excluded, "--no-shrink");
    args.push("--continue-on-failure", "--suppress-health-check", "all", "--output-sanitize", "false");
    args.push("--report", "har", "--report-har-path", har);
    const { stdout, failed } = await run(command, args, { cwd: folder, env: plain, maxBuffer: 2 ** 28 }).then(
      (done) => ({ ...done, failed: false }),
      (error: { stdout?: string; message: string }) => ({ stdout: error.stdout ?? error.message, failed: true }),
    );
    const closing = (
      /^=+ ([^=\n]+) =+$/gm.exec(stdout.slice(stdout.lastIndexOf("\n===")))?.[1] ?? "no closing line"
    ).trim();
    const counted = /^ {2}\d+ generated.*$/m.exec(stdout)?.[0].trim() ?? "";
    return { closing: `${counted}; ${closing}`, failed, output: stdout, exchanges: exchangesIn(har) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function exchangesIn(file: string): readonly Exchange[] {
  if (!existsSync(file)) return [];
  const { log } = JSON.parse(readFileSync(file, "utf8")) as {
    log: {
      entries: {
        request: { method: string; url: string; postData?: { text?: string } };
        response: { status: number; content: { text?: string } };
      }[];
    };
  };
  return log.entries.map(({ request, response }) => ({
    method: request.method,
    path: new URL(request.url).pathname,
    body: request.postData?.text ?? "",
    status: response.status,
    code: jsonOf(response.content.text)?.code,
  }));
}

export function jsonOf(text = ""): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
