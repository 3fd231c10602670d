import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import * as obs from "pulumi-observability";
import { expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { type Command, command, places } from "../model/commands.js";
import { Engine } from "../model/engine.js";
import { noOptions, type Options } from "../model/options.js";
import { Processes } from "../model/processes.js";
import { Program } from "../model/program.js";
import type { Declared } from "../model/state.js";
import { seed } from "../property/world.js";
import { caseOf, newResource } from "../support/cases.js";
import { newStack, type TestStack, typePrefix } from "../support/engine.js";
import { type FaultProxy, ownProxy } from "../support/faults.js";
import { Figures, runs } from "../support/figures.js";
import { ownService } from "../support/service.js";

const figures = new Figures();
const component = "model:index:Component";
const stackPrefix = "urn:pulumi:dev::team::";

/** The URN of a resource of the model as Pulumi's engine writes it. */
const urnOf = (urn: string) =>
  urn.startsWith("component$")
    ? urn.replace("component$", `${stackPrefix}${component}$${typePrefix}`)
    : `${stackPrefix}${typePrefix}${urn}`;

/** What the model's program declares, for Pulumi's engine. */
const programOf = (declared: readonly Declared[]) => () => {
  const parent = new pulumi.ComponentResource(component, "component");
  const provider = new obs.Provider("explicit", {});
  const made = new Map<string, pulumi.Resource>();
  for (const { kind, name, urn, args, aliases, options, provider: by, dependencies } of declared) {
    const { adopt, deleteBeforeReplace, isTransformed, protect, retainOnDelete } = options;
    const first = deleteBeforeReplace === undefined ? {} : { deleteBeforeReplace };
    const marked = Object.entries(args).map(([key, value]) => [
      key,
      options.marks.includes(key) ? pulumi.secret(value) : value,
    ]);
    const resource = newResource(kind.name, name, Object.fromEntries(marked), {
      protect,
      retainOnDelete,
      replaceOnChanges: [...options.replaceOnChanges],
      ignoreChanges: [...options.ignoreChanges],
      aliases: aliases.map(urnOf),
      dependsOn: dependencies.flatMap((each) => made.get(each) ?? []),
      ...(adopt === undefined ? {} : { adopt }),
      ...(urn.startsWith("component$") ? { parent } : {}),
      ...(by === "explicit" ? { provider } : {}),
      ...(isTransformed ? { transforms: [({ props, opts }) => ({ props, opts: { ...opts, ...first } })] } : first),
    });
    made.set(urn, resource);
  }
};

/** What was written of each object, in order. */
function writesTo(proxy: FaultProxy): Record<string, readonly string[]> {
  const writes: Record<string, string[]> = {};
  for (const { method, path, body, dryRun } of proxy.arrivals()) {
    if (method === "GET" || dryRun) continue;
    const sent = kinds.map(({ wire }) => body[wire.one] as { slug?: string } | undefined).find((each) => each?.slug);
    const key = method === "POST" && sent !== undefined ? `${path}/${sent.slug}` : path;
    writes[key] = [...(writes[key] ?? []), method];
  }
  proxy.reset();
  return writes;
}

/** The resources in the state: under which URN, of which object, and whether a replacement is not over. */
async function recordedBy(stack: TestStack): Promise<readonly unknown[]> {
  const { resources = [] } = await stack.state(); // absent if there are none
  return resources
    .filter(({ type }) => type.startsWith(typePrefix))
    .map(({ urn, id, ...rest }) => ({ urn, id, isOld: "delete" in rest, isPending: "pendingReplacement" in rest }));
}

const byUrn = (recorded: readonly unknown[]) => recorded.map((each) => JSON.stringify(each)).sort();

const edits: readonly Command["does"][] = ["declare", "change", "change the slug", "set options", "move", "drop"];
const programs = fc.array(
  fc.array(
    command.filter(({ does }) => edits.includes(does)),
    { minLength: 4, maxLength: 9, size: "max" },
  ),
  { minLength: 2, maxLength: 2 },
);

/** A service with what programs refer to, behind a proxy. */
async function place(): Promise<FaultProxy> {
  const service = await ownService({ strict: true });
  await seed(service);
  return ownProxy(service.url);
}

async function compare(versions: readonly (readonly Command[])[]): Promise<void> {
  const [imitated, real] = await Promise.all([place(), place()]);
  const engine = new Engine();
  const stack = await newStack(real.url, { env: { OBSERVABILITY_BASE_URL: real.url } });
  const program = new Program();
  const settings = { requestTimeoutSecs: 30, retryBudgetSecs: 60, adopt: false } as const;
  for (const commands of [...versions, "destroy"] as const) {
    if (commands !== "destroy") for (const each of commands) program.edit(each);
    const declared = program.resources();
    const processes = new Processes(
      () => imitated.url,
      settings,
      () => ({}),
    );
    const expected =
      commands === "destroy"
        ? await engine.destroy(processes, { goesOn: false })
        : await engine.up(declared, processes, { goesOn: false });
    await processes.stop();
    const { failed, text } = await (commands === "destroy" ? stack.destroy() : stack.up(programOf(declared)));
    const told = `${JSON.stringify(commands)}\n${text}\n${expected.failures.map(({ message }) => message).join("\n")}`;
    expect(failed, told).toBe(expected.failures.length > 0);
    // What else was done before a failure depends on what was in flight.
    if (failed) return figures.count("programs that both engines reject");
    expect(writesTo(real), told).toEqual(writesTo(imitated));
    const recorded = engine.state.map(({ urn, id, isOld, isPendingReplacement: isPending }) => {
      return { urn: urnOf(urn), id, isOld, isPending };
    });
    expect(byUrn(await recordedBy(stack)), told).toEqual(byUrn(recorded));
  }
}

test("the model's engine writes and records what Pulumi's engine does", () =>
  figures.hold(
    "programs on the model's and on Pulumi's engine",
    fc.asyncProperty(programs, compare),
    runs(0.02, 0.12),
  ));

const withOptions = (more: Partial<Options>) => {
  return { does: "set options" as const, pick: 0, options: kinds.map(() => ({ ...noOptions, ...more })) };
};

test("a mark that is taken off counts as a change for Pulumi's engine and for the model's", () => {
  const marks = ["name", "configuration"];
  const declare = { does: "declare" as const, place: places.findIndex(({ kind }) => kind.name === "Dataset") };
  const { example } = caseOf("Dataset").kind;
  return compare([
    [{ ...declare, config: example }, withOptions({ marks })],
    [{ ...declare, config: { ...example, name: "other" } }, withOptions({ replaceOnChanges: ["configuration"] })],
  ]);
});
