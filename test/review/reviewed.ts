import { readFileSync, writeFileSync } from "node:fs";
import type { Review } from "../../dist/cli/review/review.js";
import type { Digest } from "../../dist/cli/stacks/digest.js";
import type { Risk } from "../../dist/cli/stacks/risk.js";
import { runCommand } from "../support/command.js";
import type { newProject } from "../support/project.js";
import { type NamedTrial, newName } from "./program.js";

export interface Reviewed {
  readonly risks: readonly Risk[];
  /** Everything that it printed, and the Markdown. */
  readonly output: string;
  /** What it said when it broke, by the name of the resource that breaks it. */
  readonly crashes: ReadonlyMap<string, string>;
}

type Project = ReturnType<typeof newProject>;

/** Reviews the stack. If that breaks, each part of its preview is reviewed alone, so that one trial hides no other. */
export async function review(project: Project, trials: readonly NamedTrial[]): Promise<Reviewed> {
  const whole = await run(project, ["--stack", "dev"]);
  if (typeof whole !== "string") return { ...whole, crashes: new Map() };
  const { code, text } = await project.run(["preview", "--json", "--stack", "dev"]);
  const digest = JSON.parse(text.slice(text.indexOf("{"))) as Digest;
  const refused = digest.diagnostics.filter(({ severity }) => severity === "error");
  if (code !== 0) throw new Error(refused.map(({ urn, message }) => `${urn}: ${message}`).join("\n"));
  const nameOf = ({ urn }: { readonly urn?: string }) => urn?.split("::").at(-1) ?? "";
  const isOf =
    ({ name }: NamedTrial) =>
    (about: { readonly urn?: string }) =>
      [name, newName(name)].includes(nameOf(about));
  return reviewOf(trials);

  async function reviewOf(part: readonly NamedTrial[]): Promise<Reviewed> {
    const stack = digest.steps.filter(({ urn }) => urn.includes("pulumi:pulumi:Stack"));
    const file = project.file("preview.json");
    const steps = part.flatMap((trial) => digest.steps.filter(isOf(trial)));
    const diagnostics = part.flatMap((trial) => digest.diagnostics.filter(isOf(trial)));
    writeFileSync(file, JSON.stringify({ ...digest, steps: [...stack, ...steps], diagnostics }));
    const reviewed = await run(project, ["--from", file]);
    if (typeof reviewed !== "string") return { ...reviewed, crashes: new Map() };
    const [only] = part;
    if (only === undefined || part.length === 1) {
      return { risks: [], output: reviewed, crashes: new Map(only && [[only.name, reviewed]]) };
    }
    const half = Math.ceil(part.length / 2);
    const [a, b] = [await reviewOf(part.slice(0, half)), await reviewOf(part.slice(half))];
    return {
      risks: [...a.risks, ...b.risks],
      output: a.output + b.output,
      crashes: new Map([...a.crashes, ...b.crashes]),
    };
  }
}

/** @returns what the command said if it broke */
async function run(project: Project, args: readonly string[]): Promise<Omit<Reviewed, "crashes"> | string> {
  const markdown = project.file("review.md");
  const all = ["review", ...args, "--json", "--markdown", markdown];
  const { code, stdout, stderr } = await runCommand(project.folders.project, all, project.env);
  if (code !== 0) return stderr.trim();
  const output = [stdout, stderr, readFileSync(markdown, "utf8")].join("\n");
  return { risks: (JSON.parse(stdout) as Review).risks, output };
}
