import { boolean, type Field, integer, list, map, shape, string, type ValueOf } from "./field";

const fields = {
  baseUrl: string("The address of the configuration service.", {
    unit: "URL, https except on this machine",
    required: "always",
  }),
  apiToken: string("The API token, sent in the header `API-Token`.", { secret: "value", required: "always" }),
  validate: string(
    "When configurations are validated by the service (dry run): in previews, in previews and updates, or never. " +
      "With `never` a preview sends no request.",
    { values: ["preview", "always", "never"], defaultValue: "preview" },
  ),
  adopt: string(
    "Whether a create takes over an object that exists under its slug: never, only if it already says what would " +
      "be written, or always, updating it. Also a resource option.",
    { values: [false, "identical", true], defaultValue: false },
  ),
  slugPrefix: string("Put before the Pulumi resource name if a slug is derived from it.", {
    default: "none",
    defaultValue: "",
  }),
  onMissingDelete: string(
    "What deleting does if the service has no such operation: fail, or leave the object there and say so.",
    { values: ["fail", "retain"], defaultValue: "fail" },
  ),
  secretMasks: list(string(""), "Further texts that the service answers in place of a secret.", {
    default: "`**REDACTED**` and runs of three or more `*` are always known",
    defaultValue: [],
  }),
  knownValues: list(
    string(""),
    "Values that are meant, although they are none of the known ones or look like a slip.",
    {
      default: "none",
      defaultValue: [],
    },
  ),
  maxConcurrency: integer("How many requests are in flight at most.", { defaultValue: 16 }),
  requestTimeoutSecs: integer("How long one request may take.", { unit: "seconds", defaultValue: 30 }),
  retryBudgetSecs: integer("How long one request may take with all its repeats.", {
    unit: "seconds",
    defaultValue: 60,
  }),
  defaultLabels: map("Labels that each resource with labels gets beside its own, whose keys win.", {
    default: "none",
    defaultValue: {},
  }),
  defaultAnnotations: map("Annotations that each resource with annotations gets beside its own, whose keys win.", {
    default: "none",
    defaultValue: {},
  }),
  allowInsecure: boolean("Allows plain http to a host that is not this machine.", { defaultValue: false }),
};

/** The provider's settings. The arguments of `Provider`, stack config and environment variables share these fields. */
export const settings = shape(
  "Provider",
  "Where the configuration service is, and how the provider treats it.",
  fields,
);

/** The settings that are maps. A program may give their entries as outputs, so the classes add them to arguments. */
export const mapSettings: readonly string[] = Object.entries(fields).flatMap(([name, field]: [string, Field]) =>
  field.visit({ map: () => [name], scalar: () => [], list: () => [], object: () => [] }),
);

export type SettingValues = { readonly [Name in keyof typeof fields]: ValueOf<(typeof fields)[Name]> };
