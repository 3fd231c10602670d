import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { TeamFile } from "./files";
import { environmentOf, type TeamFacts } from "./team";
import { grouped } from "../../../provider/base/grouped";

/** The contents of a team's file, or why it can't be read. */
export type Look = { readonly facts: TeamFacts } | { readonly failure: string };

/** A message of the reading process about one file. */
export type Looked = Look & { readonly name: string };

/**
 * Reads the definitions of all teams, in a process without the variables that contain tokens by default: a file may do
 * anything when it is loaded, and only then the names of other variables are known. The files' output is dropped here,
 * because each team's own process prints it again.
 * @param stopping Ends it, even if a file never finishes loading.
 */
export async function lookAt(files: readonly TeamFile[], stopping?: AbortSignal): Promise<ReadonlyMap<string, Look>> {
  const looks = new Map<string, Look>();
  for (let rest = files; rest.length > 0; rest = files.filter(({ name }) => !looks.has(name))) {
    const child = fork(join(__dirname, "lookProcess.js"), {
      env: environmentOf("", new Set(), process.env),
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child.on("message", ({ name, ...look }: Looked) => looks.set(name, look));
    child.send(rest);
    const stop = () => child.kill("SIGKILL");
    stopping?.addEventListener("abort", stop);
    const [status, signal] = await once(child, "close");
    stopping?.removeEventListener("abort", stop);
    if (stopping?.aborted) return new Map(files.map(({ name }) => [name, { failure: "interrupted" }]));
    // It ended in the middle of a file, if not all are known.
    const [first] = rest.filter(({ name }) => !looks.has(name));
    if (first !== undefined)
      looks.set(first.name, { failure: `the team's file ended the process with ${signal ?? status}` });
  }
  return withoutDoubles(looks);
}

/** Two teams of one slug prefix would claim the same slugs: both fail, because it is unknown which one came first. */
function withoutDoubles(looks: ReadonlyMap<string, Look>): ReadonlyMap<string, Look> {
  const byPrefix = grouped(looks, ([, look]) => ("facts" in look ? look.facts.slugPrefix : undefined));
  return new Map(
    [...looks].map(([name, look]): [string, Look] => {
      if (!("facts" in look)) return [name, look];
      const { slugPrefix } = look.facts;
      const others = (byPrefix.get(slugPrefix) ?? []).flatMap(([other]) => (other === name ? [] : [other]));
      if (others.length === 0) return [name, look];
      const failure = `the slug prefix "${slugPrefix}" is also used by ${others.join(", ")}. Give each team its own`;
      return [name, { failure }];
    }),
  );
}
