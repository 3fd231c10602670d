import type { EngineEvent } from "@pulumi/pulumi/automation";
import { describe, expect, test } from "vitest";
import { conflictsOf, type OwnedObjects, ownedObjectsOf } from "../../../dist/sdk/engine/ownedObjects.js";
import { type EngineStep, PreviewRecord } from "../../../dist/sdk/engine/preview.js";
import { unknown } from "../../../dist/provider/values/unknown.js";

const service = "https://config.example.com";
const elsewhere = "https://other.example.com";
const times = ["2026-01-31T08:00:00.123Z", "2026-01-31T08:00:00.124Z", "2026-01-31T08:00:00Z"] as const;
const prefix = "urn:pulumi:dev::project::";
const providerUrn = (name: string) => `${prefix}pulumi:providers:pulumi-nodejs::${name}`;

interface Facts {
  readonly op: string;
  readonly kind?: string;
  readonly old?: string;
  readonly new?: string;
  /** The option `import` of a program that leaves the slug out. */
  readonly importID?: string;
  readonly provider?: string;
  readonly retained?: boolean;
  readonly createdAt?: string | undefined;
  /** That of the old side, if it is another one. */
  readonly oldProvider?: string;
}

const step = (facts: Facts): EngineStep => {
  const { op, kind = "Monitor", provider = "default", oldProvider = provider, retained = false, ...slugs } = facts;
  const stateOf = (slug: string | undefined, by = provider) => ({
    inputs: slug === undefined ? {} : { slug },
    outputs: facts.createdAt === undefined ? {} : { createdAt: facts.createdAt },
    provider: `${providerUrn(by)}::an-id`,
    retainOnDelete: retained,
    ...(facts.importID === undefined ? {} : { importID: facts.importID }),
  });
  return {
    op,
    urn: `${prefix}pulumi-nodejs:dynamic/observability:${kind}::name`,
    provider: `${providerUrn(provider)}::an-id`,
    ...(op === "create" || op === "read" ? {} : { oldState: stateOf(slugs.old, oldProvider) }),
    ...(op.startsWith("delete") || op === "read-discard" ? {} : { newState: stateOf(slugs.new) }),
  };
};
const explicit = (op: string, baseUrl?: string): EngineStep => ({
  op,
  urn: providerUrn("own"),
  newState: { inputs: baseUrl === undefined ? {} : { "observability:baseUrl": baseUrl } },
});

/** `declared: Monitor a @ https://…` */
const told = (steps: readonly EngineStep[], baseUrl: string | undefined = service) => {
  const { declared, dropped } = ownedObjectsOf(steps, baseUrl);
  return [
    ...Object.entries(declared).flatMap(([at, objects]) =>
      Object.entries(objects).map(([key, createdAt]) => `declared ${key} @ ${at}${createdAt && ` ${createdAt}`}`),
    ),
    ...dropped.map(
      ({ kind, slug, name, service: at, isRetained, createdAt = "" }) =>
        `${isRetained ? "retained" : "dropped"} ${kind} ${slug} (${name}) @ ${at}${createdAt && ` ${createdAt}`}`,
    ),
  ];
};

const declared = (key = "Monitor a", at = service) => `declared ${key} @ ${at}`;
const dropped = (slug = "a", at = service) => `dropped Monitor ${slug} (name) @ ${at}`;

