import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "@pulumi-observability/service";
import { caseOf } from "../support/cases.js";
import { ask, live } from "../support/service.js";
import type { Declarations, Program, Standing } from "./declarations.js";
import { type Export, kindOf, oursIn, type Project, type Resource } from "./statesProject.js";

/** A state as a version of this package wrote it, with all that its replay needs. */
export interface Kept {
  /** What wrote it, and the service's address then. */
  readonly written: { readonly sdk: string; readonly cli: string; readonly baseUrl: string };
  readonly declarations: Declarations;
  /** The objects, as they stood in the service, in the order in which they can be made again; others' too. */
  readonly objects: readonly Standing[];
  /** What `pulumi stack export` answered, secrets encrypted. */
  readonly state: Export;
}

const states = join(import.meta.dirname, "states");

/** The versions whose states are kept. */
export const versions: readonly string[] = existsSync(states) ? readdirSync(states).sort() : [];

/** The states of a version, by the name of their program. */
export function keptBy(version: string): readonly (readonly [string, Kept])[] {
  const folder = join(states, version);
  return readdirSync(folder)
    .sort()
    .map((file) => [file.replace(".json", ""), JSON.parse(readFileSync(join(folder, file), "utf8"))] as const);
}

/** Keeps a state. @throws where one is kept already. */
export function keep(version: string, name: string, kept: Kept): void {
  const file = join(states, version, `${name}.json`);
  if (existsSync(file)) {
    throw new Error(`${file} is kept already: what a released version wrote never changes, else remove it first`);
  }
  mkdirSync(join(states, version), { recursive: true });
  writeFileSync(file, `${JSON.stringify(kept, undefined, 2)}\n`);
}

/**
 * Everything that is kept of a program's state, once `up` has made it.
 * @param service one that shows secrets
 */
export async function keepable(project: Project, service: Service, { declarations }: Program): Promise<Kept> {
  const state = withoutPlaces(await project.export());
  const objects: Standing[] = [];
  for (const { kind, slug } of oursIn(state).map(objectOf)) {
    const object = await live(service, kind, slug);
    if (object === undefined) throw new Error(`${kind} "${slug}" is not at the service`);
    objects.push({ kind, object });
  }
  const { sdk, cli } = await project.versions();
  return { written: { sdk, cli, baseUrl: service.url }, declarations, objects, state };
}

/** The state without the places in source files that the engine records: they are those of one machine. */
const withoutPlaces = (state: Export): Export =>
  JSON.parse(
    JSON.stringify(state, (key, value: unknown) =>
      key === "sourcePosition" || key === "stackTrace" ? undefined : value,
    ),
  );

/** The object that a resource stands for. */
export const objectOf = (resource: Resource) => ({ kind: kindOf(resource), slug: resource.id ?? "" });

/** Makes an object in the service as some other client would; answers with it. */
export async function make(service: Service, { kind: kindName, object }: Standing): Promise<Standing["object"]> {
  const { kind } = caseOf(kindName);
  const { status, body: answer } = await ask(service, "POST", kind.family.post.path, { [kind.wire.one]: object });
  if (status !== 200) throw new Error(`${kindName}: ${status} ${JSON.stringify(answer)}`);
  return answer[kind.wire.one] as Standing["object"]; // As the interface says.
}