describe("what a preview says of objects", () => {
  test.each<[string, readonly Facts[], readonly string[]]>([
    ["an unchanged one", [{ op: "same", old: "a", new: "a", createdAt: times[0] }], [`${declared()} ${times[0]}`]],
    ["a new or adopted one", [{ op: "create", new: "a" }], [declared()]],
    ["an imported one", [{ op: "import", new: "a" }], [declared()]],
    ["an imported one without a slug", [{ op: "import", importID: "a" }], [declared()]],
    ["one that an imported one replaces", [{ op: "import-replacement", old: "a", new: "a" }], [declared()]],
    ["a changed one", [{ op: "update", old: "a", new: "a" }], [declared()]],
    ["a deleted one", [{ op: "delete", old: "a" }], [dropped()]],
    ["a retained one", [{ op: "delete", old: "a", retained: true }], ["retained Monitor a (name) @ " + service]],
    [
      "one whose slug changes: the time is that of the old one",
      [{ op: "replace", old: "a", new: "b", createdAt: times[0] }],
      [declared("Monitor b"), `${dropped()} ${times[0]}`],
    ],
    [
      "one that another provider of the program has under the same slug",
      [
        { op: "same", old: "a", new: "a", provider: "one" },
        { op: "delete", old: "a", provider: "two" },
      ],
      ["declared Monitor a @ ", dropped("a", "")],
    ],
    [
      "one that changes its provider",
      [{ op: "update", old: "a", new: "a", provider: "one", oldProvider: "two" }],
      ["declared Monitor a @ "],
    ],
    ["one that is only read", [{ op: "read", new: "a" }], []],
    ["one that is no longer read", [{ op: "read-discard", old: "a" }], []],
    ["a refreshed one", [{ op: "refresh", old: "a", new: "a" }], []],
    ["one that is made anew", [{ op: "replace", old: "a", new: "a" }], [declared()]],
    [
      "one whose slug changes, in all its steps",
      [
        { op: "create-replacement", old: "a", new: "b" },
        { op: "replace", old: "a", new: "b" },
        { op: "delete-replaced", old: "a" },
      ],
      [declared("Monitor b"), dropped()],
    ],
    [
      "one that moves within the program",
      [
        { op: "create", new: "a" },
        { op: "delete", old: "a" },
      ],
      [declared()],
    ],
    ["the log allocation", [{ op: "same", kind: "LogAllocationConfig" }], [declared("LogAllocationConfig")]],
    ["one whose slug is not known", [{ op: "create", new: unknown }], []],
  ])("%s", (_, steps, expected) => {
    expect(told(steps.map(step))).toEqual(expected);
  });

  test.each<[string, readonly EngineStep[], string | undefined, string]>([
    ["of the stack, in one spelling", [], `${service}/`, service],
    ["of the stack, without credentials", [], service.replace("//", "//user:password@"), service],
    ["of nobody", [], undefined, ""],
    ["that is secret", [], "[secret]", ""],
    ["of the provider", [explicit("same", elsewhere)], service, elsewhere],
    ["of the environment, for a provider without one", [explicit("create")], service, service],
    ["of a provider, known only after the update", [explicit("create", unknown)], service, ""],
    ["of a provider that the preview does not tell", [], service, ""],
  ])("at the address %s", (words, steps, baseUrl, at) => {
    const provider = words.includes("provider") ? "own" : "default";
    expect(told([...steps, step({ op: "delete", old: "a", provider })], baseUrl ?? "")).toEqual([dropped("a", at)]);
  });
});

describe("two stacks", () => {
  const stack = (name: string, ownedObjects: OwnedObjects | undefined) => ({ name, ownedObjects });
  const a = (at: string, createdAt?: string, retained = false) =>
    stack("a", ownedObjectsOf([step({ op: "delete", old: "x", createdAt, retained })], at));
  const b = (at: string, slug = "x", createdAt?: string) =>
    stack("b", ownedObjectsOf([step({ op: "same", old: slug, new: slug, createdAt })], at));
  const conflicts = (...stacks: readonly ReturnType<typeof stack>[]) =>
    conflictsOf(stacks).map(
      ({ dropping, object, declaring, sameness }) =>
        `${dropping.name} ${object.slug} ${declaring.name}${sameness === "same" ? "" : "?"}`,
    );

  test.each([
    ["one service", a(service), b(service), ["a x b"]],
    ["one service and time", a(service, times[0]), b(service, "x", times[0]), ["a x b"]],
    ["one service and two times", a(service, times[0]), b(service, "x", times[1]), ["a x b?"]],
    ["two addresses", a(service), b(elsewhere), ["a x b?"]],
    ["two addresses and one time", a(service, times[0]), b(elsewhere, "x", times[0]), ["a x b"]],
    ["two addresses and two times", a(service, times[0]), b(elsewhere, "x", times[1]), []],
    ["two addresses and times in seconds", a(service, times[2]), b(elsewhere, "x", times[2]), ["a x b?"]],
    ["two addresses and one known time", a(service, times[0]), b(elsewhere), ["a x b?"]],
    ["an unknown service", a(""), b(service), ["a x b?"]],
    ["an unknown service and one time", a("", times[0]), b(service, "x", times[0]), ["a x b"]],
    ["different slugs", a(service), b(service, "y"), []],
    ["both drop it", a(service), { ...a(service), name: "b" }, []],
    ["no preview", a(service), stack("b", undefined), []],
  ])("%s", (_, first, second, expected) => {
    expect(conflicts(first, second)).toEqual(expected);
    expect(conflicts(second, first)).toEqual(expected);
  });

  test("of which one declares what it also drops at another service", () => {
    const moved = ownedObjectsOf(
      [
        explicit("same", elsewhere),
        step({ op: "create", new: "x", provider: "own" }),
        step({ op: "delete", old: "x" }),
      ],
      service,
    );
    expect(conflicts(stack("a", moved))).toEqual([]);
    expect(conflicts(stack("a", moved), b(service))).toEqual(["a x b"]);
  });

  test("and a third one: each conflict is reported", () => {
    expect(conflicts(a(service), b(service), { ...b(service), name: "c" })).toEqual(["a x b", "a x c"]);
  });
});

test("an imported object is known from its id once it was read", () => {
  const record = new PreviewRecord();
  const { urn, newState } = step({ op: "import", new: "a" });
  const metadata = (id: string) => ({ metadata: { op: "import", urn, new: { ...newState, inputs: {}, id } } });
  record.see({ resourcePreEvent: metadata("") } as unknown as EngineEvent);
  record.see({ resOutputsEvent: metadata("a") } as unknown as EngineEvent);
  expect(told(record.steps)).toEqual([declared()]);
});
